#pragma once

#include <string>
#include <vector>

#include "campaign/item.hpp"
#include "campaign/plan.hpp"

namespace jouletree::campaign {

/// What a plan asks for, item by item.
struct Expansion {
  std::vector<Item> items;         ///< Each once, in the order of the plan.
  std::vector<std::string> notes;  ///< Which combinations there are not, and why; a sentence each.
};

/// Multiplies all lists of a plan. Dimensions that a model does not have are no reason to measure
/// it twice. Throws Error(BadInput) naming file, line and key where a model cannot be read, or no
/// model has a dimension or an input.
[[nodiscard]] Expansion expand(const Plan& plan);

}  // namespace jouletree::campaign
