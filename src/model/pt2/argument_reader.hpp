#pragma once

#include <string_view>
#include <vector>

#include "model/pt2/value_scope.hpp"

namespace jouletree::model::pt2 {

/// Reads an argument of a node. What is neither tensor nor number nor text is None. `reader` names
/// the node in errors.
[[nodiscard]] runtime::Argument read_argument(const dom::element& element, const ValueScope& scope,
                                              std::string_view reader);

/// The arguments of an operator at the positions of its definition: those that are given by name
/// may leave others out.
[[nodiscard]] std::vector<runtime::Argument> read_arguments(const dom::array& inputs,
                                                            std::string_view op,
                                                            const ValueScope& scope,
                                                            std::string_view reader);

/// Names of all tensors in the outputs of a node or graph, in order; those in lists one by one.
[[nodiscard]] std::vector<std::string_view> tensor_names(const dom::element& output);

}  // namespace jouletree::model::pt2
