#pragma once

#include <string_view>

#include "model/operators/table.hpp"

namespace jouletree::predict {

/// What the operator table says about a type of operator, under its name in ONNX or PyTorch, in
/// upper or lower case. Null for other names.
[[nodiscard]] const model::OperatorFacts* facts_of_type(std::string_view type);
/// A name that the table does not know is taken for what it contains.
[[nodiscard]] model::WorkKind likely_kind(std::string_view type);

/// A class of torch.nn whose objects hold no others: Linear.
[[nodiscard]] bool is_torch_module(std::string_view type);

}  // namespace jouletree::predict
