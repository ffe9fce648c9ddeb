#pragma once

#include "jouletree/inference.hpp"

namespace jouletree::model {

/// Infers the graph with sizes for its open dimensions that fit it, as infer() promises. Where the
/// first choice does not fit, others are tried, a bounded number of times: numbers that the node
/// that fails speaks of, then usual sizes.
[[nodiscard]] Inference infer_with_found_sizes(const Graph& graph, const InputSettings& settings);

}  // namespace jouletree::model
