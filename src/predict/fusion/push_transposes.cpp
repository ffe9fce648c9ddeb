#include <algorithm>
#include <set>

#include "predict/fusion/quantisation.hpp"
#include "predict/fusion/rules.hpp"
#include "predict/fusion/transpose_handlers.hpp"

namespace jouletree::predict {
namespace {

/// What a tensor of unknown rank counts as: maps of volumes have as many axes.
constexpr int kUsualRank = 5;

/// Axes that are not 1: what moving it costs.
int weight_of(const GraphEdit& edit, ValueId value) {
  const auto& dims = edit.dims(value);
  if (!dims) return kUsualRank;
  return static_cast<int>(
      std::count_if(dims->begin(), dims->end(), [](Dim dim) { return dim != 1; }));
}

class Pusher {
 public:
  Pusher(GraphEdit& edit, Assigned assigned) : edit_(edit), assigned_(assigned) {}

  void run() {
    const std::vector<Node*> nodes = edit_.nodes();
    find_ways_to_transposes(nodes);
    bool has_dequantisation = false;
    for (Node* const node : nodes) {
      if (edit_.is_removed(*node)) continue;
      has_dequantisation |= node->op == "DequantizeLinear";
      visit(*node);
    }
    if (has_dequantisation) repair_units();
  }

 private:
  void find_ways_to_transposes(const std::vector<Node*>& nodes) {
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
      if (is_op(*node, "Transpose")) {
        leads_to_transpose_.insert((*node)->inputs[0]);
        continue;
      }
      const TransposeHandler* const handler = transpose_handler(**node);
      if (handler == nullptr || !handler->transposes_outputs || !leads(**node)) continue;
      for (const std::size_t input : handler->inputs(edit_, **node))
        leads_to_transpose_.insert(input_of(**node, input));
    }
  }

  [[nodiscard]] bool leads(const Node& node) const {
    return std::any_of(node.outputs.begin(), node.outputs.end(),
                       [&](ValueId value) { return leads_to_transpose_.contains(value); });
  }

  void visit(Node& node) {
    const std::vector<ValueId> inputs = node.inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      Node* const transpose = edit_.producer(inputs[i], "Transpose");
      const auto order = permutation_of(transpose);
      if (order && push(*transpose, node, *order, i)) return;
    }
  }

  bool push(Node& transpose, Node& node, const Permutation& order, std::size_t input) {
    const TransposeHandler* const handler = transpose_handler(node);
    if (handler == nullptr) return false;
    const std::vector<std::size_t> inputs = handler->inputs(edit_, node);
    if (std::find(inputs.begin(), inputs.end(), input) == inputs.end()) return false;
    if (!is_worth_it(node, order, *handler, inputs)) return false;
    TransposePush push{edit_, transpose, node, order, inverse_of(order), inputs, assigned_};
    return handler->push(push);
  }

  [[nodiscard]] bool is_worth_it(const Node& node, const Permutation& order,
                                 const TransposeHandler& handler,
                                 const std::vector<std::size_t>& inputs) const {
    if (is_op(&node, "Transpose") || is_quicker_with_channels_last(node)) return true;
    int cost = 0;
    for (const std::size_t input : inputs)
      cost += cost_of_transposing(input_of(node, input), order);
    if (cost < 0 && handler.transposes_outputs && !leads(node)) {
      int outputs = 0;
      for (const ValueId value : node.outputs) outputs = std::max(outputs, weight_of(edit_, value));
      cost += outputs;
    }
    return cost < 0;
  }

  [[nodiscard]] bool is_quicker_with_channels_last(const Node& node) const {
    if (assigned_ == Assigned::No) return false;
    if (is_op(&node, "MaxPool")) return true;
    if (!is_op(&node, "Resize")) return false;
    const Attribute* const mode = node.attribute("mode");
    const DataType type = edit_.type(node.inputs[0]);
    const auto& dims = edit_.dims(node.inputs[0]);
    return dims && dims->size() == 4 && (type == DataType::UInt8 || type == DataType::Int8) &&
           mode != nullptr && mode->text == "linear";
  }

  /// Less than nothing where a Transpose goes.
  [[nodiscard]] int cost_of_transposing(ValueId value, const Permutation& order) const {
    if (value == kNoValue || stored_source(edit_, value) != kNoValue) return 0;
    const Node* const transpose = edit_.producer(value, "Transpose");
    if (const auto earlier = permutation_of(transpose))
      return *earlier == order && can_likely_go(*transpose) ? -weight_of(edit_, value) : 0;
    return weight_of(edit_, value);
  }

  [[nodiscard]] bool can_likely_go(const Node& transpose) const {
    if (edit_.is_output(transpose.outputs[0])) return false;
    const auto readers = edit_.readers(transpose.outputs[0]);
    return std::all_of(readers.begin(), readers.end(),
                       [](const Node* reader) { return transpose_handler(*reader) != nullptr; });
  }

  /// What is dequantised, transposed and quantised again belongs together.
  void repair_units() {
    for (Node* const node : edit_.nodes()) {
      if (edit_.is_removed(*node)) continue;
      if (is_op(node, "QuantizeLinear")) {
        remove_empty_unit(*node);
      } else if (is_op(node, "Transpose") && !add_missing_end(*node)) {
        add_missing_begin(*node);
      }
    }
  }

  void remove_empty_unit(Node& quantise) {
    Node* const dequantise = edit_.producer(quantise.inputs[0], "DequantizeLinear");
    if (dequantise == nullptr || edit_.only_reader(dequantise->outputs[0]) != &quantise ||
        !quantise_alike(edit_, *dequantise, quantise))
      return;
    if (edit_.only_reader(quantise.outputs[0]) == nullptr && !edit_.is_output(quantise.outputs[0]))
      return;
    drop_pair(edit_, *dequantise, quantise);
  }

  bool add_missing_end(Node& transpose) {
    const Node* const dequantise = edit_.producer(transpose.inputs[0], "DequantizeLinear");
    if (dequantise == nullptr) return false;
    const auto readers = edit_.readers(transpose.outputs[0]);
    if (readers.size() > 1 || (readers.size() == 1 && readers[0]->op == "QuantizeLinear"))
      return false;
    return insert_pairs_behind(edit_, transpose, *dequantise);
  }

  void add_missing_begin(Node& transpose) {
    const Node* const quantise = edit_.only_reader(transpose.outputs[0], "QuantizeLinear");
    Node* const maker = edit_.producer(transpose.inputs[0]);
    if (quantise == nullptr || maker == nullptr || maker->op == "DequantizeLinear" ||
        edit_.only_reader(transpose.inputs[0]) == nullptr)
      return;
    insert_pair_before(edit_, transpose, 0, *quantise);
  }

  GraphEdit& edit_;
  Assigned assigned_;
  std::set<ValueId> leads_to_transpose_;
};

}  // namespace

void push_transposes(GraphEdit& edit, Assigned assigned) { Pusher(edit, assigned).run(); }

}  // namespace jouletree::predict
