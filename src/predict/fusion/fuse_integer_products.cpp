#include <algorithm>

#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

// Inputs of MatMulIntegerToFloat, as the engine writes it.
enum : std::size_t {
  kLeft = 0,
  kRight = 1,
  kLeftScale = 2,
  kRightScale = 3,
  kLeftZero = 4,
  kRightZero = 5,
  kBias = 6,
};

Node* parent(const GraphEdit& edit, const Node& node, std::string_view op) {
  for (const ValueId value : node.inputs)
    if (Node* const found = edit.producer(value, op)) return found;
  return nullptr;
}

/// One element per column, in a tensor of any rank.
bool is_row(const GraphEdit& edit, ValueId value) {
  const auto& dims = edit.dims(value);
  if (!edit.is_constant(value) || !dims || dims->empty() || dims->back() <= 1) return false;
  return std::all_of(dims->begin(), dims->end() - 1, [](Dim dim) { return dim == 1; });
}

/// Whole numbers that are made real and multiplied with the product of two scales.
void scale_product(GraphEdit& edit, Node& scaled) {
  Node* const cast = parent(edit, scaled, "Cast");
  Node* const product = cast == nullptr ? nullptr : parent(edit, *cast, "MatMulInteger");
  Node* const scales = parent(edit, scaled, "Mul");
  if (product == nullptr || scales == nullptr || edit.only_reader(cast->outputs[0]) == nullptr ||
      edit.only_reader(product->outputs[0]) == nullptr ||
      edit.only_reader(scales->outputs[0]) == nullptr)
    return;
  std::vector<ValueId> inputs{input_of(*product, 0), input_of(*product, 1), input_of(*scales, 0),
                              input_of(*scales, 1),  input_of(*product, 2), input_of(*product, 3)};
  std::vector<Node*> members{product, cast, scales, &scaled};
  Node* const sum = edit.only_reader(scaled.outputs[0], "Add");
  const ValueId bias = sum == nullptr ? kNoValue : other_input(*sum, scaled.outputs[0]);
  if (is_row(edit, bias)) {
    inputs.push_back(bias);
    members.push_back(sum);
  }
  edit.merge(members, *product, "MatMulIntegerToFloat", std::move(inputs)).attributes.clear();
}

/// Constant, or not there.
bool is_settled(const GraphEdit& edit, ValueId value) {
  return value == kNoValue || edit.is_constant(value);
}

/// Three reads: of the numbers, their scale and their zero point.
constexpr std::size_t kReadsByOneProduct = 3;

/// What is quantised for one product alone is quantised by its kernel.
void quantise_inside(GraphEdit& edit, Node& product) {
  Node* const quantised = parent(edit, product, "DynamicQuantizeLinear");
  if (quantised == nullptr || !edit.is_constant(input_of(product, kRight)) ||
      !edit.is_constant(input_of(product, kRightScale)) ||
      !is_settled(edit, input_of(product, kRightZero)) ||
      !is_settled(edit, input_of(product, kBias)))
    return;
  std::size_t reads = 0;
  for (const ValueId value : quantised->outputs) {
    if (edit.is_output(value)) return;
    reads += edit.readers(value).size();
  }
  if (reads != kReadsByOneProduct) return;
  const std::vector<ValueId> inputs{quantised->inputs[0], input_of(product, kRight),
                                    input_of(product, kRightScale), input_of(product, kRightZero),
                                    input_of(product, kBias)};
  edit.merge({quantised, &product}, product, "DynamicQuantizeMatMul", inputs);
}

}  // namespace

void fuse_integer_products(GraphEdit& edit) {
  for (Node* const node : edit.nodes())
    if (!edit.is_removed(*node) && is_op(node, "Mul")) scale_product(edit, *node);
  for (Node* const node : edit.nodes())
    if (!edit.is_removed(*node) && is_microsoft(node, "MatMulIntegerToFloat"))
      quantise_inside(edit, *node);
}

}  // namespace jouletree::predict
