#include "jouletree/session.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "meters/sensor_meters.hpp"

namespace jouletree::meters {
namespace {

using std::chrono::milliseconds;

/// Counts 100 W by the machine's clock, so every window's truth is known.
std::unique_ptr<Meter> steady_meter(const std::string& name = "steady") {
  MeterInfo info;
  info.name = name;
  info.device = name;
  info.level = Level::Package;
  info.update_period = milliseconds(1);
  const Time begin = machine_clock().now();
  const auto sense = [begin]() -> SensedCount {
    const auto time = machine_clock().now() - begin;
    return {static_cast<std::uint64_t>(time.count() / 10)};  // 100 W in µJ
  };
  return counter_meter(info, {1e-6, 0, Watts{1000}}, sense, machine_clock());
}

std::vector<std::unique_ptr<Meter>> one_meter() {
  std::vector<std::unique_ptr<Meter>> meters;
  meters.push_back(steady_meter());
  return meters;
}

void expect_hundred_watts(const WindowResult& result) {
  const double true_j = 100 * Seconds(result.duration()).count();
  const EnergyRange& gross = *result.domains.at(0).gross;
  EXPECT_LE(gross.low->value(), true_j + 1e-5);
  EXPECT_GE(gross.high->value(), true_j - 1e-5);
}

TEST(SessionTest, MeasuresAWindowOnItsOwnThread) {
  Session session(one_meter());
  const WindowId window = session.begin("sleep");
  std::this_thread::sleep_for(milliseconds(30));
  const WindowResult result = session.finish(window);
  EXPECT_EQ(result.name, "sleep");
  EXPECT_GE(result.duration(), milliseconds(30));
  expect_hundred_watts(result);
  EXPECT_TRUE(result.gaps.empty());
}

/// Has news once an hour, so that nobody who waits for it comes back.
class HourlyMeter final : public Meter {
 public:
  HourlyMeter(const std::string& name, Level level, MeterKind kind) {
    info_.name = name;
    info_.device = name;
    info_.level = level;
    info_.kind = kind;
    info_.provenance = kind == MeterKind::Model ? Provenance::Estimated : Provenance::Measured;
    info_.update_period = std::chrono::hours(1);
  }
  [[nodiscard]] const MeterInfo& info() const override { return info_; }
  [[nodiscard]] Reading read() override {
    Reading reading;
    reading.at = machine_clock().now();
    reading.total = Joules::from(10 * Seconds(reading.at - begin_).count());
    reader_ = std::this_thread::get_id();
    return reading;
  }
  void forget(GapReason) override {}
  [[nodiscard]] std::thread::id last_reader() const { return reader_; }

 private:
  MeterInfo info_;
  Time begin_ = machine_clock().now();
  std::atomic<std::thread::id> reader_;
};

TEST(SessionTest, DoesNotWaitForAnEstimate) {
  std::vector<std::unique_ptr<Meter>> meters;
  meters.push_back(std::make_unique<HourlyMeter>("model", Level::Package, MeterKind::Model));
  Session session(std::move(meters));
  const WindowId window = session.begin("short");
  std::this_thread::sleep_for(milliseconds(5));
  const WindowResult result = session.finish(window);
  EXPECT_TRUE(result.gaps.empty());
  const double true_j = 10 * Seconds(result.duration()).count();
  EXPECT_NEAR(result.total.gross->value.value(), true_j, 0.01 * true_j);
  const WindowResult again = session.between(result.begin, result.end);
  EXPECT_NEAR(again.total.gross->value.value(), true_j, 0.01 * true_j);
}

TEST(SessionTest, WakesNobodyUpToReadAnEstimate) {
  auto meter = std::make_unique<HourlyMeter>("model", Level::Package, MeterKind::Model);
  const HourlyMeter& seen = *meter;
  std::vector<std::unique_ptr<Meter>> meters;
  meters.push_back(std::move(meter));
  Session session(std::move(meters));
  std::thread([&] {
    const WindowId window = session.begin("short");
    EXPECT_EQ(seen.last_reader(), std::this_thread::get_id());
    (void)session.finish(window);
  }).join();
  const WindowId window = session.begin("short");
  EXPECT_EQ(seen.last_reader(), std::this_thread::get_id());
  (void)session.finish(window);
}

TEST(SessionTest, ManyThreadsReadAnEstimateAtOnce) {
  std::vector<std::unique_ptr<Meter>> meters;
  meters.push_back(std::make_unique<HourlyMeter>("model", Level::Package, MeterKind::Model));
  Session session(std::move(meters), {.interval = milliseconds(1)});
  std::vector<std::thread> threads;
  std::vector<WindowResult> results(4);
  for (WindowResult& result : results) {
    threads.emplace_back([&session, &result] {
      for (int i = 0; i < 200; ++i) result = session.finish(session.begin("one of many"));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const WindowResult& result : results) {
    EXPECT_TRUE(result.gaps.empty());
    EXPECT_NEAR(result.total.gross->value.value(), 10 * Seconds(result.duration()).count(), 1e-5);
  }
}

TEST(SessionTest, DoesNotWaitForAMeterThatIsNotInTheTotal) {
  std::vector<std::unique_ptr<Meter>> meters = one_meter();
  meters.push_back(std::make_unique<HourlyMeter>("battery", Level::Battery, MeterKind::Power));
  Session session(std::move(meters));
  const WindowId window = session.begin("short");
  std::this_thread::sleep_for(milliseconds(5));
  const WindowResult result = session.finish(window);
  expect_hundred_watts(result);
  // It was read at the edges, so that what it tells is complete all the same.
  EXPECT_TRUE(result.gaps.empty());
  ASSERT_TRUE(result.domains.at(1).gross);
  EXPECT_GT(result.domains[1].gross->value.value(), 0);
}

TEST(SessionTest, ServesManyThreadsAtOnce) {
  Session session(one_meter(), {.interval = milliseconds(1)});
  std::vector<std::thread> threads;
  std::vector<WindowResult> results(4);
  for (WindowResult& result : results) {
    threads.emplace_back([&session, &result] {
      for (int i = 0; i < 10; ++i) {
        const WindowId outer = session.begin("outer");
        const WindowId inner = session.begin("inner");
        std::this_thread::sleep_for(milliseconds(1));
        result = session.finish(inner);
        EXPECT_EQ(result.parent, outer);
        (void)session.finish(outer);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const WindowResult& result : results) expect_hundred_watts(result);
}

TEST(SessionTest, TellsAboutASpanThatWasTimedElsewhere) {
  Session session(one_meter());
  const Time begin = machine_clock().now();
  std::this_thread::sleep_for(milliseconds(20));
  const WindowResult result = session.between(begin, begin + milliseconds(15));
  EXPECT_EQ(result.duration(), milliseconds(15));
  expect_hundred_watts(result);
  EXPECT_THROW((void)session.between(begin, begin - milliseconds(1)), Error);
}

TEST(SessionTest, SubtractsItsBaseline) {
  Session session(one_meter());
  const Baseline baseline = session.measure_baseline(milliseconds(30));
  ASSERT_EQ(baseline.domains.size(), 1U);
  EXPECT_LE(baseline.domains[0].low->value, 100.01);
  EXPECT_GE(baseline.domains[0].high->value, 99.99);
  const WindowId window = session.begin("w");
  std::this_thread::sleep_for(milliseconds(30));
  const WindowResult result = session.finish(window);
  EXPECT_LE(*result.total.above_idle->low, Joules{1});
  EXPECT_GE(*result.total.above_idle->high, Joules{-1});
}

TEST(SessionTest, KeepsRunningTotalsAndItsOwnCost) {
  Session session(one_meter());
  std::this_thread::sleep_for(milliseconds(30));
  const std::vector<RunningTotal> totals = session.totals();
  ASSERT_EQ(totals.size(), 1U);
  EXPECT_GT(totals[0].total, Joules{0});
  EXPECT_FALSE(totals[0].lost);
  const SamplerCost cost = session.cost();
  EXPECT_GE(cost.ticks, 1U);
  EXPECT_GE(cost.elapsed, milliseconds(30));
}

TEST(SessionTest, RefusesWhatItCannotDo) {
  EXPECT_THROW(Session(one_meter(), {.interval = std::chrono::microseconds(100)}), Error);
  try {
    const Session session{{}};
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Missing);
  }
}

TEST(SessionTest, MayBeClosedWithWindowsOpen) {
  Session session(one_meter());
  (void)session.begin("never ended");
}

}  // namespace
}  // namespace jouletree::meters
