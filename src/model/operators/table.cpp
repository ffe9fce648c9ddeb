#include "model/operators/table.hpp"

#include <unordered_map>
#include <vector>

#include "model/operators/families.hpp"

namespace jouletree::model {
namespace {

constexpr std::span<const OperatorRow> (*kFamilies[])() = {
    activation_rows,    arithmetic_rows, attention_rows,      classical_rows,  control_flow_rows,
    convolution_rows,   creation_rows,   detection_rows,      indexing_rows,   layout_rows,
    logic_rows,         matmul_rows,     normalization_rows,  pooling_rows,    quantization_rows,
    recurrent_rows,     reduction_rows,  resize_rows,         sequence_rows,   signal_rows,
    text_rows,          torch_rows,      torch_gradient_rows, torch_loss_rows, torch_optimizer_rows,
    torch_product_rows, training_rows,
};

struct Table {
  std::vector<OperatorRow> rows;
  std::unordered_map<std::string_view, std::vector<const OperatorRow*>> by_name;

  Table() {
    for (const auto family : kFamilies) {
      const auto added = family();
      rows.insert(rows.end(), added.begin(), added.end());
    }
    for (const OperatorRow& row : rows) by_name[row.op].push_back(&row);
  }
};

const Table& table() {
  static const Table instance;
  return instance;
}

}  // namespace

const OperatorRow* find_operator(std::string_view domain, std::string_view op) {
  if (domain == "ai.onnx") domain = kOnnx;
  const auto found = table().by_name.find(op);
  if (found == table().by_name.end()) return nullptr;
  for (const OperatorRow* row : found->second)
    if (row->domain == domain) return row;
  return nullptr;
}

const OperatorFacts& facts_of(std::string_view domain, std::string_view op) {
  static constexpr OperatorFacts kNothingSpecial{};
  const OperatorRow* const row = find_operator(domain, op);
  return row == nullptr ? kNothingSpecial : row->facts;
}

std::span<const OperatorRow> operator_rows() { return table().rows; }

}  // namespace jouletree::model
