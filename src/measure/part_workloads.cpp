#include "measure/part_workloads.hpp"

#include <algorithm>

#include "measure/part_conditions.hpp"

namespace jouletree::measure {

PartWorkloads::PartWorkloads(const engines::LoadedModel& model, CacheMode cache,
                             const Environment& machine, bool engine_runs_in_context)
    : memory_(model),
      cache_(cache),
      engine_runs_in_context_(engine_runs_in_context),
      core_cache_bytes_(machine.core_cache_bytes),
      last_cache_bytes_(machine.last_cache_bytes) {}

CopyNeeds PartWorkloads::needs_of(const std::vector<engines::PartNodes>& places) const {
  CopyNeeds needs = memory_.needs_of(places);
  needs.in_context = engine_runs_in_context_ && places[0].size() == 1;
  needs.core_cache_bytes = core_cache_bytes_;
  needs.last_cache_bytes = last_cache_bytes_;
  return needs;
}

std::string PartWorkloads::conditions(const std::vector<engines::PartNodes>& places) const {
  return conditions_of(cache_, needs_of(places));
}

Workload PartWorkloads::make(const std::vector<engines::PartNodes>& places, double seconds,
                             const TrialPlan& plan) const {
  CopyNeeds needs = needs_of(places);
  needs.seconds = seconds;
  const engines::Copies wanted = copies_for(cache_, needs);
  constexpr double kRuns = 8;
  needs.longest_run = std::clamp(plan.most.count() / kRuns, 0.01, needs.longest_run);
  Workload workload{engines::Slot::Part, places[0], copies_for(cache_, needs)};
  workload.hurried = !workload.copies.has_sets_of(wanted);
  return workload;
}

}  // namespace jouletree::measure
