#pragma once

#include <string_view>

#include "jouletree/tree_run.hpp"
#include "model/operators/operator_facts.hpp"

namespace jouletree::predict {

/// Operators of one type that engines run in kernels of their own, as far as sizes tell: what is
/// put behind the name of their group. Transpositions that tear rows apart move element by element;
/// pooling works on channels in blocks where these are full.
[[nodiscard]] std::string_view movement_variant(const TreeRun& run, const RunNode& node,
                                                const model::OperatorFacts& facts);

inline constexpr std::string_view kTornVariant = "/torn";
inline constexpr std::string_view kBlockedVariant = "/blocked";

}  // namespace jouletree::predict
