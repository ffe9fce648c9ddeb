#pragma once

#include "jouletree/figure.hpp"
#include "measure/profile.hpp"

namespace jouletree::measure {

/// Seconds per run: the median and its 95 % interval.
[[nodiscard]] Figure time_of(const Measured& measured);
/// Joules per run, with the bounds that the meters give.
[[nodiscard]] Figure energy_of(const Measured& measured);
/// The same above idle power; nothing without a baseline, and where it cannot be told from none.
[[nodiscard]] Figure energy_above_idle_of(const Measured& measured);
/// Whether there was a baseline, and nothing can be told all the same.
[[nodiscard]] bool is_energy_above_idle_lost(const Measured& measured);
/// Of the energy; nothing where there is none.
[[nodiscard]] std::optional<Provenance> energy_provenance_of(const Measured& measured);

}  // namespace jouletree::measure
