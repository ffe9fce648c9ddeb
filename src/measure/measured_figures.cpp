#include "measure/measured_figures.hpp"

#include "base/above_idle.hpp"

namespace jouletree::measure {
namespace {

std::optional<double> scaled(const std::optional<Joules>& energy, double factor) {
  return energy ? std::optional(energy->value() * factor) : std::nullopt;
}

/// Of the energy of all runs to that of one run.
std::optional<double> share_of_a_run(const Measured& measured) {
  const auto joules = measured.joules();
  if (!joules) return std::nullopt;
  return *joules / measured.energy->gross->value.value();
}

Figure per_run(const Measured& measured, const std::optional<EnergyRange>& energy) {
  const auto factor = share_of_a_run(measured);
  if (!factor || !energy) return {};
  return {energy->value.value() * *factor, scaled(energy->low, *factor),
          scaled(energy->high, *factor)};
}

/// May be negative.
Figure energy_above_baseline(const Measured& measured) {
  return measured.energy ? per_run(measured, measured.energy->above_idle) : Figure{};
}

}  // namespace

Figure time_of(const Measured& measured) {
  if (!measured.good()) return {};
  const Summary& time = measured.trials.time;
  Figure figure{measured.seconds(), {}, {}};
  // One window alone says nothing about its spread.
  if (time.n < 2) return figure;
  figure.low = time.median_low;
  figure.high = time.median_high;
  return figure;
}

Figure energy_of(const Measured& measured) {
  return measured.energy ? per_run(measured, measured.energy->gross) : Figure{};
}

Figure energy_above_idle_of(const Measured& measured) {
  const Figure above = energy_above_baseline(measured);
  const bool told = above.value && is_told_from_idle(*above.value, above.low, measured.joules());
  return told ? above : Figure{};
}

bool is_energy_above_idle_lost(const Measured& measured) {
  return energy_above_baseline(measured).value && !energy_above_idle_of(measured).value;
}

std::optional<Provenance> energy_provenance_of(const Measured& measured) {
  if (!measured.joules()) return std::nullopt;
  return measured.energy->provenance;
}

}  // namespace jouletree::measure
