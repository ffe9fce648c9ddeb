#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measure/environment.hpp"
#include "measure/part_memory.hpp"
#include "measure/workload_meter.hpp"

namespace jouletree::measure {

/// Makes workloads of operators and modules, in which both find their memory in the same way.
class PartWorkloads {
 public:
  /// The model must outlive the object.
  PartWorkloads(const engines::LoadedModel& model, CacheMode cache, const Environment& machine,
                bool engine_runs_in_context);

  /// Of an operator or a module at all places where it stands. `seconds` is how long one call takes
  /// roughly.
  [[nodiscard]] Workload make(const std::vector<engines::PartNodes>& places, double seconds,
                              const TrialPlan& plan) const;
  /// conditions_of() it, if there is enough time.
  [[nodiscard]] std::string conditions(const std::vector<engines::PartNodes>& places) const;

 private:
  /// All but the time.
  [[nodiscard]] CopyNeeds needs_of(const std::vector<engines::PartNodes>& places) const;

  PartMemory memory_;
  CacheMode cache_;
  bool engine_runs_in_context_;
  std::optional<std::int64_t> core_cache_bytes_;
  std::optional<std::int64_t> last_cache_bytes_;
};

}  // namespace jouletree::measure
