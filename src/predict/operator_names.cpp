#include "predict/operator_names.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "predict/operator_load.hpp"

namespace jouletree::predict {
namespace {

/// A name in PyTorch and the operator that does the same work.
struct TorchName {
  std::string_view name;
  std::string_view op;
};

constexpr TorchName kTorchModules[] = {
    {"Linear", "Gemm"},
    {"Conv1d", "Conv"},
    {"Conv2d", "Conv"},
    {"Conv3d", "Conv"},
    {"Conv1D", "Conv"},  // of GPT-2: a linear layer, as its shapes tell
    {"BatchNorm1d", "BatchNormalization"},
    {"BatchNorm2d", "BatchNormalization"},
    {"LayerNorm", "LayerNormalization"},
    {"RMSNorm", "RMSNormalization"},
    {"GroupNorm", "GroupNormalization"},
    {"Embedding", "Gather"},
    {"ReLU", "Relu"},
    {"ReLU6", "Clip"},
    {"GELU", "Gelu"},
    {"SiLU", "Swish"},
    {"Hardswish", "HardSwish"},
    {"MaxPool2d", "MaxPool"},
    {"AvgPool2d", "AveragePool"},
    {"AdaptiveAvgPool2d", "AdaptiveAveragePool"},
    {"MultiheadAttention", "MultiHeadAttention"},
    {"NewGELUActivation", "Gelu"},
};
constexpr TorchName kTorchFunctions[] = {{"bmm", "MatMul"}, {"addmm", "Gemm"}};

using RowsByName = std::map<std::string, const model::OperatorRow*, std::less<>>;

RowsByName all_names() {
  RowsByName rows;
  std::map<std::string_view, const model::OperatorRow*> by_op;
  for (const model::OperatorRow& row : model::operator_rows()) {
    by_op.emplace(row.op, &row);
    rows.emplace(type_key(std::string(row.op)), &row);
  }
  const auto add = [&](const TorchName& torch) {
    rows.emplace(type_key(std::string(torch.name)), by_op.at(torch.op));
  };
  for (const TorchName& torch : kTorchModules) add(torch);
  for (const TorchName& torch : kTorchFunctions) add(torch);
  return rows;
}

}  // namespace

const model::OperatorRow* row_of_type(std::string_view type) {
  static const RowsByName kRows = all_names();
  const auto known = kRows.find(type_key(std::string(type)));
  return known == kRows.end() ? nullptr : known->second;
}

const model::OperatorFacts* facts_of_type(std::string_view type) {
  const model::OperatorRow* const row = row_of_type(type);
  return row == nullptr ? nullptr : &row->facts;
}

model::WorkKind likely_kind(std::string_view type) {
  if (const model::OperatorFacts* const facts = facts_of_type(type)) return facts->work;
  const std::string key = type_key(std::string(type));
  const auto contains = [&](std::string_view part) { return key.find(part) != std::string::npos; };
  if (contains("softmax")) return model::WorkKind::Scores;
  if (contains("conv") && !contains("transpose")) return model::WorkKind::Convolution;
  return model::WorkKind::Elementwise;
}

bool is_disguised_linear(std::string_view type) { return type == "Conv1D"; }

bool is_torch_module(std::string_view type) {
  return std::any_of(std::begin(kTorchModules), std::end(kTorchModules),
                     [&](const TorchName& torch) { return torch.name == type; });
}

}  // namespace jouletree::predict
