#include "jouletree/parameters.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "model/named_constants.hpp"
#include "model/operators/table.hpp"

namespace jouletree {
namespace {

/// How strongly the users of a value ask for it to be a parameter.
enum class Demand { None, Setting, Statistic, Ordinary, Weight };

class DemandFinder {
 public:
  DemandFinder(const Graph& graph, const std::vector<ValueId>& stored)
      : stored_(stored),
        rows_(graph.node_count),
        demands_(graph.values.size(), Demand::None),
        is_activation_scale_(graph.values.size(), false) {
    mark_activation_scales(graph.main);
    visit(graph.main);
  }
  [[nodiscard]] Demand of(ValueId id) const { return demands_[stored_[id]]; }
  /// As find_operator() says.
  [[nodiscard]] const model::OperatorRow* row_of(const Node& node) const { return rows_[node.id]; }

 private:
  void ask(ValueId id, Demand demand) {
    if (id == kNoValue) return;
    Demand& strongest = demands_[stored_[id]];
    strongest = std::max(strongest, demand);
  }

  void mark_activation_scales(const Block& block) {
    for (const Node& node : block.nodes) {
      for (const Attribute& attribute : node.attributes)
        for (const auto& nested : attribute.blocks) mark_activation_scales(*nested);
      const std::size_t scale = model::facts_of(node.domain, node.op).scale_output;
      const bool gives_scale = scale > 0 && scale < node.outputs.size();
      if (gives_scale && node.outputs[scale] != kNoValue)
        is_activation_scale_[node.outputs[scale]] = true;
    }
  }

  /// Dynamic quantisation multiplies the scale of the activations by that of the weights.
  [[nodiscard]] bool joins_scales(const Node& node) const {
    return std::any_of(node.inputs.begin(), node.inputs.end(),
                       [&](ValueId id) { return id != kNoValue && is_activation_scale_[id]; });
  }

  void visit(const Block& block) {
    for (const ValueId id : block.outputs) ask(id, Demand::Ordinary);
    for (auto node = block.nodes.rbegin(); node != block.nodes.rend(); ++node) visit(*node);
  }

  void visit(const Node& node) {
    for (const Attribute& attribute : node.attributes)
      for (const auto& block : attribute.blocks) visit(*block);
    const model::OperatorRow* const row = model::find_operator(node.domain, node.op);
    rows_[node.id] = row;
    model::ConstantRoles roles = row != nullptr ? row->constants : model::ConstantRoles{};
    const bool by_elements = row != nullptr && row->facts.axes == model::AxisFlow::Broadcast;
    if (by_elements && joins_scales(node)) roles.settings = model::kAllSlots;
    Demand handed_on = Demand::Setting;
    if (!node.outputs.empty() && node.outputs[0] != kNoValue)
      handed_on = std::max(handed_on, demands_[node.outputs[0]]);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      Demand demand = Demand::Ordinary;
      if (model::has_slot(roles.weights, i)) {
        demand = Demand::Weight;
      } else if (model::has_slot(roles.settings, i)) {
        demand = Demand::Setting;
      } else if (model::has_slot(roles.statistics, i)) {
        demand = Demand::Statistic;
      } else if (model::has_slot(roles.forwarded, i)) {
        demand = handed_on;
      }
      ask(node.inputs[i], demand);
    }
  }

  const std::vector<ValueId>& stored_;
  std::vector<const model::OperatorRow*> rows_;  ///< By node.
  std::vector<Demand> demands_;
  std::vector<bool> is_activation_scale_;
};

ConstantRole role_of(const GraphValue& value, Demand demand) {
  switch (value.stored_as) {
    case StoredAs::Parameter:
    case StoredAs::FrozenParameter: return ConstantRole::Parameter;
    case StoredAs::Buffer:
      return demand == Demand::Statistic ? ConstantRole::Statistic : ConstantRole::Setting;
    case StoredAs::Unsaid: break;
  }
  const StoredTensor& stored = *value.constant;
  const bool numeric = is_floating(stored.type) || is_integer(stored.type);
  switch (demand) {
    case Demand::None: return ConstantRole::Unused;
    case Demand::Setting: return ConstantRole::Setting;
    case Demand::Statistic: return ConstantRole::Statistic;
    case Demand::Weight: return numeric ? ConstantRole::Parameter : ConstantRole::Setting;
    case Demand::Ordinary: break;
  }
  const bool trained =
      is_floating(stored.type) && !value.from_constant_node && stored.elements().value_or(0) > 1;
  return trained ? ConstantRole::Parameter : ConstantRole::Setting;
}

using PackedConstants = std::map<ValueId, std::int64_t>;

void visit_nodes(const Graph& graph, const std::vector<ValueId>& stored,
                 const DemandFinder& demands, const Block& block, Constants& constants,
                 PackedConstants& packed) {
  for (const Node& node : block.nodes) {
    for (const Attribute& attribute : node.attributes) {
      for (const auto& nested : attribute.blocks)
        visit_nodes(graph, stored, demands, *nested, constants, packed);
    }
    const model::OperatorRow* const row = demands.row_of(node);
    if (row == nullptr) continue;
    if (row->parameters.in_attributes != nullptr)
      constants.attribute_params[node.id] = row->parameters.in_attributes(node).value_or(0);
    if (row->parameters.in_constant == nullptr) continue;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId id = node.inputs[i];
      if (id == kNoValue || !graph.values[id].constant ||
          !model::has_slot(row->constants.weights, i))
        continue;
      packed[stored[id]] =
          row->parameters.in_constant(node, i, *graph.values[id].constant).value_or(0);
    }
  }
}

}  // namespace

Constants classify_constants(const Graph& graph) {
  const std::vector<ValueId> stored = model::stored_values(graph);
  const DemandFinder demands(graph, stored);
  Constants constants;
  constants.by_value.resize(graph.values.size());
  constants.attribute_params.resize(graph.node_count, 0);
  PackedConstants packed;
  visit_nodes(graph, stored, demands, graph.main, constants, packed);
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    const GraphValue& value = graph.values[i];
    if (!value.constant) continue;
    const auto id = static_cast<ValueId>(i);
    ConstantUse& use = constants.by_value[i];
    use.value = stored[i];
    use.role = role_of(value, demands.of(id));
    use.frozen = value.stored_as == StoredAs::FrozenParameter;
    const auto logical = packed.find(use.value);
    use.elements = logical != packed.end() ? logical->second : value.constant->elements().value();
    use.bytes = value.constant->bytes().value_or(0);
  }
  return constants;
}

namespace {

/// Weights that lost the name of their module or carry that of a normalisation.
bool looks_folded(std::string_view weight) {
  return weight.rfind("onnx::Conv", 0) == 0 || weight.find("fused_bn") != std::string_view::npos ||
         weight.find("bn_fused") != std::string_view::npos ||
         (!weight.empty() &&
          std::all_of(weight.begin(), weight.end(), [](char c) { return c >= '0' && c <= '9'; }));
}

}  // namespace

std::string folded_normalization_note(const Graph& graph) {
  std::int64_t convolutions = 0;
  std::int64_t renamed = 0;
  for (const Node& node : graph.main.nodes) {
    const model::OperatorRow* const row = model::find_operator(node.domain, node.op);
    if (row == nullptr || row->facts.work != model::WorkKind::Convolution) continue;
    const ValueId weights = model::first_weights(*row, node, 1);
    if (weights == kNoValue) continue;
    ++convolutions;
    const GraphValue& weight = graph.values[weights];
    if (weight.constant && looks_folded(weight.name)) ++renamed;
  }
  if (renamed == 0) return "";
  return fmt::format(
      "the exporter folded normalisation into {} of {}; the trained model has more parameters than "
      "this file",
      renamed, number_of(convolutions, "convolution"));
}

}  // namespace jouletree
