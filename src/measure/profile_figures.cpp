#include "measure/profile_figures.hpp"

#include <algorithm>

#include "measure/runs_of.hpp"

namespace jouletree::measure {
namespace {

constexpr double kPercent = 100;

const Measured* measured_of(const Profile& profile, const UniqueOperator* unique,
                            const TreeNode& node) {
  if (node.kind == TreeNodeKind::Model) return &profile.whole;
  if (node.operation != nullptr)
    return unique != nullptr && unique->measured ? &*unique->measured : nullptr;
  const auto module = profile.modules.find(node.scope);
  return module == profile.modules.end() ? nullptr : &module->second;
}

/// The card that is at work, where there are several.
const GpuState* busiest(const std::vector<GpuState>& gpus) {
  const auto found =
      std::max_element(gpus.begin(), gpus.end(), [](const GpuState& a, const GpuState& b) {
        return a.utilisation.value_or(-1) < b.utilisation.value_or(-1);
      });
  return found == gpus.end() ? nullptr : &*found;
}

template <class Number>
std::optional<double> in_percent(const std::optional<Number>& part, double whole) {
  if (!part || whole <= 0) return std::nullopt;
  return kPercent * static_cast<double>(*part) / whole;
}

template <class Number>
std::optional<double> as_real(const std::optional<Number>& number) {
  return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

void add_use(const ResourceUse& use, const Environment& machine, NodeFigures& figures) {
  figures.cpu_percent = in_percent(use.cpus, machine.machine_cpus);
  figures.memory_percent =
      in_percent(use.memory_bytes, static_cast<double>(machine.memory_bytes.value_or(0)));
  const GpuState* gpu = busiest(use.gpus);
  if (gpu == nullptr) return;
  figures.gpu_percent = in_percent(gpu->utilisation, 1);
  figures.gpu_memory_percent = in_percent(gpu->memory_utilisation, 1);
  figures.gpu_clock_mhz = as_real(gpu->sm_clock_mhz);
  figures.gpu_memory_clock_mhz = as_real(gpu->memory_clock_mhz);
}

void add_measured(const Measured& measured, NodeFigures& figures) {
  const Figure time = time_of(measured);
  figures.time_s = time.value;
  figures.time_low_s = time.low;
  figures.time_high_s = time.high;
  const Figure energy = energy_of(measured);
  figures.energy_j = energy.value;
  figures.energy_low_j = energy.low;
  figures.energy_high_j = energy.high;
  figures.energy_above_idle_j = energy_above_idle_of(measured).value;
  if (const auto how = energy_provenance_of(measured)) figures.energy_provenance = *how;
}

/// An operator in a loop counts with all its runs.
void multiply(double runs, NodeFigures& figures) {
  for (auto* figure :
       {&figures.time_s, &figures.time_low_s, &figures.time_high_s, &figures.energy_j,
        &figures.energy_low_j, &figures.energy_high_j, &figures.energy_above_idle_j})
    if (*figure) **figure *= runs;
}

}  // namespace

FiguresOf figures_of(const Profile& profile) {
  return [&profile, by_node = profile.by_node()](const TreeNode& node) {
    NodeFigures figures;
    const UniqueOperator* unique =
        node.operation == nullptr ? nullptr : by_node[node.operation->id];
    if (unique != nullptr) {
      figures.count = static_cast<std::int64_t>(runs_of(profile.tree, *unique));
      figures.in_place_s = unique->in_place_s;
      if (figures.in_place_s) *figures.in_place_s *= runs_of(profile.tree, node.operation->id);
    }
    const Measured* found = measured_of(profile, unique, node);
    if (unique != nullptr && unique->is_in_place_only()) {
      figures.time_s = figures.in_place_s;
      figures.is_in_place = true;
    }
    if (found == nullptr || !found->good()) return figures;
    add_measured(*found, figures);
    if (unique != nullptr) multiply(runs_of(profile.tree, node.operation->id), figures);
    add_use(found->use, profile.environment, figures);
    return figures;
  };
}

}  // namespace jouletree::measure
