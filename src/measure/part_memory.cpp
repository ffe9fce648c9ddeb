#include "measure/part_memory.hpp"

#include <algorithm>
#include <unordered_map>

#include "measure/program_steps.hpp"

namespace jouletree::measure {

using engines::Part;
using engines::PartNodes;

PartMemory::PartMemory(const engines::LoadedModel& model)
    : model_(model), steps_(steps_of(model.parts)), reuse_(reuse_distances(steps_)) {}

std::vector<Step::Tensor> PartMemory::outputs_of(const std::set<std::size_t>& nodes) const {
  std::set<std::string_view> read_inside;
  std::set<std::string_view> read_outside(model_.results.begin(), model_.results.end());
  for (std::size_t i = 0; i < model_.parts.size(); ++i) {
    auto& readers = nodes.count(i) > 0 ? read_inside : read_outside;
    for (const Part::Tensor& read : model_.parts[i].reads) readers.insert(read.name);
    readers.insert(model_.parts[i].captured.begin(), model_.parts[i].captured.end());
  }
  std::vector<Step::Tensor> outputs;
  for (const std::size_t node : nodes) {
    for (const Part::Tensor& made : model_.parts[node].writes) {
      const bool inner = read_inside.count(made.name) > 0 && read_outside.count(made.name) == 0;
      if (!inner) outputs.push_back({made.name, made.bytes});
    }
  }
  return outputs;
}

PartMemory::Place PartMemory::place_of(const PartNodes& nodes) const {
  Place place;
  place.reuse.weights = reuse_[nodes[0]].weights;
  std::unordered_map<std::string_view, std::string_view> shown;  // by views inside
  const auto behind = [&](std::string_view name) {
    const auto view = shown.find(name);
    return view == shown.end() ? name : view->second;
  };
  std::unordered_map<std::string_view, std::size_t> maker;
  for (const std::size_t node : nodes)
    for (const Part::Tensor& made : model_.parts[node].writes) maker[made.name] = node;
  std::unordered_map<std::string_view, std::size_t> by_name;
  std::set<std::string_view> reached;  // by more than a view
  for (const std::size_t node : nodes) {
    const Part& part = model_.parts[node];
    for (std::size_t i = 0; i < part.reads.size(); ++i) {
      const std::string_view name = behind(part.reads[i].name);
      if (maker.count(name) > 0) continue;
      const auto [entry, added] = by_name.try_emplace(name, place.inputs.size());
      if (added) {
        place.inputs.push_back({name, part.reads[i].bytes});
        place.reuse.reads.push_back(0);
      }
      if (part.is_view || i >= reuse_[node].reads.size()) continue;
      if (reached.insert(name).second) place.reuse.reads[entry->second] = reuse_[node].reads[i];
    }
    if (part.is_view) shown[part.writes[0].name] = behind(part.reads[0].name);
  }
  std::int64_t largest = -1;
  for (const Step::Tensor& output : outputs_of({nodes.begin(), nodes.end()})) {
    const auto made_by = maker.find(behind(output.name));
    if (made_by == maker.end()) continue;  // a view of an input
    place.output_bytes += output.bytes;
    if (output.bytes <= largest) continue;
    largest = output.bytes;
    place.reuse.writes = reuse_[made_by->second].writes;
  }
  return place;
}

std::int64_t PartMemory::weight_bytes(const PartNodes& nodes) const {
  std::set<std::string_view> counted;
  std::int64_t bytes = 0;
  for (const std::size_t node : nodes) {
    for (const Part::Tensor& weight : model_.parts[node].weights)
      if (counted.insert(weight.name).second) bytes += weight.bytes;
  }
  return bytes;
}

std::int64_t PartMemory::own_bytes(const PartNodes& nodes) const {
  std::vector<Step> steps;
  for (const std::size_t node : nodes) steps.push_back(steps_[node]);
  // From one run to the next, all of it passes once.
  return reuse_distances(steps)[0].weights;
}

CopyNeeds PartMemory::needs_of(const std::vector<PartNodes>& places) const {
  std::vector<Place> all;
  all.reserve(places.size());
  for (const PartNodes& nodes : places) all.push_back(place_of(nodes));
  std::vector<const Reuse*> distances;
  distances.reserve(all.size());
  for (const Place& place : all) distances.push_back(&place.reuse);
  const Reuse reuse = typical_reuse(distances);
  CopyNeeds needs;
  needs.weights = {weight_bytes(places[0]), reuse.weights};
  needs.outputs = {all[0].output_bytes, reuse.writes};
  needs.call_bytes = own_bytes(places[0]);
  for (std::size_t i = 0; i < all[0].inputs.size(); ++i) {
    const Step::Tensor& input = all[0].inputs[i];
    needs.inputs.push_back({std::string(input.name), {input.bytes, reuse.reads[i]}});
    *needs.call_bytes += input.bytes;
  }
  return needs;
}

}  // namespace jouletree::measure
