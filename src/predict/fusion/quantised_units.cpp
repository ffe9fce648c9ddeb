#include <algorithm>
#include <array>

#include "predict/fusion/quantisation.hpp"
#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

/// An operator with everything that dequantises what it reads and quantises what it makes.
struct Unit {
  Node* target = nullptr;
  std::vector<Node*> before;  ///< In the order of the inputs.
  std::vector<Node*> behind;  ///< In the order of the outputs; empty where nothing quantises.
};

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::size_t count_of_values(const std::vector<ValueId>& values) {
  return static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [](ValueId id) { return id != kNoValue; }));
}

bool is_16_bit(DataType type) { return type == DataType::Int16 || type == DataType::UInt16; }
bool is_4_bit(DataType type) { return type == DataType::Int4 || type == DataType::UInt4; }

/// The numbers that the i-th operand of a unit is stored in.
DataType operand_type(const GraphEdit& edit, const Unit& unit, std::size_t i) {
  return stored_type(edit, *unit.before[i]);
}

/// Nothing where the unit is not closed: others read what is dequantised for it, or what it makes.
std::optional<Unit> unit_around(const GraphEdit& edit, Node& target) {
  Unit unit;
  unit.target = &target;
  for (const ValueId value : target.inputs) {
    Node* const before = edit.producer(value);
    if (!is_op(before, "DequantizeLinear")) continue;
    if (edit.only_reader(value) == nullptr) return std::nullopt;
    unit.before.push_back(before);
  }
  std::size_t readers = 0;
  for (const ValueId value : target.outputs) {
    if (value == kNoValue) continue;
    for (Node* const reader : edit.readers(value)) {
      ++readers;
      if (is_op(reader, "QuantizeLinear")) unit.behind.push_back(reader);
    }
  }
  // An activation in between would have to be taken in, too.
  if (unit.behind.empty() && readers == 1) {
    for (const ValueId value : target.outputs) {
      const Node* const reader = edit.only_reader(value);
      if (is_op(reader, "Relu") || is_op(reader, "Clip")) return std::nullopt;
    }
  }
  if (unit.behind.empty()) return unit;
  const bool is_closed = unit.behind.size() == readers &&
                         unit.behind.size() == count_of_values(target.outputs) &&
                         std::none_of(target.outputs.begin(), target.outputs.end(),
                                      [&](ValueId value) { return edit.is_output(value); });
  return is_closed ? std::optional(unit) : std::nullopt;
}

bool has_one_type(const GraphEdit& edit, const Unit& unit) {
  const DataType type = operand_type(edit, unit, 0);
  for (std::size_t i = 1; i < unit.before.size(); ++i)
    if (operand_type(edit, unit, i) != type) return false;
  return std::all_of(unit.behind.begin(), unit.behind.end(),
                     [&](const Node* quantise) { return stored_type(edit, *quantise) == type; });
}

/// Value, scale, zero point; the engine stores zero points that are left out.
void append_operand(GraphEdit& edit, const Node& dequantise, std::vector<ValueId>& inputs) {
  const Quantisation quantisation = quantisation_of(dequantise);
  inputs.push_back(dequantise.inputs[0]);
  inputs.push_back(quantisation.scale);
  inputs.push_back(quantisation.zero != kNoValue
                       ? quantisation.zero
                       : edit.add_stored("zero_point", stored_type(edit, dequantise), {}));
}

void append_result(GraphEdit& edit, const Node& quantise, std::vector<ValueId>& inputs) {
  const Quantisation quantisation = quantisation_of(quantise);
  inputs.push_back(quantisation.scale);
  inputs.push_back(quantisation.zero != kNoValue
                       ? quantisation.zero
                       : edit.add_stored("zero_point", stored_type(edit, quantise), {}));
}

Node& replace(GraphEdit& edit, const Unit& unit, std::string_view op,
              const std::vector<ValueId>& inputs) {
  std::vector<Node*> members = unit.before;
  members.push_back(unit.target);
  if (!unit.behind.empty()) members.push_back(unit.behind[0]);
  // Stored operands are dequantised where nothing has run yet.
  const Node target = *unit.target;
  const ValueId result = unit.behind.empty() ? target.outputs[0] : unit.behind[0]->outputs[0];
  Node& made = edit.merge(members, target, op, inputs);
  edit.set_outputs(made, {result});
  return made;
}

// The kinds of units, with what each becomes. They return false where they leave it as it is.

constexpr std::array<std::string_view, 10> kMovers = {
    "Expand", "Flatten", "Gather", "GatherElements", "Reshape",
    "Slice",  "Squeeze", "Tile",   "Transpose",      "Unsqueeze"};
constexpr std::array<std::string_view, 3> kPickers = {"MaxPool", "ReduceMax", "ReduceMin"};

/// The same operator on whole numbers.
bool drop_around_mover(GraphEdit& edit, const Unit& unit) {
  const Node& node = *unit.target;
  const bool is_picker = is_among(kPickers, node.op);
  const bool is_resize = node.op == "Resize";
  if (!is_picker && !is_resize && !is_among(kMovers, node.op)) return false;
  if (unit.before.size() != 1 || unit.behind.size() != 1 ||
      unit.before[0]->outputs[0] != node.inputs[0])
    return false;
  const DataType type = operand_type(edit, unit, 0);
  const bool is_narrow = !is_16_bit(type) && !is_4_bit(type);
  constexpr int kPoolsBytesSince = 12;
  if (node.op == "MaxPool" && node.opset < kPoolsBytesSince) return false;
  if ((is_picker || is_resize) && !is_narrow) return false;
  if (is_picker && edit.scalar(quantisation_of(*unit.behind[0]).scale).value_or(0) <= 0)
    return false;
  if (!quantise_alike(edit, *unit.before[0], *unit.behind[0])) return false;
  edit.set_input(*unit.target, 0, unit.before[0]->inputs[0]);
  edit.remove(*unit.before[0]);
  const ValueId made = unit.behind[0]->outputs[0];
  edit.remove(*unit.behind[0]);
  edit.set_outputs(*unit.target, {made});
  return true;
}

bool drop_around_split(GraphEdit& edit, const Unit& unit) {
  Node& node = *unit.target;
  if (node.op != "Split" || unit.before.size() != 1 || unit.behind.empty()) return false;
  for (const Node* const quantise : unit.behind)
    if (!quantise_alike(edit, *unit.before[0], *quantise)) return false;
  edit.set_input(node, 0, unit.before[0]->inputs[0]);
  edit.remove(*unit.before[0]);
  std::vector<ValueId> outputs;
  for (Node* const quantise : unit.behind) {
    outputs.push_back(quantise->outputs[0]);
    edit.remove(*quantise);
  }
  edit.set_outputs(node, std::move(outputs));
  return true;
}

/// What is largest does not depend on the scale.
bool drop_before_search(GraphEdit& edit, const Unit& unit) {
  if (unit.target->op != "ArgMax" || unit.before.size() != 1) return false;
  const DataType type = operand_type(edit, unit, 0);
  if (is_16_bit(type) || is_4_bit(type) || !has_stored_scalars(edit, *unit.before[0])) return false;
  edit.set_input(*unit.target, 0, unit.before[0]->inputs[0]);
  edit.remove(*unit.before[0]);
  return true;
}

struct NewName {
  std::string_view plain;
  std::string_view quantised;
};

template <std::size_t N>
std::string_view quantised_name(const std::array<NewName, N>& names, std::string_view plain) {
  for (const NewName& name : names)
    if (name.plain == plain) return name.quantised;
  return {};
}

constexpr std::array<NewName, 5> kUnary = {{{"AveragePool", "QLinearAveragePool"},
                                            {"LeakyRelu", "QLinearLeakyRelu"},
                                            {"GlobalAveragePool", "QLinearGlobalAveragePool"},
                                            {"Sigmoid", "QLinearSigmoid"},
                                            {"Softmax", "QLinearSoftmax"}}};
constexpr std::array<NewName, 2> kBinary = {{{"Add", "QLinearAdd"}, {"Mul", "QLinearMul"}}};

bool is_bytes(const GraphEdit& edit, const Unit& unit) {
  const DataType type = operand_type(edit, unit, 0);
  return has_one_type(edit, unit) && !is_16_bit(type) && !is_4_bit(type);
}

bool replace_elementwise(GraphEdit& edit, const Unit& unit) {
  const std::string_view unary = quantised_name(kUnary, unit.target->op);
  const std::string_view binary = quantised_name(kBinary, unit.target->op);
  const std::size_t operands = !unary.empty() ? 1 : !binary.empty() ? 2 : 0;
  if (operands == 0 || unit.before.size() != operands || unit.behind.size() != 1 ||
      !is_bytes(edit, unit))
    return false;
  std::vector<ValueId> inputs;
  for (const Node* const before : unit.before) append_operand(edit, *before, inputs);
  append_result(edit, *unit.behind[0], inputs);
  const int opset = unit.target->opset;
  Node& made = replace(edit, unit, unary.empty() ? binary : unary, inputs);
  if (made.op == "QLinearSoftmax") made.attributes.push_back(integer_attribute("opset", opset));
  return true;
}

bool replace_concat(GraphEdit& edit, const Unit& unit) {
  if (unit.target->op != "Concat" || unit.behind.size() != 1 || unit.before.empty() ||
      unit.before.size() != unit.target->inputs.size() || !is_bytes(edit, unit))
    return false;
  std::vector<ValueId> inputs;
  append_result(edit, *unit.behind[0], inputs);
  for (const Node* const before : unit.before) append_operand(edit, *before, inputs);
  replace(edit, unit, "QLinearConcat", inputs);
  return true;
}

/// Signed activations have no kernels of their own on x86.
constexpr DataType kUnsupportedActivations = DataType::Int8;

bool are_factors_bytes(const GraphEdit& edit, const Unit& unit) {
  for (std::size_t i = 0; i < 2; ++i) {
    const DataType type = operand_type(edit, unit, i);
    if (is_16_bit(type) || is_4_bit(type)) return false;
  }
  return true;
}

bool has_whole_bias(const GraphEdit& edit, const Unit& unit) {
  return unit.before.size() < 3 || operand_type(edit, unit, 2) == DataType::Int32;
}

bool replace_convolution(GraphEdit& edit, const Unit& unit) {
  if (unit.target->op != "Conv" || unit.behind.size() != 1 || unit.before.size() < 2 ||
      unit.before.size() != count_of_values(unit.target->inputs) ||
      !are_factors_bytes(edit, unit) || !has_whole_bias(edit, unit))
    return false;
  const DataType type = operand_type(edit, unit, 0);
  if (type == kUnsupportedActivations || type != stored_type(edit, *unit.behind[0])) return false;
  std::vector<ValueId> inputs;
  append_operand(edit, *unit.before[0], inputs);
  append_operand(edit, *unit.before[1], inputs);
  append_result(edit, *unit.behind[0], inputs);
  if (unit.before.size() > 2) inputs.push_back(unit.before[2]->inputs[0]);
  const int opset = unit.target->opset;
  Node& made = replace(edit, unit, "QLinearConv", inputs);
  made.domain = "";
  made.opset = opset;
  return true;
}

bool replace_product(GraphEdit& edit, const Unit& unit) {
  if (unit.target->op != "MatMul" || unit.before.size() != 2 || !are_factors_bytes(edit, unit))
    return false;
  const DataType type = operand_type(edit, unit, 0);
  if (type == kUnsupportedActivations) return false;
  std::vector<ValueId> inputs;
  if (unit.behind.empty()) {
    const Quantisation left = quantisation_of(*unit.before[0]);
    const Quantisation right = quantisation_of(*unit.before[1]);
    inputs = {unit.before[0]->inputs[0],
              unit.before[1]->inputs[0],
              left.scale,
              right.scale,
              left.zero,
              right.zero};
    replace(edit, unit, "MatMulIntegerToFloat", inputs);
    return true;
  }
  if (type != stored_type(edit, *unit.behind[0])) return false;
  append_operand(edit, *unit.before[0], inputs);
  append_operand(edit, *unit.before[1], inputs);
  append_result(edit, *unit.behind[0], inputs);
  const int opset = unit.target->opset;
  Node& made = replace(edit, unit, "QLinearMatMul", inputs);
  made.domain = "";
  made.opset = opset;
  return true;
}

float real_of(const Node& node, std::string_view attribute, float usual) {
  const Attribute* const found = node.attribute(attribute);
  return found == nullptr ? usual : found->real;
}

bool replace_layer(GraphEdit& edit, const Unit& unit) {
  if (unit.target->op != "Gemm" || unit.before.size() < 2 ||
      unit.before.size() != count_of_values(unit.target->inputs) ||
      !are_factors_bytes(edit, unit) || !has_whole_bias(edit, unit))
    return false;
  const DataType type = operand_type(edit, unit, 0);
  if (type == DataType::Int8 && operand_type(edit, unit, 1) != type) return false;
  if (!unit.behind.empty() && type != stored_type(edit, *unit.behind[0])) return false;
  if (unit.before.size() > 2 && real_of(*unit.target, "beta", 1) != 1) return false;
  std::vector<ValueId> inputs;
  append_operand(edit, *unit.before[0], inputs);
  append_operand(edit, *unit.before[1], inputs);
  inputs.push_back(unit.before.size() > 2 ? unit.before[2]->inputs[0] : kNoValue);
  if (!unit.behind.empty()) append_result(edit, *unit.behind[0], inputs);
  replace(edit, unit, "QGemm", inputs);
  return true;
}

bool replace_choice(GraphEdit& edit, const Unit& unit) {
  if (unit.target->op != "Where" || unit.before.size() != 2 || unit.behind.size() != 1 ||
      !is_bytes(edit, unit))
    return false;
  std::vector<ValueId> inputs{unit.target->inputs[0]};
  for (const Node* const before : unit.before) append_operand(edit, *before, inputs);
  append_result(edit, *unit.behind[0], inputs);
  replace(edit, unit, "QLinearWhere", inputs);
  return true;
}

constexpr std::array kKinds = {drop_around_mover,   drop_around_split, drop_before_search,
                               replace_elementwise, replace_concat,    replace_convolution,
                               replace_product,     replace_layer,     replace_choice};

/// Numbers of one kind of bytes for all of them: a pair that nobody else reads is made unsigned.
void make_unsigned(GraphEdit& edit, Node& quantise) {
  Node* const dequantise = edit.only_reader(quantise.outputs[0]);
  if (!is_dequantise(dequantise) || stored_type(edit, quantise) != DataType::Int8 ||
      quantise.inputs.size() != 3 || dequantise->inputs.size() != 3)
    return;
  const ValueId zero = quantisation_of(quantise).zero;
  const auto number = edit.scalar(zero);
  if (!number || number != edit.scalar(quantisation_of(*dequantise).zero)) return;
  const ValueId raised = edit.add_number("zero_point", DataType::UInt8, *number + 128);
  const ValueId bytes = edit.add_value_like(quantise.outputs[0], DataType::UInt8);
  edit.set_input(quantise, 2, raised);
  edit.set_inputs(*dequantise, {bytes, dequantise->inputs[1], raised});
  edit.set_outputs(quantise, {bytes});
}

}  // namespace

void make_quantised_unsigned(GraphEdit& edit) {
  for (Node* const node : edit.nodes())
    if (!edit.is_removed(*node) && is_quantise(node)) make_unsigned(edit, *node);
}

void fuse_quantised_units(GraphEdit& edit) {
  for (Node* const node : edit.nodes()) {
    if (edit.is_removed(*node) || !is_standard(*node)) continue;
    const auto unit = unit_around(edit, *node);
    if (!unit || unit->before.empty()) continue;
    for (const auto& fuse : kKinds)
      if (fuse(edit, *unit)) break;
  }
}

void drop_repeated_quantisation(GraphEdit& edit) {
  for (Node* const node : edit.nodes()) {
    if (edit.is_removed(*node) || !is_dequantise(node)) continue;
    Node* const quantise = edit.only_reader(node->outputs[0]);
    if (is_quantise(quantise) && quantise_alike(edit, *node, *quantise))
      drop_pair(edit, *node, *quantise);
  }
}

}  // namespace jouletree::predict
