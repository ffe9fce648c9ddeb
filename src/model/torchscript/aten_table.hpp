#pragma once

#include <span>
#include <string_view>

#include "model/torchscript/translations.hpp"

namespace jouletree::model::torchscript {

/// How an operator of PyTorch maps to the operator table.
struct AtenRow {
  std::string_view name;  ///< With its namespace: "aten::relu".
  std::string_view domain;
  std::string_view op;
  Translation translate;
};

[[nodiscard]] std::span<const AtenRow> aten_rows();

/// Null where the operator has no row. In-place forms ("aten::relu_") are those without "_".
[[nodiscard]] const AtenRow* find_aten(std::string_view name);

/// The same of operators that are taken apart when they run: only for calls of which it is not
/// known what they call themselves.
[[nodiscard]] const AtenRow* find_composite(std::string_view name);

/// Calls that compute and move nothing: they reserve memory or hand a value to the program.
[[nodiscard]] bool does_nothing(std::string_view name);

}  // namespace jouletree::model::torchscript
