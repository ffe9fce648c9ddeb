#pragma once

#include <cstdint>
#include <vector>

#include "jouletree/inference.hpp"

namespace jouletree {

struct PeakMemory {
  std::int64_t bytes = 0;
  bool complete = true;  ///< False where the size of a value depends on data: then a lower bound.
};

/// The most bytes that are alive at once when the nodes run in the order of the graph. A value
/// lives from the node that writes it (inputs: from the start) to the last one that reads it
/// (outputs: to the end). Reshapes and the like share the memory of their input; weights are not
/// part of it.
[[nodiscard]] PeakMemory peak_activation_memory(const Graph& graph, const Inference& inference);

/// What is alive along the run: step i is node i of the main graph.
struct MemoryTimeline {
  std::vector<std::int64_t> bytes;  ///< By step, with what loops and branches need inside.
  std::size_t peak_step = 0;        ///< The first with the most bytes.
  std::vector<ValueId> at_peak;     ///< Alive then, the largest first; no views, no weights.
  bool complete = true;             ///< As of PeakMemory.
};
[[nodiscard]] MemoryTimeline memory_timeline(const Graph& graph, const Inference& inference);

}  // namespace jouletree
