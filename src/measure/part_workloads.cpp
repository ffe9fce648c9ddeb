#include "measure/part_workloads.hpp"

#include <algorithm>

namespace jouletree::measure {

PartWorkloads::PartWorkloads(const engines::LoadedModel& model, CacheMode cache,
                             const Environment& machine, bool engine_runs_in_context)
    : memory_(model),
      cache_(cache),
      engine_runs_in_context_(engine_runs_in_context),
      core_cache_bytes_(machine.core_cache_bytes),
      last_cache_bytes_(machine.last_cache_bytes) {}

Workload PartWorkloads::make(const std::vector<engines::PartNodes>& places, double seconds,
                             const TrialPlan& plan) const {
  CopyNeeds needs = memory_.needs_of(places);
  needs.seconds = seconds;
  needs.in_context = engine_runs_in_context_ && places[0].size() == 1;
  constexpr double kRuns = 8;
  needs.longest_run = std::clamp(plan.most.count() / kRuns, 0.01, needs.longest_run);
  needs.core_cache_bytes = core_cache_bytes_;
  needs.last_cache_bytes = last_cache_bytes_;
  return {engines::Slot::Part, places[0], copies_for(cache_, needs)};
}

}  // namespace jouletree::measure
