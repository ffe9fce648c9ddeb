#pragma once

#include <span>

#include "model/torchscript/aten_table.hpp"

namespace jouletree::model::torchscript {

// The rows of the table, by family; each stands in the file of the same name.
[[nodiscard]] std::span<const AtenRow> aten_element_rows();
[[nodiscard]] std::span<const AtenRow> aten_move_rows();
[[nodiscard]] std::span<const AtenRow> aten_product_rows();
[[nodiscard]] std::span<const AtenRow> aten_training_rows();
[[nodiscard]] std::span<const AtenRow> aten_composite_rows();

}  // namespace jouletree::model::torchscript
