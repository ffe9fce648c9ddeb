#pragma once

#include <string>
#include <vector>

#include "jouletree/inference.hpp"
#include "model/operators/call.hpp"

namespace jouletree {

struct InputStates {
  std::vector<ValueState> states;  ///< One per input of the main block; constants are left empty.
  std::vector<std::string> notes;
  std::string defaults;  ///< The note that says which dimensions were not set; empty if all were.
  /// All sizes that the file states were kept, so the other shapes it states can be believed.
  bool as_declared = true;
};

/// Throws Error(BadInput) for settings that do not fit the inputs of the graph.
[[nodiscard]] InputStates settle_inputs(const Graph& graph, const InputSettings& settings);

}  // namespace jouletree
