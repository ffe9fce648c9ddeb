#include "predict/fusion/transpose_handlers.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

namespace jouletree::predict {
namespace {

using Indices = std::vector<std::size_t>;

Indices first_input(const GraphEdit& /*edit*/, const Node& /*node*/) { return {0}; }

Indices all_inputs(const GraphEdit& /*edit*/, const Node& node) {
  Indices all(node.inputs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// Those between their scales and zero points.
Indices quantised_operands(const GraphEdit& /*edit*/, const Node& /*node*/) { return {0, 3}; }

Indices quantised_parts(const GraphEdit& /*edit*/, const Node& node) {
  Indices parts;
  for (std::size_t i = 2; i < node.inputs.size(); i += 3) parts.push_back(i);
  return parts;
}

void set_attribute(Node& node, Attribute attribute) {
  std::erase_if(node.attributes,
                [&](const Attribute& other) { return other.name == attribute.name; });
  node.attributes.push_back(std::move(attribute));
}

void transpose_first(TransposePush& push) {
  transpose_input(push.edit, push.node, 0, push.inverse);
}

bool pass(TransposePush& push) {
  transpose_first(push);
  transpose_outputs(push.edit, push.node, push.order);
  return true;
}

bool pass_with_axis(TransposePush& push, std::int64_t usual) {
  const std::int64_t axis = integer_of(push.node, "axis", usual);
  const auto axes = normal_axes({axis}, push.order.size());
  if (!axes) return false;
  for (const std::size_t input : push.inputs)
    transpose_input(push.edit, push.node, input, push.inverse);
  set_attribute(push.node,
                integer_attribute("axis", push.order[static_cast<std::size_t>((*axes)[0])]));
  transpose_outputs(push.edit, push.node, push.order);
  return true;
}

bool pass_cut(TransposePush& push) { return pass_with_axis(push, 0); }

bool pass_softmax(TransposePush& push) {
  constexpr int kOneAxisSince = 13;
  if (push.node.opset < kOneAxisSince && is_standard(push.node)) return false;
  return pass_with_axis(push, -1);
}

bool pass_joined(TransposePush& push) {
  // Without an axis there is no telling.
  return push.node.attribute("axis") != nullptr && pass_with_axis(push, 0);
}

bool pass_broadcast(TransposePush& push) {
  const std::size_t rank = push.order.size();
  for (const std::size_t input : push.inputs)
    if (!raise_rank(push.edit, push.node, input, rank)) return false;
  for (const std::size_t input : push.inputs)
    transpose_input(push.edit, push.node, input, push.inverse);
  transpose_outputs(push.edit, push.node, push.order);
  return true;
}

/// An attribute of old files, later an input. An empty list where there is none; nothing where it
/// depends on data.
std::optional<AxisList> axes_of(const TransposePush& push, std::size_t input) {
  if (const Attribute* const attribute = push.node.attribute("axes")) return attribute->integers;
  if (input_of(push.node, input) == kNoValue) return AxisList();
  return push.edit.integers(push.node.inputs[input]);
}

void set_axes(TransposePush& push, std::size_t input, const AxisList& axes) {
  if (input_of(push.node, input) == kNoValue) {
    set_attribute(push.node, integers_attribute("axes", axes));
  } else {
    push.edit.set_input(push.node, input, push.edit.add_integers("axes", axes));
  }
}

bool pass_reduction(TransposePush& push) {
  const auto given = axes_of(push, 1);
  if (!given) return false;
  const bool keeps = integer_of(push.node, "keepdims", 1) != 0;
  if (given->empty()) {
    transpose_first(push);
    if (keeps) transpose_outputs(push.edit, push.node, push.order);
    return true;
  }
  const auto axes = normal_axes(*given, push.order.size());
  if (!axes) return false;
  const AxisList sources = sorted_sources(*axes, push.order);
  set_axes(push, 1, sources);
  transpose_first(push);
  transpose_outputs(push.edit, push.node, keeps ? push.order : squeezed(push.order, sources));
  return true;
}

bool pass_extreme(TransposePush& push) {
  const auto axes = normal_axes({integer_of(push.node, "axis", 0)}, push.order.size());
  if (!axes) return false;
  const AxisList source = sorted_sources(*axes, push.order);
  set_attribute(push.node, integer_attribute("axis", source[0]));
  transpose_first(push);
  const bool keeps = integer_of(push.node, "keepdims", 1) != 0;
  transpose_outputs(push.edit, push.node, keeps ? push.order : squeezed(push.order, source));
  return true;
}

bool pass_squeeze(TransposePush& push) {
  const auto given = axes_of(push, 1);
  if (!given || given->empty()) return false;
  const auto axes = normal_axes(*given, push.order.size());
  if (!axes) return false;
  const AxisList sources = sorted_sources(*axes, push.order);
  set_axes(push, 1, sources);
  transpose_first(push);
  transpose_outputs(push.edit, push.node, squeezed(push.order, sources));
  return true;
}

bool pass_unsqueeze(TransposePush& push) {
  const auto given = axes_of(push, 1);
  if (!given) return false;
  const auto axes = normal_axes(*given, push.order.size() + given->size());
  if (!axes) return false;
  transpose_first(push);
  transpose_outputs(push.edit, push.node, unsqueezed(push.order, *axes));
  return true;
}

/// A single index takes its axis away.
bool pass_gather(TransposePush& push) {
  const auto axes = normal_axes({integer_of(push.node, "axis", 0)}, push.order.size());
  const auto& indices = push.edit.dims(input_of(push.node, 1));
  if (!axes || !indices || indices->size() > 1) return false;
  const bool drops_axis = indices->empty();
  const AxisList source = sorted_sources(*axes, push.order);
  set_attribute(push.node, integer_attribute("axis", source[0]));
  transpose_first(push);
  transpose_outputs(push.edit, push.node, drops_axis ? squeezed(push.order, source) : push.order);
  return true;
}

bool pass_slice(TransposePush& push) {
  constexpr std::size_t kStarts = 1;
  constexpr std::size_t kAxes = 3;
  auto given = axes_of(push, kAxes);
  if (!given) return false;
  if (given->empty()) {
    const Attribute* const starts = push.node.attribute("starts");
    const auto& dims = push.edit.dims(input_of(push.node, kStarts));
    if (starts == nullptr && (!dims || dims->size() != 1 || dims->front() == kUnknownDim))
      return false;
    given->resize(starts != nullptr ? starts->integers.size()
                                    : static_cast<std::size_t>(dims->front()));
    std::iota(given->begin(), given->end(), 0);
  }
  const auto axes = normal_axes(*given, push.order.size());
  if (!axes) return false;
  AxisList sources;
  for (const std::int64_t axis : *axes)
    sources.push_back(push.order[static_cast<std::size_t>(axis)]);
  if (push.node.attribute("starts") != nullptr) {
    set_attribute(push.node, integers_attribute("axes", sources));
  } else {
    push.edit.set_input(push.node, kAxes, push.edit.add_integers("axes", sources));
  }
  return pass(push);
}

/// A list of one number per axis; with begins and ends, the list holds two.
std::optional<AxisList> reordered_list(const AxisList& list, const Permutation& order) {
  const std::size_t rank = order.size();
  if (list.size() % rank != 0 || list.empty()) return std::nullopt;
  AxisList result(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t part = i / rank * rank;
    result[part + static_cast<std::size_t>(order[i % rank])] = list[i];
  }
  return result;
}

/// The numbers at that input, one or two per axis, in the new order; those that depend on data are
/// picked when it runs.
bool reorder_numbers(TransposePush& push, std::size_t input) {
  const ValueId value = input_of(push.node, input);
  if (value == kNoValue) return true;
  const auto& dims = push.edit.dims(value);
  if (!dims || dims->size() != 1) return false;
  if (dims->front() == 0) return true;
  if (push.edit.is_constant(value)) {
    const auto numbers = push.edit.integers(value);
    const auto turned = numbers ? reordered_list(*numbers, push.order) : std::nullopt;
    if (!turned) return false;
    if (push.edit.type(value) == DataType::Int64)
      push.edit.set_input(push.node, input, push.edit.add_integers("numbers", *turned));
    return true;
  }
  Permutation places(push.order.size());
  std::iota(places.begin(), places.end(), 0);
  const auto picked = reordered_list(places, push.order);
  const ValueId made = push.edit.add_value_like(value);
  push.edit.insert_before(push.node, {"Gather",
                                      "",
                                      {value, push.edit.add_integers("places", *picked)},
                                      {made},
                                      {integer_attribute("axis", 0)}});
  push.edit.set_input(push.node, input, made);
  return true;
}

bool pass_pad(TransposePush& push) {
  if (const Attribute* const pads = push.node.attribute("pads")) {
    const auto turned = reordered_list(pads->integers, push.order);
    if (!turned) return false;
    set_attribute(push.node, integers_attribute("pads", *turned));
  } else if (input_of(push.node, 3) != kNoValue || !push.edit.is_constant(input_of(push.node, 1)) ||
             !reorder_numbers(push, 1)) {
    return false;
  }
  return pass(push);
}

bool pass_tile(TransposePush& push) { return reorder_numbers(push, 1) && pass(push); }

/// Only between maps with channels first and last.
bool pass_resize(TransposePush& push) {
  const Permutation to_front = channels_to_front(4);
  const bool swaps_channels = push.order == to_front || push.inverse == to_front;
  if (push.assigned == Assigned::No || !swaps_channels) return false;
  constexpr int kScalesAlone = 11;
  const bool is_old = push.node.opset < kScalesAlone;
  for (const std::size_t input : is_old ? Indices{1} : Indices{1, 2, 3}) {
    const ValueId numbers = input_of(push.node, input);
    const bool is_integer_list = push.edit.type(numbers) == DataType::Int64;
    if (is_integer_list && !reorder_numbers(push, input)) return false;
  }
  return pass(push);
}

bool pass_shape(TransposePush& push) {
  GraphEdit& edit = push.edit;
  if (push.node.attribute("start") != nullptr || push.node.attribute("end") != nullptr)
    return false;
  transpose_first(push);
  const ValueId shape = push.node.outputs[0];
  const ValueId unordered = edit.add_value_like(shape);
  edit.set_outputs(push.node, {unordered});
  edit.insert_after(push.node, {"Gather",
                                "",
                                {unordered, edit.add_integers("order", push.order)},
                                {shape},
                                {integer_attribute("axis", 0)}});
  return true;
}

bool pass_quantisation(TransposePush& push) {
  const auto& scale = push.edit.dims(input_of(push.node, 1));
  const bool is_single = scale && (scale->empty() || elements_of(*scale) == Count(1));
  if (!is_single) {
    const auto axes = normal_axes({integer_of(push.node, "axis", 1)}, push.order.size());
    if (!axes) return false;
    set_attribute(push.node,
                  integer_attribute("axis", push.order[static_cast<std::size_t>((*axes)[0])]));
  }
  return pass(push);
}

/// The value of the node is the one before the Transpose: both go.
void cancel(TransposePush& push) {
  GraphEdit& edit = push.edit;
  const ValueId before = push.transpose.inputs[0];
  const ValueId made = push.node.outputs[0];
  if (!edit.is_output(made)) {
    edit.redirect(made, before);
    edit.remove(push.node);
  } else if (Node* const maker = edit.producer(before);
             maker != nullptr && !edit.is_output(before)) {
    edit.remove(push.node);
    std::vector<ValueId> outputs = maker->outputs;
    std::replace(outputs.begin(), outputs.end(), before, made);
    edit.set_outputs(*maker, std::move(outputs));
    edit.redirect(before, made);
  } else {
    push.node.op = "Identity";
    push.node.attributes.clear();
    edit.set_inputs(push.node, {before});
  }
  if (edit.is_unused(push.transpose.outputs[0])) edit.remove(push.transpose);
}

bool join_transposes(TransposePush& push, const Permutation& second) {
  if (push.inverse == second) {
    cancel(push);
    return true;
  }
  push.node.op = "Transpose";
  push.edit.set_inputs(push.node, {push.transpose.inputs[0]});
  push.node.attributes.clear();
  set_attribute(push.node, integers_attribute("perm", composed(push.order, second)));
  if (push.edit.is_unused(push.transpose.outputs[0])) push.edit.remove(push.transpose);
  return true;
}

bool pass_transpose(TransposePush& push) {
  const auto second = permutation_of(&push.node);
  return second && second->size() == push.order.size() && join_transposes(push, *second);
}

/// The transposition that a Reshape is where it only moves axes of size 1.
std::optional<Permutation> transposition_of(const Dims& from, const Dims& to) {
  Dims left = from;
  Permutation order;
  for (const Dim wanted : to) {
    std::size_t i = 0;
    while (i < left.size() && left[i] != wanted) {
      if (left[i] != -1 && left[i] != 1 && wanted != 1) return std::nullopt;
      ++i;
    }
    if (i == left.size()) return std::nullopt;
    order.push_back(static_cast<std::int64_t>(i));
    left[i] = -1;
  }
  return order;
}

/// The axes of `to` that each axis of `from` is taken apart into; nothing where axes are joined.
std::optional<std::vector<AxisList>> parts_of_axes(const Dims& from, const Dims& to) {
  std::vector<AxisList> parts(from.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    Dim product = 1;
    do {
      if (next == to.size() || (to[next] > 0 && product > from[i] / to[next])) return std::nullopt;
      product *= to[next];
      parts[i].push_back(static_cast<std::int64_t>(next++));
    } while (product < from[i]);
    if (product != from[i]) return std::nullopt;
  }
  return next == to.size() ? std::optional(parts) : std::nullopt;
}

/// Axes are taken apart before they are moved.
bool split_before_transpose(TransposePush& push, const Dims& from, const Dims& to) {
  const auto parts = parts_of_axes(from, to);
  if (!parts || to.size() <= from.size()) return false;
  AxisList axes;  // Of the result, in the order before the transposition.
  for (const std::int64_t axis : push.inverse) {
    const AxisList& own = (*parts)[static_cast<std::size_t>(axis)];
    axes.insert(axes.end(), own.begin(), own.end());
  }
  transpose_first(push);
  push.edit.set_input(push.node, 1, push.edit.add_integers("shape", permuted(to, axes)));
  transpose_outputs(push.edit, push.node, inverse_of(axes));
  return true;
}

bool pass_reshape(TransposePush& push) {
  const GraphEdit& edit = push.edit;
  if (!edit.is_constant(input_of(push.node, 1))) return false;
  if (!edit.has_known_dims(push.node.inputs[0]) || !edit.has_known_dims(push.node.outputs[0]))
    return false;
  const Dims from = *edit.dims(push.node.inputs[0]);
  const Dims to = *edit.dims(push.node.outputs[0]);
  if (from.size() != to.size()) return split_before_transpose(push, from, to);
  const auto order = transposition_of(from, to);
  return order && join_transposes(push, *order);
}

bool swaps_channels_last(const TransposePush& push) {
  return push.order == channels_to_front(push.order.size());
}

/// Of bytes there is a kernel with channels last.
bool pass_max_pool(TransposePush& push) {
  const DataType type = push.edit.type(push.node.inputs[0]);
  const bool is_bytes = type == DataType::UInt8 || type == DataType::Int8;
  const bool has_places = push.node.outputs.size() > 1 && push.node.outputs[1] != kNoValue;
  if (push.assigned == Assigned::No || !is_bytes || has_places || !swaps_channels_last(push))
    return false;
  push.node.op = "NhwcMaxPool";
  push.node.domain = kMicrosoftDomain;
  push.node.opset = 1;
  return pass(push);
}

bool pass_quantised_pool(TransposePush& push) {
  const bool is_last = integer_of(push.node, "channels_last", 0) != 0;
  const Permutation& wanted = is_last ? push.inverse : push.order;
  if (wanted.size() < 2 || wanted != channels_to_front(wanted.size())) return false;
  set_attribute(push.node, integer_attribute("channels_last", is_last ? 0 : 1));
  return pass(push);
}

constexpr std::array kElementwise = {"Cast",       "Exp",       "Gelu",
                                     "Identity",   "LeakyRelu", "Log",
                                     "Reciprocal", "Relu",      "Sigmoid",
                                     "Sqrt",       "Tanh",      "Abs",
                                     "Not",        "Ceil",      "Floor",
                                     "Neg",        "Erf",       "HardSigmoid",
                                     "Round",      "IsInf",     "IsNaN",
                                     "Selu",       "Shrink",    "Sign",
                                     "Softplus",   "Softsign",  "ThresholdedRelu",
                                     "Celu",       "HardSwish", "Sin",
                                     "Cos",        "Tan",       "Sinh",
                                     "Cosh",       "Asin",      "Acos",
                                     "Atan",       "Asinh",     "Acosh",
                                     "Atanh",      "Clip",      "CastLike"};
constexpr std::array kBroadcast = {
    "Add",         "Max",  "Min",   "Mul",      "Sub",   "Div",     "And",  "Or",
    "Xor",         "Mod",  "PRelu", "BitShift", "Equal", "Greater", "Less", "GreaterOrEqual",
    "LessOrEqual", "Mean", "Sum",   "Pow",      "Where"};
constexpr std::array kReductions = {
    "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",       "ReduceMean", "ReduceMin",
    "ReduceProd",   "ReduceSum",       "ReduceSumSquare", "ReduceL1",   "ReduceL2"};

using Handlers = std::unordered_map<std::string_view, TransposeHandler>;

Handlers standard_handlers() {
  Handlers all = {
      {"Transpose", {first_input, pass_transpose, false}},
      {"Concat", {all_inputs, pass_joined}},
      {"Split", {first_input, pass_cut}},
      {"Gather", {first_input, pass_gather}},
      {"Shape", {first_input, pass_shape, false}},
      {"Pad", {first_input, pass_pad}},
      {"ArgMin", {first_input, pass_extreme}},
      {"ArgMax", {first_input, pass_extreme}},
      {"Squeeze", {first_input, pass_squeeze}},
      {"Unsqueeze", {first_input, pass_unsqueeze}},
      {"Slice", {first_input, pass_slice}},
      {"Tile", {first_input, pass_tile}},
      {"Softmax", {first_input, pass_softmax}},
      {"Hardmax", {first_input, pass_softmax}},
      {"LogSoftmax", {first_input, pass_softmax}},
      {"QuantizeLinear", {first_input, pass_quantisation}},
      {"DequantizeLinear", {first_input, pass_quantisation}},
      {"Reshape", {first_input, pass_reshape, false}},
      {"MaxPool", {first_input, pass_max_pool}},
      {"Resize", {first_input, pass_resize}},
  };
  for (const std::string_view op : kElementwise) all[op] = {first_input, pass};
  for (const std::string_view op : kBroadcast) all[op] = {all_inputs, pass_broadcast};
  for (const std::string_view op : kReductions) all[op] = {first_input, pass_reduction};
  return all;
}

Handlers microsoft_handlers() {
  return {
      {"QuantizeLinear", {first_input, pass_quantisation}},
      {"DequantizeLinear", {first_input, pass_quantisation}},
      {"QLinearAdd", {quantised_operands, pass_broadcast}},
      {"QLinearMul", {quantised_operands, pass_broadcast}},
      {"QLinearAveragePool", {first_input, pass_quantised_pool}},
      {"QLinearGlobalAveragePool", {first_input, pass_quantised_pool}},
      {"QLinearConcat", {quantised_parts, pass_joined}},
      {"QLinearLeakyRelu", {first_input, pass}},
      {"QLinearReduceMean", {first_input, pass_reduction}},
      {"QLinearSigmoid", {first_input, pass}},
      {"QLinearSoftmax", {first_input, pass_softmax}},
  };
}

}  // namespace

const TransposeHandler* transpose_handler(const Node& node) {
  static const Handlers kStandard = standard_handlers();
  static const Handlers kMicrosoft = microsoft_handlers();
  const bool is_known_domain = is_standard(node) || node.domain == kMicrosoftDomain;
  if (!is_known_domain) return nullptr;
  const Handlers& handlers = is_standard(node) ? kStandard : kMicrosoft;
  const auto found = handlers.find(node.op);
  return found == handlers.end() ? nullptr : &found->second;
}

}  // namespace jouletree::predict
