#include "measure/part_reuse.hpp"

#include <utility>

#include <fmt/format.h>

#include "measure/profile_sums.hpp"
#include "measure/rounds.hpp"

namespace jouletree::measure {
namespace {

/// Without anything that could be taken for a moment of this profile.
Measured taken(Measured known, const WantedPart& wanted) {
  Trials& trials = known.trials;
  trials.windows.clear();
  trials.end = Time() + (trials.end - trials.begin);
  trials.begin = Time();
  trials.precise = true;
  known.set_aside.clear();
  known.same_as.clear();
  if (!known.reused) known.reused.emplace();
  // There is no whole that this energy could be a part of.
  if (wanted.summed.empty()) {
    known.energy.reset();
    known.domains.clear();
  }
  return known;
}

}  // namespace

void PartReuse::begin(const Environment& environment, const ModelTree& tree) {
  if (known_ != nullptr) known_->begin(environment, tree);
}

std::vector<ReusablePart> PartReuse::operators(Profile& profile, const engines::LoadedModel& model,
                                               const PartWorkloads& workloads) const {
  std::vector<ReusablePart> parts;
  if (known_ == nullptr) return parts;
  const std::vector<const TreeNode*> nodes = tree_nodes(profile);
  for (UniqueOperator& unique : profile.operators) {
    std::vector<engines::PartNodes> places;
    for (const NodeId node : unique.nodes) places.push_back({*model.part_of[node]});
    parts.push_back({{unique.key, false, workloads.conditions(places)},
                     nodes[unique.nodes[0]],
                     &unique.measured});
  }
  return parts;
}

std::vector<ReusablePart> PartReuse::modules(std::vector<UniqueModule>& modules,
                                             const PartWorkloads& workloads,
                                             bool are_called) const {
  std::vector<ReusablePart> parts;
  if (known_ == nullptr) return parts;
  for (UniqueModule& module : modules) {
    if (!module.is_measured_apart()) continue;
    const TreeNode& node = *module.modules[0];
    std::string conditions = workloads.conditions(module.places);
    if (are_called) conditions += fmt::format(", class {}", node.type);
    parts.push_back({{module.key, true, std::move(conditions)}, &node, &module.measured});
  }
  return parts;
}

void PartReuse::take(std::span<const ReusablePart> parts, const WantedPart& wanted) {
  if (known_ == nullptr) return;
  for (const ReusablePart& part : parts) {
    std::optional<Measured> known = known_->find(part.identity, wanted);
    if (!known || known->trials.seconds.empty()) continue;
    known->trials.time = summarize(known->trials.seconds);
    if (is_good_enough(*known, wanted)) *part.measured = taken(*std::move(known), wanted);
  }
}

std::string PartReuse::keep(std::span<const ReusablePart> parts, const SpeedOfWhole& speed) {
  if (known_ == nullptr) return "";
  std::vector<PartToKeep> kept;
  for (const ReusablePart& part : parts) {
    const std::optional<Measured>& measured = *part.measured;
    if (!measured || !measured->good() || measured->reused) continue;
    if (is_slowed(measured->trials, speed)) continue;
    kept.push_back({part.identity, *measured, *part.node});
  }
  if (kept.empty()) return "";
  try {
    known_->keep(kept);
  } catch (const Error& error) {
    // What was measured is worth more than that others can use it.
    return error.what();
  }
  return "";
}

}  // namespace jouletree::measure
