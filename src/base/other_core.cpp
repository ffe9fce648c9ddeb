#include "base/other_core.hpp"

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

namespace jouletree {
namespace {

using Work = std::function<void()>;

/// How long a helper that has nothing to do looks out for work. Counting a model leaves it idle for
/// a millisecond or two at a time.
constexpr std::chrono::milliseconds kPatience{3};

/// A thread that takes work over from others, and how they reach it.
class Helper {
 public:
  /// Whether a helper takes the work, which then is no longer the caller's.
  bool takes(std::unique_ptr<Work>& work) {
    Work* expected = &waiting_;
    if (!desk_.compare_exchange_strong(expected, work.get())) return false;
    static_cast<void>(work.release());
    return true;
  }

  /// Whether the caller's thread may become the helper: there is none yet.
  bool claim() {
    Work* expected = nullptr;
    return desk_.compare_exchange_strong(expected, &busy_);
  }
  void give_up() { desk_ = nullptr; }

  void help(std::unique_ptr<Work> work) {
    while (work) {
      (*work)();
      work.reset();
      desk_ = &waiting_;
      work = wait_for_work();
    }
  }

 private:
  /// Null where none came.
  std::unique_ptr<Work> wait_for_work() {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (true) {
      Work* found = desk_;
      if (found != &waiting_) {
        desk_ = &busy_;
        return std::unique_ptr<Work>(found);
      }
      if (std::chrono::steady_clock::now() < until) {
        std::this_thread::yield();
      } else if (desk_.compare_exchange_strong(found, nullptr)) {
        return nullptr;
      }
    }
  }

  Work waiting_;
  Work busy_;
  /// Null where there is no helper, else what it does, or what it shall do next.
  std::atomic<Work*> desk_ = nullptr;
};

/// Never destroyed: its thread may outlast `main`.
Helper& helper() {
  static Helper& only = *new Helper;  // NOLINT(cppcoreguidelines-owning-memory)
  return only;
}

/// Which cores this thread may use. None where the system does not say.
cpu_set_t own_cores() {
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) != 0) CPU_ZERO(&cores);
  return cores;
}

/// How a thread is made that nobody waits for.
class ThreadSettings {
 public:
  ThreadSettings() {
    ::pthread_attr_init(&settings_);
    ::pthread_attr_setdetachstate(&settings_, PTHREAD_CREATE_DETACHED);
  }
  ThreadSettings(const ThreadSettings&) = delete;
  ThreadSettings& operator=(const ThreadSettings&) = delete;
  ~ThreadSettings() { ::pthread_attr_destroy(&settings_); }

  /// Some systems put a new thread behind its maker, on the same core.
  void begin_on_another_core(cpu_set_t cores) {
    CPU_CLR(static_cast<std::size_t>(::sched_getcpu()), &cores);
    if (CPU_COUNT(&cores) > 0) ::pthread_attr_setaffinity_np(&settings_, sizeof cores, &cores);
  }
  [[nodiscard]] const pthread_attr_t* get() const { return &settings_; }

 private:
  pthread_attr_t settings_{};
};

/// What a thread is made for.
struct Errand {
  std::unique_ptr<Work> work;
  bool helps;       ///< Whether it looks out for more afterwards.
  cpu_set_t cores;  ///< Which it may use once it has begun.
};

void* run_errand(void* given) {
  const std::unique_ptr<Errand> errand(static_cast<Errand*>(given));
  ::sched_setaffinity(0, sizeof errand->cores, &errand->cores);
  if (errand->helps) {
    helper().help(std::move(errand->work));
  } else {
    (*errand->work)();
  }
  return nullptr;
}

/// Whether there was a thread to be had.
bool send(std::unique_ptr<Errand> errand) {
  ThreadSettings settings;
  settings.begin_on_another_core(errand->cores);
  pthread_t thread{};
  if (::pthread_create(&thread, settings.get(), run_errand, errand.get()) != 0) return false;
  static_cast<void>(errand.release());
  return true;
}

}  // namespace

bool has_other_core() {
  static const bool has = [] {
    const cpu_set_t cores = own_cores();
    return CPU_COUNT(&cores) > 1;
  }();
  return has;
}

void do_on_other_core(std::function<void()> work) {
  if (!has_other_core()) return;
  auto given = std::make_unique<Work>(std::move(work));
  Helper& other = helper();
  if (other.takes(given)) return;
  const bool helps = other.claim();
  const bool begun = send(std::make_unique<Errand>(Errand{std::move(given), helps, own_cores()}));
  if (helps && !begun) other.give_up();
}

void look_out_for(const std::atomic<bool>& flag) {
  if (flag) return;
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (!flag && std::chrono::steady_clock::now() < until) std::this_thread::yield();
}

}  // namespace jouletree
