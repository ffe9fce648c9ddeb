#include "measure/ledger.hpp"

#include <algorithm>

#include "base/figure_sum.hpp"
#include "base/shares.hpp"
#include "measure/measured_figures.hpp"
#include "measure/runs_of.hpp"
#include "measure/speed_adjustment.hpp"

namespace jouletree::measure {
namespace {

struct TimeAndEnergy {
  FigureSum seconds;
  FigureSum joules;

  void add(const Measured& measured, double times) {
    seconds.add(time_of(measured), times);
    joules.add(energy_of(measured), times);
  }

  /// What has been added may be so many times as large, from `low` to `high`.
  void doubt(const Figure& seconds_of, const Figure& joules_of, double low, double high) {
    const auto spread = [&](const std::optional<double>& value) {
      return Figure{0, value.value_or(0) * (low - 1), value.value_or(0) * (high - 1)};
    };
    seconds.add(spread(seconds_of.value), 1);
    joules.add(spread(joules_of.value), 1);
  }
};

/// Of operators that were measured for this profile, each divided by its factor.
TimeAndEnergy adjusted_sum(const std::vector<std::pair<const Measured*, double>>& parts,
                           const SpeedAdjustment& speed) {
  TimeAndEnergy adjusted;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& [measured, runs] = parts[i];
    const SpeedAdjustment::Factor& factor = speed.factors()[i];
    TimeAndEnergy one;
    one.add(*measured, runs / factor.value);
    adjusted.add(*measured, runs / factor.value);
    adjusted.doubt(one.seconds.total(), one.joules.total(), factor.value / factor.high,
                   factor.value / factor.low);
  }
  if (!parts.empty()) {
    adjusted.doubt(adjusted.seconds.total(), adjusted.joules.total(), 1 / speed.common_high(),
                   1 / speed.common_low());
  }
  return adjusted;
}

/// What operators measured alone add up to, as measured and speed-adjusted.
void add_sums(const Profile& profile, Ledger& ledger) {
  std::vector<SeriesSpan> spans;
  std::vector<std::pair<const Measured*, double>> parts;
  std::vector<std::pair<const Measured*, double>> reused;
  TimeAndEnergy raw;
  for (const UniqueOperator& unique : profile.operators) {
    if (!unique.is_measured_alone()) continue;
    const double runs = runs_of(profile.tree, unique);
    raw.add(*unique.measured, runs);
    if (unique.is_reused()) {
      reused.emplace_back(&*unique.measured, runs);
      ledger.reused_s += runs * unique.measured->seconds();
      continue;
    }
    const Trials& trials = unique.measured->trials;
    parts.emplace_back(&*unique.measured, runs);
    spans.push_back({trials.begin, trials.end, runs * unique.measured->seconds()});
  }
  const SpeedAdjustment speed(profile.whole.trials, spans);
  TimeAndEnergy adjusted = adjusted_sum(parts, speed);
  // No window of this whole was beside them.
  for (const auto& [measured, runs] : reused) adjusted.add(*measured, runs);
  ledger.raw_s = raw.seconds.total();
  ledger.raw_j = raw.joules.total();
  ledger.adjusted_s = adjusted.seconds.total();
  ledger.adjusted_j = adjusted.joules.total();
  ledger.speed_scatter = speed.scatter();
  ledger.reused_kinds = reused.size();
}

/// An operator that is not in the sums.
void count_missing(const UniqueOperator& unique, std::size_t runs, Ledger& ledger) {
  if (unique.measured) {
    ledger.failed += runs;
  } else {
    (unique.out_of_time ? ledger.out_of_time : ledger.left_out) += runs;
  }
  if (!unique.is_in_place_only()) return;
  ledger.in_place += runs;
  ledger.in_place_s += *unique.in_place_s * static_cast<double>(runs);
}

/// Whole and program ran in turns, so that the machine was alike for both. By chance the whole may
/// seem to take less.
Figure caller_time(const Caller& caller, double whole_s) {
  if (!is_told_apart(caller)) return {};
  const Summary share = summarize(caller.shares);
  Figure figure{std::max(share.median, 0.0) * whole_s, {}, {}};
  if (caller.shares.size() > 1) {
    figure.low = std::max(share.median_low, 0.0) * whole_s;
    figure.high = share.median_high * whole_s;
  }
  return figure;
}

void add_caller(const Profile& profile, Ledger& ledger) {
  if (!profile.caller || profile.caller->shares.empty()) return;
  const Measured& program = profile.caller->program;
  const double whole_s = profile.whole.seconds();
  ledger.caller_s = caller_time(*profile.caller, whole_s);
  const auto whole_j = profile.whole.joules();
  const auto program_j = program.joules();
  // The power of the program, for as long as it took in turns with the whole.
  if (ledger.caller_s.value && whole_j && program_j && program.seconds() > 0) {
    const double program_s = whole_s - *ledger.caller_s.value;
    const double rest_j = *whole_j - *program_j / program.seconds() * program_s;
    // What takes no time takes no energy: the rest is noise then.
    ledger.caller_j.value = *ledger.caller_s.value > 0 ? std::max(rest_j, 0.0) : 0.0;
  }
}

/// Nothing where no operator is known.
std::optional<double> with_caller(const Figure& operators, const Figure& caller) {
  if (!operators.value) return std::nullopt;
  return *operators.value + caller.value.value_or(0);
}

}  // namespace

bool is_told_apart(const Caller& caller) {
  if (caller.shares.empty()) return false;
  const Summary share = summarize(caller.shares);
  return (caller.shares.size() > 1 ? share.median_high : share.median) >= 0;
}

Ledger ledger_of(const Profile& profile) {
  Ledger ledger;
  for (const UniqueOperator& unique : profile.operators) {
    if (!unique.is_measured_alone())
      count_missing(unique, static_cast<std::size_t>(runs_of(profile.tree, unique)), ledger);
  }
  add_sums(profile, ledger);
  add_caller(profile, ledger);
  ledger.attribution_time =
      share(with_caller(ledger.adjusted_s, ledger.caller_s), profile.whole.seconds());
  ledger.attribution_energy =
      share(with_caller(ledger.adjusted_j, ledger.caller_j), profile.whole.joules());
  return ledger;
}

}  // namespace jouletree::measure
