#include "predict/operator_names.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

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
constexpr TorchName kTorchFunctions[] = {
    {"bmm", "MatMul"}, {"addmm", "Gemm"}, {"convolution", "Conv"}};

/// Rows of the table that do what another row does, with other operands or in another engine.
struct Synonym {
  std::string_view key;
  std::string_view common;
};
constexpr Synonym kSynonyms[] = {
    {"linear", "gemm"},
    {"addmatmul", "gemm"},
    {"rmsnorm", "rmsnormalization"},
    {"simplifiedlayernormalization", "rmsnormalization"},
    {"globalaveragepool", "adaptiveaveragepool"},
    {"fastgelu", "gelu"},
    {"quickgelu", "swish"},
};

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
  // As files spell nearly all of them: found without a copy in lower case.
  static const auto kSpelt = [] {
    std::unordered_map<std::string_view, const model::OperatorRow*> spelt;
    for (const model::OperatorRow& row : model::operator_rows())
      spelt.emplace(row.op, kRows.find(type_key(std::string(row.op)))->second);
    return spelt;
  }();
  if (const auto spelt = kSpelt.find(type); spelt != kSpelt.end()) return spelt->second;
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

std::string common_name(std::string_view type) {
  if (is_disguised_linear(type)) return "gemm";
  const model::OperatorRow* const row = row_of_type(type);
  std::string key = type_key(std::string(type));
  if (row != nullptr)
    key = type_key(std::string(row->facts.costs_like.empty() ? row->op : row->facts.costs_like));
  for (const Synonym& synonym : kSynonyms)
    if (synonym.key == key) return std::string(synonym.common);
  return key;
}

std::size_t module_rank(std::string_view type) {
  const std::string key = type_key(std::string(type));
  const auto* const found = std::find_if(
      std::begin(kTorchModules), std::end(kTorchModules),
      [&](const TorchName& torch) { return type_key(std::string(torch.name)) == key; });
  return static_cast<std::size_t>(found - std::begin(kTorchModules));
}

bool is_disguised_linear(std::string_view type) { return type == "Conv1D"; }

bool is_spelt_out(std::string_view type) { return type == "Erf"; }

bool is_torch_module(std::string_view type) {
  return std::any_of(std::begin(kTorchModules), std::end(kTorchModules),
                     [&](const TorchName& torch) { return torch.name == type; });
}

}  // namespace jouletree::predict
