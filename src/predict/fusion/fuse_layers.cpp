#include <algorithm>
#include <set>

#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

bool is_layer_type(DataType type) {
  return type == DataType::Float32 || type == DataType::Float16 || type == DataType::BFloat16;
}

/// Products of attention stay as they are, for a rule that looks for them: three behind one
/// normalisation, whose result is also added to the fourth.
class AttentionPatterns {
 public:
  explicit AttentionPatterns(const GraphEdit& edit) : edit_(edit) {}

  [[nodiscard]] bool holds(const Node& product, const Node& sum) {
    const Node* const norm = edit_.producer(product.inputs[0]);
    if (norms_.contains(norm) || sums_.contains(&sum)) return true;
    if (norm == nullptr || norm->op != "LayerNormalization") return false;
    const ValueId value = norm->outputs[0];
    int products = 0;
    int sums = 0;
    int others = 0;
    const Node* residual = nullptr;
    for (const Node* const reader : edit_.readers(value)) {
      if (reader->op == "MatMul") {
        ++products;
      } else if (reader->op == "Add") {
        ++sums;
        residual = reader;
      } else if (reader->op != "Shape") {
        ++others;
      }
    }
    if (products != 3 || sums != 1 || others != 0) return false;
    const Node* const last = edit_.producer(other_input(*residual, value));
    if (last == nullptr || last->op != "Add") return false;
    norms_.insert(norm);
    sums_.insert(last);
    return true;
  }

 private:
  const GraphEdit& edit_;
  std::set<const Node*> norms_;
  std::set<const Node*> sums_;
};

bool is_one(Dim dim) { return dim == 1; }

/// The addend can be that of a Gemm with these rows and columns.
bool fits_layer(const GraphEdit& edit, ValueId addend, ValueId left, Dim columns) {
  const auto& dims = edit.dims(addend);
  const auto& rows = edit.dims(left);
  if (!dims || columns == kUnknownDim) return false;
  if (dims->size() == 1) return dims->front() == columns;
  if (dims->size() != 2 || rows->size() != 2) return false;
  if (is_one((*dims)[0])) return (*dims)[1] == columns;
  return (*dims)[0] == (*rows)[0] && (*dims)[0] != kUnknownDim &&
         (is_one((*dims)[1]) || (*dims)[1] == columns);
}

Dim rows_of(const Dims& dims) {
  Dim rows = 1;
  for (std::size_t i = 0; i + 1 < dims.size(); ++i) rows *= dims[i];
  return rows;
}

void become_layer(GraphEdit& edit, Node& product, Node& sum, ValueId bias) {
  const std::vector<ValueId> inputs{product.inputs[0], product.inputs[1], bias};
  const int opset = product.opset;
  Node& layer = edit.merge({&product, &sum}, product, "Gemm", inputs);
  layer.domain = "";
  layer.opset = opset;
}

/// The product of the rows of all matrices with the weights.
void become_flat_layer(GraphEdit& edit, Node& product, Node& sum, ValueId bias) {
  const Dims from = *edit.dims(product.inputs[0]);
  const Dim depth = (*edit.dims(product.inputs[1]))[0];
  const Dim columns = (*edit.dims(product.inputs[1]))[1];
  const Dim rows = rows_of(from);
  const ValueId input = product.inputs[0];
  const ValueId output = sum.outputs[0];
  const DataType type = edit.type(input);
  Dims to = from;
  to.back() = columns;
  const ValueId flat = edit.add_value("gemm_input", type, {rows, depth}, {rows, depth});
  const ValueId made = edit.add_value("gemm_output", type, {rows, columns}, {rows, columns});
  become_layer(edit, product, sum, bias);
  Node& layer = *edit.producer(output);
  edit.insert_before(layer,
                     {"Reshape", "", {input, edit.add_integers("shape", {rows, depth})}, {flat}});
  edit.set_input(layer, 0, flat);
  edit.set_outputs(layer, {made});
  edit.insert_after(layer, {"Reshape", "", {made, edit.add_integers("shape", to)}, {output}});
}

void fuse_layer(GraphEdit& edit, Node& product, AttentionPatterns& patterns) {
  Node* const sum = edit.only_reader(product.outputs[0], "Add");
  const auto& weights = edit.dims(product.inputs[1]);
  const auto& rows = edit.dims(product.inputs[0]);
  if (sum == nullptr || !is_layer_type(edit.type(product.inputs[0])) || !rows || !weights ||
      weights->size() != 2)
    return;
  const bool is_flat = rows->size() == 2;
  if (!is_flat && (patterns.holds(product, *sum) || !edit.has_known_dims(product.inputs[0]) ||
                   !edit.has_known_dims(product.inputs[1])))
    return;
  const ValueId bias = other_input(*sum, product.outputs[0]);
  if (!fits_layer(edit, bias, product.inputs[0], (*weights)[1])) return;
  if (is_flat) {
    become_layer(edit, product, *sum, bias);
  } else {
    become_flat_layer(edit, product, *sum, bias);
  }
}

}  // namespace

void fuse_layers(GraphEdit& edit) {
  AttentionPatterns patterns(edit);
  for (Node* const node : edit.nodes())
    if (!edit.is_removed(*node) && is_op(node, "MatMul")) fuse_layer(edit, *node, patterns);
}

}  // namespace jouletree::predict
