#pragma once

#include "model/operators/call.hpp"

namespace jouletree::model {

/// How many elements the list or tensor in an attribute has; 0 where there is none.
[[nodiscard]] Count attribute_size(const Node& node, std::string_view name);

/// The learned numbers that an operator of the domain ai.onnx.ml keeps in its attributes and not in
/// tensors: coefficients, support vectors, thresholds and leaf weights of trees. The statistics of
/// scalers and imputers are not among them.
[[nodiscard]] Count attribute_parameters(const Node& node);

}  // namespace jouletree::model
