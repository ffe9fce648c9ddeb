#include "measure/part_memory.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "model/onnx/cut_outs.hpp"

namespace jouletree {

PartMemory::PartMemory(const EngineGraph& graph)
    : graph_(graph), steps_(graph.steps()), reuse_(reuse_distances(steps_)) {}

bool PartMemory::is_view(std::size_t node) const {
  return steps_[node].reads.empty() && steps_[node].writes.empty();
}

PartMemory::Place PartMemory::place_of(const PartNodes& nodes) const {
  Place place;
  place.reuse.weights = reuse_[nodes[0]].weights;
  const onnx::Borders borders = onnx::borders_of(graph_.parts(), nodes);
  std::unordered_map<std::string_view, std::string_view> shown;  // by views inside
  const auto original = [&](std::string_view name) {
    const auto view = shown.find(name);
    return view == shown.end() ? name : view->second;
  };
  std::unordered_map<std::string_view, std::size_t> by_name;
  std::set<std::string_view> reached;  // by more than a view
  std::unordered_map<std::string_view, std::size_t> maker;
  for (const std::size_t node : nodes) {
    const std::vector<Step::Tensor> inputs = graph_.inputs(node);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::string_view name = original(inputs[i].name);
      if (borders.made.count(name) > 0) continue;
      const auto [entry, added] = by_name.try_emplace(name, place.inputs.size());
      if (added) {
        place.inputs.push_back({name, inputs[i].bytes});
        place.reuse.reads.push_back(0);
      }
      if (is_view(node) || i >= reuse_[node].reads.size()) continue;
      if (reached.insert(name).second) place.reuse.reads[entry->second] = reuse_[node].reads[i];
    }
    for (const std::string_view output : graph_.parts().nodes()[node].outputs) {
      maker[output] = node;
      if (is_view(node) && !inputs.empty()) shown[output] = original(inputs[0].name);
    }
  }
  std::int64_t largest = -1;
  for (const Step::Tensor& output : graph_.tensors_of(borders.outputs)) {
    const auto made_by = maker.find(original(output.name));
    if (made_by == maker.end()) continue;  // a view of an input
    place.output_bytes += output.bytes;
    if (output.bytes <= largest) continue;
    largest = output.bytes;
    place.reuse.writes = reuse_[made_by->second].writes;
  }
  return place;
}

std::int64_t PartMemory::weight_bytes(const PartNodes& nodes) const {
  std::set<std::string_view> weights;
  for (const std::size_t node : nodes)
    for (const std::string_view input : graph_.parts().nodes()[node].inputs) weights.insert(input);
  std::int64_t bytes = 0;
  for (const std::string_view weight : weights)
    if (const auto type = graph_.parts().weight_type(weight)) bytes += type->bytes().value_or(0);
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

}  // namespace jouletree
