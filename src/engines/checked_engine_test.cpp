#include "engines/checked_engine.hpp"

#include <gtest/gtest.h>

namespace jouletree::engines {
namespace {

/// Takes a second for everything.
class SlowEngine final : public Engine {
 public:
  [[nodiscard]] std::string name() const override { return "Slow 1.0"; }
  [[nodiscard]] std::map<std::string, std::string> settings() const override { return {}; }
  [[nodiscard]] LoadedModel load(const ModelToLoad& /*model*/) override { return {}; }
  [[nodiscard]] WatchedRuns watch(int /*runs*/) override { return {}; }
  Duration prepare_whole(Duration /*warm_up*/) override { return Duration(1); }
  Duration prepare_part(const PartNodes& /*nodes*/, const Copies& /*copies*/,
                        Duration /*warm_up*/) override {
    return Duration(1);
  }
  [[nodiscard]] std::string caller() const override { return "somebody"; }
  Duration prepare_program(Duration /*warm_up*/) override { return Duration(1); }
  [[nodiscard]] EngineWindow run(Slot /*slot*/, std::int64_t /*runs*/) override { return {}; }
  [[nodiscard]] std::vector<Duration> run_each(Slot /*slot*/, std::int64_t runs) override {
    return std::vector<Duration>(static_cast<std::size_t>(runs), Duration(1));
  }
};

TEST(CheckedEngine, ChecksBeforeEveryRequest) {
  int checks = 0;
  const auto engine = checked_engine(std::make_unique<SlowEngine>(), [&] { ++checks; });
  (void)engine->load({});
  (void)engine->watch(1);
  engine->prepare_whole(Duration(0));
  engine->prepare_part({}, {}, Duration(0));
  engine->prepare_program(Duration(0));
  (void)engine->run(Slot::Whole, 1);
  EXPECT_EQ(engine->run_each(Slot::Whole, 3).size(), 3U);
  EXPECT_EQ(checks, 7);
  EXPECT_EQ(engine->name(), "Slow 1.0");
  EXPECT_EQ(engine->caller(), "somebody");
}

TEST(CheckedEngine, EndsWithWhatTheCheckThrows) {
  struct Stop {};
  const auto engine = checked_engine(std::make_unique<SlowEngine>(), [] { throw Stop{}; });
  EXPECT_THROW((void)engine->run(Slot::Whole, 1), Stop);
}

}  // namespace
}  // namespace jouletree::engines
