#include "measure/rounds.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace jouletree::measure {
namespace {

using Duration = std::chrono::duration<double>;

/// Of one part, if there is a budget, and if nobody set an end.
constexpr int kMostSeries = 6;
constexpr int kMostEndlessSeries = 3;
/// Share of the time that the first round leaves for measuring some parts again, and every later
/// one.
constexpr double kLeftByFirst = 0.35;
constexpr double kLeftByOthers = 0.5;
/// The whole model differs by less from one look to the next on a machine that nobody else uses.
constexpr double kUsualSlowdown = 0.05;

bool is_calm(const Trials& trials, const SpeedOfWhole& speed) {
  return trials.precise && !is_slowed(trials, speed);
}

class Rounds {
 public:
  Rounds(const std::string& what, std::span<const PartToMeasure> parts, const RoundRules& rules)
      : what_(what), parts_(parts), rules_(rules) {}

  void first() {
    const Duration kept_back = kLeftByFirst * rules_.time_left();
    double left = 0;
    for (const PartToMeasure& part : parts_) left += part.measured->has_value() ? 0 : part.weight;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const PartToMeasure& part = parts_[i];
      if (part.measured->has_value()) continue;
      rules_.progress(what_, i, parts_.size());
      if (rules_.is_enough() || is_over()) return;
      *part.measured = part.measure(share_of_time(part.weight / left, kept_back));
      rules_.keep(**part.measured);
      rules_.look();
      left -= part.weight;
    }
  }

  void again() {
    const int most = std::isinf(rules_.time_left().count()) ? kMostEndlessSeries : kMostSeries;
    for (int series = 1; series < most; ++series) {
      const std::vector<const PartToMeasure*> disturbed = disturbed_parts();
      const Duration kept_back = kLeftByOthers * rules_.time_left();
      double left = 0;
      for (const PartToMeasure* part : disturbed) left += part->weight;
      for (std::size_t i = 0; i < disturbed.size(); ++i) {
        if (is_over()) return;
        rules_.progress("disturbed " + what_, i, disturbed.size());
        repeat(*disturbed[i], share_of_time(disturbed[i]->weight / left, kept_back));
        left -= disturbed[i]->weight;
      }
    }
  }

  [[nodiscard]] bool is_done() const {
    return rules_.is_enough() || is_over() ||
           std::all_of(parts_.begin(), parts_.end(),
                       [](const PartToMeasure& part) { return part.measured->has_value(); });
  }

 private:
  [[nodiscard]] std::vector<const PartToMeasure*> disturbed_parts() const {
    const SpeedOfWhole speed = rules_.speed();
    std::vector<const PartToMeasure*> disturbed;
    for (const PartToMeasure& part : parts_) {
      const std::optional<Measured>& measured = *part.measured;
      if (measured && measured->good() && !is_calm(measured->trials, speed))
        disturbed.push_back(&part);
    }
    return disturbed;
  }

  [[nodiscard]] bool is_over() const { return rules_.time_left() <= Duration(0); }

  [[nodiscard]] Duration share_of_time(double share, Duration kept_back) const {
    const Duration left = rules_.time_left();
    if (std::isinf(left.count())) return left;
    return std::max(share * (left - kept_back), Duration(0));
  }

  void repeat(const PartToMeasure& part, Duration time) {
    Measured& kept = **part.measured;
    Measured other = part.measure(time);
    // What was measured before is still true.
    if (!other.good()) return rules_.miss(other.failure);
    rules_.look();
    const auto better = [speed = rules_.speed()](const Measured& a, const Measured& b) {
      return disturbance_of(a.trials, speed) < disturbance_of(b.trials, speed);
    };
    const bool replaces = better(other, kept);
    if (replaces) {
      other.set_aside = std::move(kept.set_aside);
      std::swap(kept, other);
    }
    kept.set_aside.push_back(std::move(other.trials));
    if (replaces) rules_.keep(kept);
  }

  const std::string& what_;
  std::span<const PartToMeasure> parts_;
  const RoundRules& rules_;
};

}  // namespace

bool is_slowed(const Trials& trials, const SpeedOfWhole& speed) {
  return speed.relative_time_around(trials.begin, trials.end) >= 1 + kUsualSlowdown;
}

double disturbance_of(const Trials& trials, const SpeedOfWhole& speed) {
  return std::max(std::min(trials.time.uncertainty(), 1.0),
                  speed.relative_time_around(trials.begin, trials.end) - 1);
}

void measure_in_rounds(const std::string& what, std::span<const PartToMeasure> parts,
                       const RoundRules& rules) {
  Rounds rounds(what, parts, rules);
  do {
    rounds.first();
    rounds.again();
  } while (!rounds.is_done());
}

}  // namespace jouletree::measure
