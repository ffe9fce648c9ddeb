#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "engines/engine.hpp"
#include "measure/cache_copies.hpp"
#include "measure/reuse_distance.hpp"

namespace jouletree::measure {

/// What operators and modules use of the memory, and how far away they find it when the whole model
/// runs.
class PartMemory {
 public:
  /// The model must outlive the object.
  explicit PartMemory(const engines::LoadedModel& model);

  /// Of a part that stands at several equal places: sizes are those of the first, distances the
  /// median. Time and caches are left to the caller. What is made and read inside is neither input
  /// nor output.
  [[nodiscard]] CopyNeeds needs_of(const std::vector<engines::PartNodes>& places) const;

 private:
  struct Place {
    std::vector<Step::Tensor> inputs;
    std::int64_t output_bytes = 0;
    Reuse reuse;  ///< Its reads are those of `inputs`.
  };

  [[nodiscard]] Place place_of(const engines::PartNodes& nodes) const;
  /// Of what the nodes make, what others read or the model returns, or nobody reads.
  [[nodiscard]] std::vector<Step::Tensor> outputs_of(const std::set<std::size_t>& nodes) const;
  [[nodiscard]] std::int64_t weight_bytes(const engines::PartNodes& nodes) const;
  /// That one call moves through the caches, beside its inputs.
  [[nodiscard]] std::int64_t own_bytes(const engines::PartNodes& nodes) const;

  const engines::LoadedModel& model_;
  std::vector<Step> steps_;
  std::vector<Reuse> reuse_;
};

}  // namespace jouletree::measure
