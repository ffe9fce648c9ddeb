#include "runtime/worker_process.hpp"

#include <csignal>

#include <gtest/gtest.h>

#include "jouletree/error.hpp"

namespace jouletree::runtime {
namespace {

WorkerProcess shell(const std::string& script) { return WorkerProcess("/bin/sh", {"-c", script}); }

/// Reads one message after the other and sends it back.
constexpr const char* kEcho =
    "while read -r size; do printf '%s\\n' \"$size\"; dd bs=1 count=\"$size\" status=none; done";

TEST(WorkerProcess, AnswersOneRequestAfterTheOther) {
  WorkerProcess worker = shell(kEcho);
  EXPECT_EQ(worker.ask("one"), "one");
  EXPECT_EQ(worker.ask("two\nlines"), "two\nlines");
}

TEST(WorkerProcess, PassesMoreThanAPipeHoldsBothWays) {
  WorkerProcess worker = shell("read -r size; printf '%s\\n' \"$size\"; head -c \"$size\"");
  const std::string large(1 << 21, 'x');
  EXPECT_EQ(worker.ask(large), large);
}

TEST(WorkerProcess, TellsWhichSignalEndedTheWorker) {
  WorkerProcess worker = shell("kill -SEGV $$");
  try {
    (void)worker.ask("anything");
    FAIL() << "no error";
  } catch (const WorkerLost& lost) {
    EXPECT_EQ(lost.signal(), SIGSEGV);
    EXPECT_FALSE(lost.timed_out());
  }
}

TEST(WorkerProcess, HandsOnTheLastComplaintOfAWorkerThatEnds) {
  WorkerProcess worker = shell("echo first >&2; echo the reason >&2; exit 3");
  try {
    (void)worker.ask("anything");
    FAIL() << "no error";
  } catch (const WorkerLost& lost) {
    EXPECT_STREQ(lost.what(), "the reason");
  }
}

TEST(WorkerProcess, EndsAWorkerThatTakesTooLong) {
  for (const std::size_t size : {std::size_t{8}, std::size_t{1} << 21U}) {
    SCOPED_TRACE(size);
    WorkerProcess worker = shell("read -r size; exec sleep 600");
    try {
      (void)worker.ask(std::string(size, 'x'), std::chrono::milliseconds(50));
      FAIL() << "no error";
    } catch (const WorkerLost& lost) {
      EXPECT_TRUE(lost.timed_out());
    }
  }
}

TEST(WorkerProcess, EndsAWorkerThatClosesAPipeAndGoesOn) {
  for (const char* const script : {"exec <&-; exec sleep 600", "exec >&-; exec sleep 600"}) {
    SCOPED_TRACE(script);
    WorkerProcess worker = shell(script);
    // More than a pipe holds, so that somebody must read it.
    EXPECT_THROW((void)worker.ask(std::string(1 << 21, 'x')), WorkerLost);
  }
}

TEST(WorkerProcess, RefusesAProgramThatIsNotThere) {
  EXPECT_THROW(WorkerProcess("/no/such/program", {}), Error);
}

}  // namespace
}  // namespace jouletree::runtime
