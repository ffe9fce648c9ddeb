#include "model/operators/table.hpp"

#include <vector>

#include "base/text_index.hpp"
#include "model/operators/families.hpp"
#include "model/operators/short_names.hpp"

namespace jouletree::model {
namespace {

struct RowFamily {
  std::string_view name;
  std::span<const OperatorRow> (*rows)();
};

constexpr RowFamily kFamilies[] = {
    {"activation", activation_rows},
    {"arithmetic", arithmetic_rows},
    {"attention", attention_rows},
    {"classical", classical_rows},
    {"control_flow", control_flow_rows},
    {"convolution", convolution_rows},
    {"creation", creation_rows},
    {"detection", detection_rows},
    {"indexing", indexing_rows},
    {"layout", layout_rows},
    {"logic", logic_rows},
    {"matmul", matmul_rows},
    {"normalization", normalization_rows},
    {"pooling", pooling_rows},
    {"quantization", quantization_rows},
    {"recurrent", recurrent_rows},
    {"reduction", reduction_rows},
    {"resize", resize_rows},
    {"sequence", sequence_rows},
    {"signal", signal_rows},
    {"text", text_rows},
    {"torch", torch_rows},
    {"torch_gradient", torch_gradient_rows},
    {"torch_loss", torch_loss_rows},
    {"torch_optimizer", torch_optimizer_rows},
    {"torch_product", torch_product_rows},
    {"training", training_rows},
};

constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

std::vector<OperatorRow> all_rows() {
  std::vector<OperatorRow> rows;
  for (const RowFamily& family : kFamilies) {
    for (OperatorRow row : family.rows()) {
      row.family = family.name;
      rows.push_back(row);
    }
  }
  return rows;
}

struct Table {
  std::vector<OperatorRow> rows = all_rows();
  ShortNames standard;  ///< Rows of the standard operators whose names are short: nearly all.
  TextIndex first_by_name;
  std::vector<std::uint32_t> next_of_name;  ///< By row: the same operator in another domain.

  Table() : standard(rows.size()) {
    first_by_name.reserve(rows.size());
    next_of_name.resize(rows.size(), kNoRow);
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      if (rows[i].domain.empty() && rows[i].op.size() <= ShortNames::kLongest)
        standard.add(rows[i].op, i);
      std::uint32_t last = *first_by_name.add(rows[i].op, i).first;
      if (last == i) continue;
      while (next_of_name[last] != kNoRow) last = next_of_name[last];
      next_of_name[last] = i;
    }
  }
};

const Table& table() {
  static const Table instance;
  return instance;
}

}  // namespace

const OperatorRow* find_operator(std::string_view domain, std::string_view op) {
  if (domain == "ai.onnx") domain = kOnnx;
  const Table& all = table();
  if (domain.empty() && op.size() <= ShortNames::kLongest) {
    const std::uint32_t row = all.standard.find(op);
    return row == ShortNames::kNone ? nullptr : &all.rows[row];
  }
  const std::uint32_t* const first = all.first_by_name.find(op);
  if (first == nullptr) return nullptr;
  for (std::uint32_t i = *first; i != kNoRow; i = all.next_of_name[i])
    if (all.rows[i].domain == domain) return &all.rows[i];
  return nullptr;
}

const OperatorFacts& facts_of(std::string_view domain, std::string_view op) {
  static constexpr OperatorFacts kNothingSpecial{};
  const OperatorRow* const row = find_operator(domain, op);
  return row == nullptr ? kNothingSpecial : row->facts;
}

ValueId first_weights(const OperatorRow& row, const Node& node, std::size_t first) {
  while (first < node.inputs.size() && !has_slot(row.constants.weights, first)) ++first;
  return first < node.inputs.size() ? node.inputs[first] : kNoValue;
}

std::span<const OperatorRow> operator_rows() { return table().rows; }

}  // namespace jouletree::model
