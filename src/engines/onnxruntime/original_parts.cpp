#include "engines/onnxruntime/original_parts.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <unordered_set>

#include "model/operators/table.hpp"

namespace jouletree::engines {
namespace {

/// A fusion stands for a handful of nodes; a search that grows larger went past its beginning.
constexpr std::size_t kMostParts = 2000;
/// A value that the engine made for more than this is for no one in particular.
constexpr std::size_t kMostEnds = 16;

/// Nodes in the engine's blocked layout are named after the value that they replace.
constexpr std::string_view kBlockedSuffix = "_nchwc";
/// Before that stands this where a convolution took the place of a normalisation.
constexpr std::string_view kNormalisationSuffix = "_bn";

std::string_view without_suffix(std::string_view name, std::string_view suffix) {
  if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  return name;
}

void append(std::vector<std::string_view>& all, const std::vector<std::string_view>& more) {
  for (const std::string_view value : more)
    if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(value);
}

}  // namespace

OriginalParts::OriginalParts(const Graph& original, const Graph& optimised)
    : original_(original), optimised_(optimised) {
  index(original.main);
  for (const Node& node : optimised.main.nodes) {
    find_alias(node);
    trace_made_inputs(node);
  }
  trace_made_outputs();
}

void OriginalParts::index(const Block& block) {
  for (const ValueId id : block.inputs)
    if (!original_.values[id].constant) producers_.emplace(original_.values[id].name, Producer{});
  for (const Node& node : block.nodes) {
    for (const Attribute& attribute : node.attributes)
      for (const auto& nested : attribute.blocks) index(*nested);
    if (!node.name.empty()) by_name_.emplace(node.name, &node);
    const Producer producer{&node, producers_.size() + 1};
    for (const ValueId id : node.outputs)
      if (id != kNoValue) producers_.emplace(original_.values[id].name, producer);
    for (const ValueId id : node.inputs)
      if (id != kNoValue) consumers_[original_.values[id].name].push_back(&node);
  }
}

/// The value that a convolution gives which took in an addition and an activation, but is still
/// named after its own.
std::string_view OriginalParts::value_behind(const Node& node, std::string_view value) const {
  const Node* const own = producers_.at(value).node;
  const bool was_normalisation = own != nullptr && own->op == "BatchNormalization";
  if (own == nullptr || (own->op != node.op && !was_normalisation)) return value;
  std::size_t taken_in = node.attribute("activation") != nullptr ? 1 : 0;
  constexpr std::size_t kAddend = 3;
  const bool can_add = model::is_convolution(model::facts_of(node.domain, node.op));
  if (can_add && node.inputs.size() > kAddend && node.inputs[kAddend] != kNoValue) ++taken_in;
  for (; taken_in > 0; --taken_in) {
    const auto readers = consumers_.find(value);
    if (readers == consumers_.end() || readers->second.size() != 1) break;
    const Node* next = readers->second[0];
    if (next->outputs.size() != 1 || next->outputs[0] == kNoValue) break;
    value = original_.values[next->outputs[0]].name;
  }
  return value;
}

/// What the engine calls otherwise may still be named after the value or the node that it was.
void OriginalParts::find_alias(const Node& node) {
  if (node.outputs.empty() || node.outputs[0] == kNoValue) return;
  const std::string_view made = optimised_.values[node.outputs[0]].name;
  if (is_original(made)) return;
  if (node.name.ends_with(kBlockedSuffix)) {
    std::string_view name = without_suffix(node.name, kBlockedSuffix);
    if (!is_original(name)) name = without_suffix(name, kNormalisationSuffix);
    if (is_original(name)) aliases_.emplace(made, value_behind(node, name));
    return;
  }
  const Node* const named = named_like(node.name);
  if (named == nullptr || named->outputs.empty() || named->outputs[0] == kNoValue) return;
  const std::string_view value = original_.values[named->outputs[0]].name;
  if (!between(values_of(node.inputs, made_from_), {value}).empty()) aliases_.emplace(made, value);
}

bool OriginalParts::is_original(std::string_view value) const {
  return producers_.count(value) > 0;
}

std::string_view OriginalParts::name_of(ValueId id) const {
  const std::string_view value = optimised_.values[id].name;
  const auto alias = aliases_.find(value);
  return alias == aliases_.end() ? value : alias->second;
}

OriginalParts::Values OriginalParts::values_of(
    const std::vector<ValueId>& ids, const std::unordered_map<ValueId, Values>& made) const {
  Values values;
  for (const ValueId id : ids) {
    if (id == kNoValue || optimised_.values[id].constant) continue;
    if (const std::string_view name = name_of(id); is_original(name)) {
      append(values, {name});
    } else if (const auto found = made.find(id); found != made.end()) {
      append(values, found->second);
    }
  }
  return values;
}

void OriginalParts::trace_made_inputs(const Node& node) {
  for (const ValueId id : node.outputs) {
    if (id != kNoValue && !is_original(name_of(id)))
      made_from_[id] = values_of(node.inputs, made_from_);
  }
}

void OriginalParts::trace_made_outputs() {
  const std::vector<Node>& nodes = optimised_.main.nodes;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const Values ends = values_of(node->outputs, made_for_);
    for (const ValueId id : node->inputs) {
      if (id == kNoValue || optimised_.values[id].constant || is_original(name_of(id))) continue;
      if (Values& all = made_for_[id]; all.size() <= kMostEnds) append(all, ends);
    }
  }
}

std::vector<const Node*> OriginalParts::of(const Node& node) const {
  if (const Node* const unchanged = same(node)) return {unchanged};
  const Values from = values_of(node.inputs, made_from_);
  const Values to = values_of(node.outputs, made_for_);
  std::vector<const Node*> parts;
  if (to.size() <= kMostEnds) parts = between(from, to);
  if (!parts.empty()) return parts;
  if (const Node* const named = named_like(node.name)) return {named};
  for (const std::string_view value : to)
    if (const Node* const producer = producers_.at(value).node) parts.push_back(producer);
  return parts;
}

/// The node that gives the same value by the same operator, whatever else went into it.
const Node* OriginalParts::same(const Node& node) const {
  if (node.outputs.empty() || node.outputs[0] == kNoValue) return nullptr;
  const auto producer = producers_.find(name_of(node.outputs[0]));
  if (producer == producers_.end() || producer->second.node == nullptr) return nullptr;
  return producer->second.node->op == node.op ? producer->second.node : nullptr;
}

std::vector<const Node*> OriginalParts::between(const Values& from, const Values& to) const {
  // What lies before all that the node reads cannot depend on it.
  std::size_t first = std::numeric_limits<std::size_t>::max();
  for (const std::string_view value : from) first = std::min(first, producers_.at(value).position);
  const std::unordered_set<std::string_view> beginnings(from.begin(), from.end());
  std::deque<std::string_view> open(to.begin(), to.end());
  std::vector<Producer> found;
  std::unordered_set<const Node*> seen;
  while (!open.empty()) {
    const std::string_view value = open.front();
    open.pop_front();
    if (beginnings.count(value) > 0) continue;
    const auto producer = producers_.find(value);
    if (producer == producers_.end() || producer->second.node == nullptr) continue;
    const auto& [node, position] = producer->second;
    if (position <= first || !seen.insert(node).second) continue;
    if (found.size() >= kMostParts) return {};
    found.push_back(producer->second);
    for (const ValueId id : node->inputs) {
      if (id != kNoValue && !original_.values[id].constant)
        open.push_back(original_.values[id].name);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Producer& a, const Producer& b) { return a.position < b.position; });
  std::unordered_set<std::string_view> reached = beginnings;
  std::vector<const Node*> parts;
  for (const Producer& producer : found) {
    const Node& node = *producer.node;
    const bool depends = std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
      return id != kNoValue && reached.count(original_.values[id].name) > 0;
    });
    if (!depends) continue;
    parts.push_back(&node);
    for (const ValueId id : node.outputs)
      if (id != kNoValue) reached.insert(original_.values[id].name);
  }
  return parts;
}

/// Engines put words before or behind the name of the node that they replace.
const Node* OriginalParts::named_like(std::string_view name) const {
  while (!name.empty()) {
    if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
    const std::size_t cut = name.find_last_of("_/ ");
    if (cut == std::string_view::npos) break;
    name = name.substr(0, cut);
  }
  return nullptr;
}

}  // namespace jouletree::engines
