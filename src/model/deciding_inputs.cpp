#include "model/deciding_inputs.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/operators/table.hpp"

namespace jouletree::model {
namespace {

/// Small enough to be written in a flag: one element, as far as the file says.
bool holds_one_element(const GraphValue& input) {
  return input.declared.dims &&
         std::all_of(input.declared.dims->begin(), input.declared.dims->end(),
                     [](Dim dim) { return dim == 1; });
}

/// A value on the way back to the inputs.
struct Step {
  ValueId value;
  bool only_sizes;
  friend bool operator<(const Step& a, const Step& b) {
    return std::pair(a.value, a.only_sizes) < std::pair(b.value, b.only_sizes);
  }
};

std::string flag_for(const GraphValue& input) {
  if (input.declared.type == DataType::Bool)
    return fmt::format("--value {}=true or --value {}=false", input.name, input.name);
  return fmt::format("--value {}=NUMBER", input.name);
}

}  // namespace

ValueOrigins::ValueOrigins(const Graph& graph) : graph_(graph) { add_block(graph.main); }

void ValueOrigins::add_block(const Block& block) {
  for (const Node& node : block.nodes) {
    for (const ValueId output : node.outputs)
      if (output != kNoValue) producers_.emplace(output, &node);
    for (const Attribute& attribute : node.attributes) {
      for (const auto& nested : attribute.blocks) {
        for (const ValueId input : nested->inputs) owners_.emplace(input, &node);
        add_block(*nested);
      }
    }
  }
}

const Node* ValueOrigins::origin_of(ValueId value) const {
  if (const auto node = producers_.find(value); node != producers_.end()) return node->second;
  const auto owner = owners_.find(value);
  return owner == owners_.end() ? nullptr : owner->second;
}

DecidingInputs ValueOrigins::inputs_behind(ValueId value) const {
  std::set<Step> seen;
  std::vector<Step> open;
  const auto visit = [&](ValueId id, bool only_sizes) {
    const bool is_new = id != kNoValue && !graph_.values[id].constant &&
                        seen.count({id, false}) == 0 && seen.insert({id, only_sizes}).second;
    if (is_new) open.push_back({id, only_sizes});
  };
  visit(value, false);
  while (!open.empty()) {
    const Step step = open.back();
    open.pop_back();
    const Node* node = origin_of(step.value);
    if (node == nullptr) continue;
    const bool only_sizes = step.only_sizes || facts_of(node->domain, node->op).sizes_only;
    for (const ValueId input : node->inputs) visit(input, only_sizes);
    for (const Attribute& attribute : node->attributes) {
      for (const auto& block : attribute.blocks)
        for (const ValueId output : block->outputs) visit(output, only_sizes);
    }
  }
  DecidingInputs found;
  for (const ValueId input : graph_.main.inputs) {
    if (seen.count({input, false}) > 0) {
      found.contents.push_back(input);
    } else if (seen.count({input, true}) > 0) {
      found.shapes.push_back(input);
    }
  }
  return found;
}

std::string ValueOrigins::who_decides(ValueId value) const {
  const DecidingInputs inputs = inputs_behind(value);
  const auto names = [&](const std::vector<ValueId>& ids) {
    std::vector<std::string> quoted;
    quoted.reserve(ids.size());
    for (const ValueId id : ids) quoted.push_back(fmt::format("'{}'", graph_.values[id].name));
    return fmt::format("input{} {}", ids.size() == 1 ? "" : "s", fmt::join(quoted, ", "));
  };
  const auto verb = [](const std::vector<ValueId>& ids) {
    return ids.size() == 1 ? "decides" : "decide";
  };
  std::vector<std::string> flags;
  for (const ValueId id : inputs.contents)
    if (holds_one_element(graph_.values[id])) flags.push_back(flag_for(graph_.values[id]));
  if (!flags.empty() && flags.size() == inputs.contents.size()) {
    return fmt::format("{} {}: choose with {}", names(inputs.contents), verb(inputs.contents),
                       fmt::join(flags, ", "));
  }
  if (!inputs.contents.empty())
    return fmt::format("the content of {} decides", names(inputs.contents));
  if (inputs.shapes.empty()) return "";
  return fmt::format("the shape of {} decides: choose with --input NAME=SHAPE",
                     names(inputs.shapes));
}

}  // namespace jouletree::model
