#pragma once

#include <string>
#include <string_view>

#include "model/operators/table.hpp"

namespace jouletree::predict {

/// The row of a type of operator, under its name in ONNX or PyTorch, in upper or lower case. Null
/// for other names.
[[nodiscard]] const model::OperatorRow* row_of_type(std::string_view type);
/// What that row says.
[[nodiscard]] const model::OperatorFacts* facts_of_type(std::string_view type);
/// A name that the table does not know is taken for what it contains.
[[nodiscard]] model::WorkKind likely_kind(std::string_view type);

/// A linear layer that is called like a convolution: Conv1D of GPT-2, which is no Conv1d.
[[nodiscard]] bool is_disguised_linear(std::string_view type);

/// One name for all operators that do the same work: "gemm" for Linear, addmm and Gemm, "conv" for
/// Conv2d, convolution and Conv. A name that nobody knows is its own, in lower case.
[[nodiscard]] std::string common_name(std::string_view type);
/// Which of several names a PyTorch module would carry: the lower the number, the more likely.
[[nodiscard]] std::size_t module_rank(std::string_view type);

/// Files hold such an operator only where an exporter wrote a kernel of PyTorch as arithmetic.
[[nodiscard]] bool is_spelt_out(std::string_view type);

/// A class of torch.nn whose objects hold no others: Linear.
[[nodiscard]] bool is_torch_module(std::string_view type);

}  // namespace jouletree::predict
