#include "model/torchscript/aten_table.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "model/torchscript/aten_rows.hpp"

namespace jouletree::model::torchscript {
namespace {

constexpr std::array<std::string_view, 27> kNothing = {"aten::empty",
                                                       "aten::empty_like",
                                                       "aten::empty_strided",
                                                       "aten::new_empty",
                                                       "aten::resize_",
                                                       "aten::resize_as_",
                                                       "aten::set_",
                                                       "aten::item",
                                                       "aten::_local_scalar_dense",
                                                       "aten::is_nonzero",
                                                       "aten::size",
                                                       "aten::lift",
                                                       "aten::requires_grad_",
                                                       "aten::detach_",
                                                       "aten::resolve_conj",
                                                       "aten::resolve_neg",
                                                       "aten::new_empty_strided",
                                                       "aten::empty_permuted",
                                                       "aten::_empty_affine_quantized",
                                                       "aten::_empty_per_channel_affine_quantized",
                                                       "aten::empty_quantized",
                                                       "aten::record_stream",
                                                       "aten::sym_size",
                                                       "aten::_assert_async",
                                                       "aten::_assert_tensor_metadata",
                                                       "aten::_assert_scalar",
                                                       "aten::_debug_has_internal_overlap"};

const std::vector<AtenRow>& all_rows() {
  static const auto rows = [] {
    std::vector<AtenRow> joined;
    for (const auto family :
         {aten_element_rows(), aten_move_rows(), aten_product_rows(), aten_training_rows()})
      joined.insert(joined.end(), family.begin(), family.end());
    return joined;
  }();
  return rows;
}

using RowsByName = std::unordered_map<std::string_view, const AtenRow*>;

RowsByName by_name(std::span<const AtenRow> rows) {
  RowsByName index;
  for (const AtenRow& row : rows) index.emplace(row.name, &row);
  return index;
}

const AtenRow* find_exact(const RowsByName& rows, std::string_view name) {
  const auto found = rows.find(name);
  return found == rows.end() ? nullptr : found->second;
}

/// In-place forms are those without "_".
const AtenRow* find_any_form(const RowsByName& rows, std::string_view name) {
  if (const AtenRow* row = find_exact(rows, name); row != nullptr) return row;
  if (name.empty() || name.back() != '_') return nullptr;
  name.remove_suffix(1);
  return find_exact(rows, name);
}

}  // namespace

std::span<const AtenRow> aten_rows() { return all_rows(); }

const AtenRow* find_aten(std::string_view name) {
  static const RowsByName rows = by_name(all_rows());
  return find_any_form(rows, name);
}

const AtenRow* find_composite(std::string_view name) {
  static const RowsByName rows = by_name(aten_composite_rows());
  return find_any_form(rows, name);
}

bool does_nothing(std::string_view name) {
  return std::find(kNothing.begin(), kNothing.end(), name) != kNothing.end();
}

}  // namespace jouletree::model::torchscript
