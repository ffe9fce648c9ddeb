#pragma once

#include "jouletree/graph.hpp"
#include "runtime/torchscript_run.hpp"

namespace jouletree::model::torchscript {

/// The calls of a run as a graph, each call as the operator of the table that it belongs to. A call
/// that has no row of its own is replaced by the calls that it made itself.
[[nodiscard]] Graph graph_of(const runtime::RecordedRun& run);

}  // namespace jouletree::model::torchscript
