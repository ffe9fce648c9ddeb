#pragma once

#include <array>

#include "predict/cost_terms.hpp"

namespace jouletree::predict {

// Places of the terms: a module is its children and the work between them that no child stands for:
// activation functions, masks, transposes, residual additions.
inline constexpr std::size_t kOperatorChildren = 0;
inline constexpr std::size_t kModuleChildren = 1;
inline constexpr std::size_t kModelChildren = 2;  ///< Modules right below the root.
inline constexpr std::size_t kLaunch = 3;
inline constexpr std::size_t kExtraBytes = 4;
inline constexpr std::size_t kAttentionProducts = 5;
inline constexpr std::size_t kAttentionScores = 6;
inline constexpr std::size_t kAttention = 7;
inline constexpr std::size_t kAttentionTokens = 8;
inline constexpr std::size_t kOperatorCount = 9;
inline constexpr std::size_t kGlueTerms = 10;
using GlueValues = std::array<double, kGlueTerms>;

struct GlueDescription {
  std::string_view name;
  std::string_view unit;
};
[[nodiscard]] const std::array<GlueDescription, kGlueTerms>& glue_terms();

/// `costs` holds what the parent may take as the cost of each node of the run; NaN in a child makes
/// the sums NaN.
[[nodiscard]] GlueValues glue_values(const TreeRun& run, const RunNode& node,
                                     const std::vector<double>& costs);

}  // namespace jouletree::predict
