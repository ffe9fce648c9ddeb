#pragma once

#include <filesystem>

#include "measure/environment.hpp"
#include "measure/part_memory.hpp"
#include "measure/workload_meter.hpp"

namespace jouletree {

/// Makes cut-out models of operators and modules, in which both find their memory in the same way.
class PartWorkloads {
 public:
  /// `graph` must know its values, and outlive the object. Model files are written to `scratch`.
  PartWorkloads(const EngineGraph& graph, CacheMode cache, const Environment& machine,
                std::filesystem::path scratch);

  /// Of an operator or a module at all places where it stands. `seconds` is how long one call takes
  /// roughly. Throws Error for what cannot be cut out.
  [[nodiscard]] Workload make(const std::vector<PartNodes>& places, double seconds,
                              const TrialPlan& plan) const;

 private:
  const EngineGraph& graph_;
  PartMemory memory_;
  CacheMode cache_;
  std::optional<std::int64_t> core_cache_bytes_;
  std::optional<std::int64_t> last_cache_bytes_;
  std::filesystem::path scratch_;
};

}  // namespace jouletree
