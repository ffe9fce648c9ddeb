#pragma once

#include <cstdint>
#include <vector>

#include "measure/cache_copies.hpp"
#include "measure/engine_graph.hpp"
#include "measure/reuse_distance.hpp"

namespace jouletree {

/// Nodes of the engine's graph that are measured as one: a single one for an operator, or those of
/// a module.
using PartNodes = std::vector<std::size_t>;

/// What operators and modules use of the memory, and how far away they find it when the whole model
/// runs.
class PartMemory {
 public:
  /// The graph must know its values, and outlive the object.
  explicit PartMemory(const EngineGraph& graph);

  /// Of a part that stands at several equal places: sizes are those of the first, distances the
  /// median. Time and caches are left to the caller. What is made and read inside is neither input
  /// nor output.
  [[nodiscard]] CopyNeeds needs_of(const std::vector<PartNodes>& places) const;

 private:
  struct Place {
    std::vector<Step::Tensor> inputs;
    std::int64_t output_bytes = 0;
    Reuse reuse;  ///< Its reads are those of `inputs`.
  };

  [[nodiscard]] Place place_of(const PartNodes& nodes) const;
  [[nodiscard]] bool is_view(std::size_t node) const;
  [[nodiscard]] std::int64_t weight_bytes(const PartNodes& nodes) const;
  /// That one call moves through the caches, beside its inputs.
  [[nodiscard]] std::int64_t own_bytes(const PartNodes& nodes) const;

  const EngineGraph& graph_;
  std::vector<Step> steps_;
  std::vector<Reuse> reuse_;
};

}  // namespace jouletree
