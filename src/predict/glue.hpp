#pragma once

#include <array>

#include "predict/cost_terms.hpp"

namespace jouletree::predict {

/// A module is its children and the work between them that no child stands for: activation
/// functions, masks, transposes, residual additions.
enum GlueTerm : std::size_t {
  kOperatorChildren,
  kModuleChildren,
  kModelChildren,  ///< Modules right below the root.
  kLaunch,
  kExtraBytes,
  kAttentionProducts,
  kAttentionScores,
  kAttention,
  kAttentionTokens,
  kOperatorCount,
  kGlueTerms,
};
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
