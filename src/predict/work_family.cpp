#include "predict/work_family.hpp"

#include <algorithm>
#include <array>

#include "predict/operator_load.hpp"
#include "predict/operator_names.hpp"

namespace jouletree::predict {
namespace {

using model::OperatorRow;

/// Each of these does something of its own: trees, boxes, texts, Fourier transforms.
constexpr std::array<std::string_view, 6> kUnlikeEachOther = {
    "classical", "control_flow", "detection", "sequence", "signal", "text"};

template <class List>
bool holds(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

std::string product_family(const OperatorRow& row) {
  if (row.facts.recurs) return "recurrence";
  if (model::is_convolution(row.facts)) return "convolution";
  return row.facts.work == model::WorkKind::Attention ? "attention" : "product";
}

std::string family_of_row(const OperatorRow& row) {
  if (model::is_product_kind(row.facts.work))
    return (row.facts.narrow ? "8-bit " : "") + product_family(row);
  if (holds(kUnlikeEachOther, row.family) || row.facts.searches)
    return type_key(std::string(row.op));
  if (row.facts.windows || row.family == "pooling" || row.op.find("Pool") != std::string_view::npos)
    return "pooling";
  if (row.facts.view || row.facts.keeps_values) return "streaming";
  if (!row.facts.lookups.empty() || row.facts.picks || row.family == "indexing") return "lookup";
  return row.family == "resize" ? "resampling" : "streaming";
}

}  // namespace

std::string work_family(std::string_view type) {
  const std::string_view plain = type.substr(0, type.find_first_of(" /"));
  if (is_disguised_linear(plain)) return "product";
  const OperatorRow* const row = row_of_type(plain);
  if (row != nullptr) return family_of_row(*row);
  return likely_kind(plain) == model::WorkKind::Convolution ? "convolution"
                                                            : type_key(std::string(plain));
}

}  // namespace jouletree::predict
