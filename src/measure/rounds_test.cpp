#include "measure/rounds.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace jouletree::measure {
namespace {

using Duration = std::chrono::duration<double>;

struct Span {
  double from = 0;
  double to = 0;
};

/// A machine on a clock of its own, which others use for a while.
class Machine {
 public:
  explicit Machine(Span disturbed = {}) : disturbed_(disturbed) {}

  [[nodiscard]] bool is_disturbed() const {
    const double now = Duration(now_.time_since_epoch()).count();
    return now >= disturbed_.from && now < disturbed_.to;
  }

  /// Twenty windows that take 1 ms per run, and longer if others use the machine.
  Measured measure(Duration time) {
    constexpr int kWindows = 20;
    Measured measured;
    Trials& trials = measured.trials;
    trials.begin = now_;
    for (int i = 0; i < kWindows; ++i) {
      trials.seconds.push_back(is_disturbed() ? disturbed_s_ * (i % 2 == 0 ? 1 : uneven_) : 1e-3);
      now_ += std::chrono::duration_cast<Time::duration>(time / kWindows);
    }
    trials.end = now_;
    trials.runs = kWindows;
    trials.time = summarize(trials.seconds);
    trials.precise = is_precise({}, trials.time);
    times_.push_back(time.count());
    return measured;
  }

  void look() {
    whole_.windows.push_back({now_, now_});
    whole_.seconds.push_back(is_disturbed() ? 1.5 : 1);
    whole_.time = summarize(whole_.seconds);
    now_ += std::chrono::milliseconds(1);
  }

  [[nodiscard]] SpeedOfWhole speed() const { return SpeedOfWhole(whole_); }
  [[nodiscard]] Duration since_begin() const { return now_.time_since_epoch(); }
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  void disturb_evenly() { disturb(1); }
  /// Every second window takes so many times as long as the others.
  void disturb(double uneven) { uneven_ = uneven; }

 private:
  Span disturbed_;
  double disturbed_s_ = 1.3e-3;
  double uneven_ = 1.5;
  Time now_{};
  Trials whole_;
  std::vector<double> times_;
};

class RoundsTest : public ::testing::Test {
 protected:
  void run(Machine& machine, std::size_t parts, Duration budget) {
    for (int i = 0; i < 3; ++i) machine.look();
    results_.resize(parts);
    std::vector<PartToMeasure> all;
    for (auto& result : results_) {
      all.push_back({1, &result, [&](Duration time) {
                       return measure_ ? measure_(time) : machine.measure(std::min(time, kMost));
                     }});
    }
    measure_in_rounds("parts", all,
                      {[&] { return budget - machine.since_begin(); },
                       [&] { return enough_ > 0 && measured_parts() >= enough_; },
                       [&] { machine.look(); }, [&] { return machine.speed(); }, [](Measured&) {},
                       [&](const std::string& failure) { missed_.push_back(failure); },
                       [](const std::string&, std::size_t, std::size_t) {}});
  }

  [[nodiscard]] std::size_t measured_parts() const {
    std::size_t count = 0;
    for (const auto& result : results_) count += result.has_value() ? 1 : 0;
    return count;
  }

  static constexpr Duration kMost{1};
  std::vector<std::optional<Measured>> results_;
  std::function<Measured(Duration)> measure_;
  std::size_t enough_ = 0;
  std::vector<std::string> missed_;
};

TEST_F(RoundsTest, APartThatNobodyDisturbedIsMeasuredOnce) {
  Machine machine;
  run(machine, 4, Duration(100));
  EXPECT_EQ(machine.times().size(), 4U);
  for (const auto& result : results_) {
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->set_aside.empty());
  }
}

TEST_F(RoundsTest, APartThatOthersDisturbedIsMeasuredAgainAndTheCalmSeriesCounts) {
  Machine machine(Span{1, 3});
  run(machine, 5, Duration(100));
  EXPECT_EQ(machine.times().size(), 7U);
  EXPECT_EQ(results_[1]->set_aside.size(), 1U);
  EXPECT_EQ(results_[2]->set_aside.size(), 1U);
  for (const auto& result : results_) EXPECT_DOUBLE_EQ(result->seconds(), 1e-3);
  EXPECT_GT(results_[1]->set_aside[0].time.median, 1.2e-3);
}

TEST_F(RoundsTest, TheWholeModelTellsOfADisturbanceThatASeriesDoesNotShow) {
  Machine machine(Span{1, 4});
  machine.disturb_evenly();
  run(machine, 6, Duration(100));
  EXPECT_EQ(results_[2]->set_aside.size(), 1U);
  EXPECT_DOUBLE_EQ(results_[2]->seconds(), 1e-3);
}

TEST_F(RoundsTest, ADisturbanceThatDoesNotEndIsGivenUp) {
  Machine machine(Span{0, 1000});
  run(machine, 2, Duration(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(machine.times().size(), 6U);
  EXPECT_FALSE(results_[0]->trials.precise);
}

TEST_F(RoundsTest, TheLeastDisturbedSeriesCountsAndAllOthersAreKept) {
  const auto unevenness = [](const Trials& trials) {
    return trials.seconds[1] / trials.seconds[0];
  };
  const std::vector<std::vector<double>> orders = {
      {1.4, 1.8, 1.2}, {1.2, 1.4, 1.8}, {1.8, 1.4, 1.2}, {1.4, 1.2, 1.8}};
  for (const std::vector<double>& order : orders) {
    Machine machine(Span{0, 1000});
    std::size_t calls = 0;
    measure_ = [&](Duration) {
      machine.disturb(order.at(calls++));
      return machine.measure(kMost);
    };
    results_.clear();
    run(machine, 1, Duration(std::numeric_limits<double>::infinity()));
    EXPECT_DOUBLE_EQ(unevenness(results_[0]->trials), 1.2) << order[0] << ", " << order[1];
    std::vector<double> aside;
    for (const Trials& trials : results_[0]->set_aside) aside.push_back(unevenness(trials));
    std::sort(aside.begin(), aside.end());
    ASSERT_EQ(aside.size(), 2U) << order[0] << ", " << order[1];
    EXPECT_DOUBLE_EQ(aside[0], 1.4);
    EXPECT_DOUBLE_EQ(aside[1], 1.8);
  }
}

TEST_F(RoundsTest, AThirdOfTheTimeIsKeptForMeasuringAgain) {
  Machine machine(Span{0, 1000});
  run(machine, 4, Duration(4));
  EXPECT_NEAR(machine.times().at(0), 0.65, 0.01);
  EXPECT_NEAR(machine.times().at(3), 0.65, 0.01);
  EXPECT_LT(machine.since_begin().count(), 5);
  EXPECT_GT(machine.times().size(), 8U);
}

TEST_F(RoundsTest, PartsThatAreNotAskedForAreLeftOut) {
  Machine machine;
  enough_ = 2;
  run(machine, 4, Duration(100));
  EXPECT_EQ(measured_parts(), 2U);
}

TEST_F(RoundsTest, AFailureIsNotTriedAgainAndDoesNotReplaceASeries) {
  Machine machine(Span{0, 1});
  int calls = 0;
  measure_ = [&](Duration time) {
    if (++calls == 1) return machine.measure(std::min(time, kMost));
    Measured failed;
    failed.failure = "the worker was killed";
    return failed;
  };
  run(machine, 1, Duration(10));
  EXPECT_GT(calls, 1);
  EXPECT_TRUE(results_[0]->good());
  EXPECT_EQ(missed_[0], "the worker was killed");
}

}  // namespace
}  // namespace jouletree::measure
