#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "jouletree/value_type.hpp"

namespace jouletree::model {

/// The value of a dimension that exporters write as an expression of others, such as
/// "past_sequence_length + sequence_length" or "floor(height/8)"; `symbol` gives the value of a
/// name. Nothing where it is no sum, product or quotient of names and numbers.
[[nodiscard]] std::optional<Dim> evaluate_dim_expression(
    std::string_view text, const std::function<std::optional<Dim>(std::string_view)>& symbol);

/// Calls `visit` with every name in the expression; false where it is not one.
[[nodiscard]] bool visit_dim_symbols(std::string_view text,
                                     const std::function<void(std::string_view)>& visit);

}  // namespace jouletree::model
