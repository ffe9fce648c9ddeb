#pragma once

#include <array>
#include <span>
#include <string_view>

#include "predict/kernel.hpp"
#include "predict/operator_load.hpp"

namespace jouletree::predict {

/// The terms of a class, for engines whose kernels are not known; a product's last one is the wave
/// term.
[[nodiscard]] std::span<const CostTerm> terms_of(WorkClass work_class);

/// How a device cuts a product into tiles and runs so many of them at a time: a product takes as
/// long as its last, partly filled wave.
struct Wave {
  double tile_rows = 0;
  double tile_columns = 0;
  double slots = 1;
  friend bool operator==(const Wave&, const Wave&) = default;
};
[[nodiscard]] std::span<const Wave> candidate_waves();
/// MFLOP that the waves of a product have room for.
[[nodiscard]] double wave_mflops(const OperatorLoad& work, const Wave& wave);

/// Values of all terms but the wave.
[[nodiscard]] TermValues term_values(const OperatorLoad& work);

}  // namespace jouletree::predict
