#pragma once

#include "predict/fusion/rules.hpp"
#include "predict/fusion/transposed_values.hpp"

namespace jouletree::predict {

/// A Transpose in front of a node that could stand behind it.
struct TransposePush {
  GraphEdit& edit;
  Node& transpose;
  Node& node;
  Permutation order;
  Permutation inverse;
  std::vector<std::size_t> inputs;  ///< Of the node, those that may be transposed.
  Assigned assigned;
};

/// How a Transpose goes past an operator.
struct TransposeHandler {
  std::vector<std::size_t> (*inputs)(const GraphEdit& edit, const Node& node);
  /// False, with nothing done, where it cannot.
  bool (*push)(TransposePush& push);
  bool transposes_outputs = true;
};

/// Null for operators that none goes past.
[[nodiscard]] const TransposeHandler* transpose_handler(const Node& node);

}  // namespace jouletree::predict
