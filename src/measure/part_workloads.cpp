#include "measure/part_workloads.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "measure/scratch_file.hpp"

namespace jouletree {

PartWorkloads::PartWorkloads(const EngineGraph& graph, CacheMode cache, const Environment& machine,
                             std::filesystem::path scratch)
    : graph_(graph),
      memory_(graph),
      cache_(cache),
      core_cache_bytes_(machine.core_cache_bytes),
      last_cache_bytes_(machine.last_cache_bytes),
      scratch_(std::move(scratch)) {}

Workload PartWorkloads::make(const std::vector<PartNodes>& places, double seconds,
                             const TrialPlan& plan) const {
  CopyNeeds needs = memory_.needs_of(places);
  needs.seconds = seconds;
  constexpr double kRuns = 8;
  needs.longest_run = std::clamp(plan.most.count() / kRuns, 0.01, needs.longest_run);
  needs.core_cache_bytes = core_cache_bytes_;
  needs.last_cache_bytes = last_cache_bytes_;
  const onnx::Copies copies = copies_for(cache_, needs);
  Workload workload{"part", scratch_ / "part.onnx", "none", copies.count, {}};
  for (const auto& [input, sets] : copies.input_sets) {
    for (int set = 0; sets > 1 && set < sets; ++set)
      workload.copied_inputs.emplace(onnx::copied_name(input, set), input);
  }
  write_file(workload.model, onnx::repeated(graph_.parts(), places[0], copies, graph_.types()));
  return workload;
}

}  // namespace jouletree
