#pragma once

#include <array>
#include <vector>

#include "predict/glue.hpp"

namespace jouletree::predict {

// A profile's tree holds every operator that runs, so that its modules are nothing but their
// operators, with what a call and cold memory cost inside a running model. Trees like those of
// IrEne leave operators out; see glue.hpp for them.
inline constexpr std::size_t kWholeTerms = 3;
using WholeValues = std::array<double, kWholeTerms>;
inline constexpr std::size_t kWholeOperators = 0;
inline constexpr std::size_t kWholeCalls = 1;
inline constexpr std::size_t kWholeBytes = 2;

[[nodiscard]] const std::array<GlueDescription, kWholeTerms>& whole_terms();

/// No inner node moves more bytes than its children do together.
[[nodiscard]] bool is_complete(const TreeRun& run);
/// The terms of each node from `costs` of the operators; NaN in one of them makes the sums NaN.
[[nodiscard]] std::vector<WholeValues> whole_values(const TreeRun& run,
                                                    const std::vector<double>& costs);

}  // namespace jouletree::predict
