#include <algorithm>
#include <limits>

#include "predict/fusion/activation.hpp"
#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

bool has_activation(const Node& node) { return node.attribute("activation") != nullptr; }
bool has_sum(const Node& node) { return input_of(node, 3) != kNoValue; }

/// Normalisation by stored statistics is a change of the weights.
bool is_folded_norm(const GraphEdit& edit, const Node& norm) {
  if (!is_op(&norm, "BatchNormalization")) return false;
  for (std::size_t i = 1; i < 5; ++i)
    if (!edit.is_constant(input_of(norm, i))) return false;
  return std::all_of(norm.outputs.begin() + 1, norm.outputs.end(),
                     [&](ValueId value) { return edit.is_unused(value); });
}

/// One number per channel of a map, in a tensor with ones for its positions.
bool is_per_channel(const Dims& dims, const Dims& weights) {
  const std::size_t rank = weights.size();
  if (dims.size() != rank && dims.size() + 1 != rank) return false;
  const std::size_t axis = dims.size() == rank ? 1 : 0;
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != (i == axis ? weights[0] : 1)) return false;
  return true;
}

/// A factor or summand per channel is a change of weights or bias, too.
bool is_folded_scale(const GraphEdit& edit, const Node& node, ValueId weight) {
  const bool is_factor = is_op(&node, "Mul");
  const ValueId other = input_of(node, 1);
  const auto& dims = edit.dims(other);
  const auto& weights = edit.dims(weight);
  if ((!is_factor && !is_op(&node, "Add")) || !edit.is_constant(other) || !dims || !weights)
    return false;
  return is_per_channel(*dims, *weights) || (is_factor && dims->empty());
}

/// The convolution with what the next node does to its result; false where they stay apart.
bool fold_into_weights(GraphEdit& edit, Node& convolution) {
  const ValueId weight = convolution.inputs[1];
  const ValueId bias = input_of(convolution, 2);
  Node* const next = edit.only_reader(convolution.outputs[0]);
  if (next == nullptr || next->inputs[0] != convolution.outputs[0] || !edit.is_constant(weight) ||
      (bias != kNoValue && !edit.is_constant(bias)))
    return false;
  const bool is_norm = is_folded_norm(edit, *next);
  if (!is_norm && !is_folded_scale(edit, *next, weight)) return false;
  std::vector<ValueId> inputs = convolution.inputs;
  if (inputs.size() < 3 && next->op != "Mul") {
    inputs.resize(3, kNoValue);
    inputs[2] = is_norm ? input_of(*next, 2)
                        : edit.add_stored("bias", edit.type(weight), {(*edit.dims(weight))[0]});
  }
  const int opset = convolution.opset;
  Node& merged = edit.merge({&convolution, next}, convolution, "Conv", inputs);
  merged.domain = "";
  merged.opset = opset;
  return true;
}

constexpr std::size_t kFirstSpatial = 2;

/// What is added around the positions of a map; nothing where it is not known, or not nothing.
std::optional<std::vector<std::int64_t>> padding_of(const GraphEdit& edit, const Node& pad) {
  const Attribute* const mode = pad.attribute("mode");
  if (mode != nullptr && !mode->text.empty() && mode->text != "constant") return std::nullopt;
  const Attribute* const old = pad.attribute("pads");
  const auto pads = old != nullptr ? std::optional(old->integers) : edit.integers(input_of(pad, 1));
  const auto& map = edit.dims(pad.inputs[0]);
  if (!pads || !map || pads->size() != 2 * map->size() || input_of(pad, 3) != kNoValue ||
      map->size() <= kFirstSpatial)
    return std::nullopt;
  for (std::size_t i = 0; i < pads->size(); ++i) {
    const bool is_spatial = i % map->size() >= kFirstSpatial;
    if ((*pads)[i] < 0 || (!is_spatial && (*pads)[i] != 0)) return std::nullopt;
  }
  return pads;
}

/// The number that is put around; nothing where it depends on data.
std::optional<double> filling_of(const GraphEdit& edit, const Node& pad) {
  if (const Attribute* const value = pad.attribute("value")) return value->real;
  return input_of(pad, 2) == kNoValue ? 0.0 : edit.scalar(pad.inputs[2]);
}

bool is_unpadded(const Node& window) {
  const Attribute* const pads = window.attribute("pads");
  return pads == nullptr || std::all_of(pads->integers.begin(), pads->integers.end(),
                                        [](std::int64_t pad) { return pad == 0; });
}

/// A window over the padded map can do without the padding.
bool takes_padding(const Node& window, double filling) {
  const Attribute* const automatic = window.attribute("auto_pad");
  if (automatic != nullptr && automatic->text != "NOTSET") return false;
  if (is_op(&window, "Conv")) return filling == 0;
  if (is_op(&window, "AveragePool"))
    return filling == 0 && (integer_of(window, "count_include_pad", 0) != 0 || is_unpadded(window));
  return is_op(&window, "MaxPool") && filling == std::numeric_limits<float>::lowest();
}

void add_padding(Node& window, const std::vector<std::int64_t>& pads) {
  const std::size_t rank = pads.size() / 2;
  std::vector<std::int64_t> sum(2 * (rank - kFirstSpatial), 0);
  if (const Attribute* const own = window.attribute("pads")) sum = own->integers;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const std::size_t half = sum.size() / 2;
    sum[i] += i < half ? pads[kFirstSpatial + i] : pads[rank + kFirstSpatial + i - half];
  }
  std::erase_if(window.attributes, [](const Attribute& one) {
    return one.name == "pads" || one.name == "count_include_pad";
  });
  window.attributes.push_back(integers_attribute("pads", std::move(sum)));
  if (window.op == "AveragePool")
    window.attributes.push_back(integer_attribute("count_include_pad", 1));
}

void fold_padding(GraphEdit& edit, Node& pad) {
  const auto pads = padding_of(edit, pad);
  const auto filling = filling_of(edit, pad);
  const std::vector<Node*> readers = edit.readers(pad.outputs[0]);
  if (!pads || !filling || readers.empty() || edit.is_output(pad.outputs[0])) return;
  const bool fits = std::all_of(readers.begin(), readers.end(), [&](const Node* reader) {
    return takes_padding(*reader, *filling);
  });
  if (!fits) return;
  for (Node* const reader : readers) add_padding(*reader, *pads);
  edit.bypass(pad);
}

constexpr std::size_t kImageRank = 4;

/// A residual of the same size is added while results are still at hand.
void take_in_sum(GraphEdit& edit, Node& convolution) {
  if (has_sum(convolution) || has_activation(convolution)) return;
  const ValueId convolved = convolution.outputs[0];
  Node* const sum = edit.only_reader(convolved, "Add");
  const auto& map = edit.dims(convolved);
  if (sum == nullptr || sum->inputs[0] == sum->inputs[1] || !map || map->size() != kImageRank)
    return;
  const ValueId other = other_input(*sum, convolved);
  if (edit.is_constant(other) || !edit.has_same_dims(other, convolved)) return;
  std::vector<ValueId> inputs = convolution.inputs;
  inputs.resize(3, kNoValue);
  inputs.push_back(other);
  Node& merged = edit.merge({&convolution, sum}, convolution, "FusedConv", inputs);
  take_in_activation(edit, merged);
}

}  // namespace

namespace {

/// x · HardSigmoid(x) of what is convolved, and of nothing else.
bool take_in_hard_swish(GraphEdit& edit, Node& convolution) {
  const ValueId convolved = convolution.outputs[0];
  const auto readers = edit.readers(convolved);
  if (edit.is_output(convolved) || readers.size() != 2) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    Node* const gate = readers[i];
    Node* const product = readers[1 - i];
    if (!is_op(gate, "HardSigmoid") || edit.only_reader(gate->outputs[0], "Mul") != product ||
        other_input(*product, gate->outputs[0]) != convolved)
      continue;
    Node& merged =
        edit.merge({&convolution, gate, product}, convolution, "FusedConv", convolution.inputs);
    mark_activation(merged, "HardSwish");
    return true;
  }
  return false;
}

}  // namespace

void take_in_activation(GraphEdit& edit, Node& convolution) {
  if (has_activation(convolution) || take_in_hard_swish(edit, convolution)) return;
  Node* const next = edit.only_reader(convolution.outputs[0]);
  if (!is_fused_activation(edit, next)) return;
  const std::string_view activation = next->op;
  Node& merged = edit.merge({&convolution, next}, convolution, "FusedConv", convolution.inputs);
  mark_activation(merged, activation);
}

void fold_into_convolutions(GraphEdit& edit) {
  for (Node* const node : edit.nodes()) {
    if (edit.is_removed(*node)) continue;
    if (is_op(node, "Pad")) {
      fold_padding(edit, *node);
    } else if (is_op(node, "Conv")) {
      fold_into_weights(edit, *node);
    }
  }
}

void fuse_activations(GraphEdit& edit) {
  for (Node* const node : edit.nodes())
    if (!edit.is_removed(*node) && is_op(node, "Conv")) take_in_activation(edit, *node);
}

void fuse_sums(GraphEdit& edit) {
  for (Node* const node : edit.nodes())
    if (!edit.is_removed(*node) && is_op(node, "Conv")) take_in_sum(edit, *node);
}

}  // namespace jouletree::predict
