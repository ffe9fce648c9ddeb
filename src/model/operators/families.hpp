#pragma once

#include <span>

#include "model/operators/table.hpp"

namespace jouletree::model {

// One function per family of operators; each stands in the file of the same name.
[[nodiscard]] std::span<const OperatorRow> activation_rows();
[[nodiscard]] std::span<const OperatorRow> arithmetic_rows();
[[nodiscard]] std::span<const OperatorRow> attention_rows();
[[nodiscard]] std::span<const OperatorRow> classical_rows();
[[nodiscard]] std::span<const OperatorRow> control_flow_rows();
[[nodiscard]] std::span<const OperatorRow> convolution_rows();
[[nodiscard]] std::span<const OperatorRow> creation_rows();
[[nodiscard]] std::span<const OperatorRow> detection_rows();
[[nodiscard]] std::span<const OperatorRow> indexing_rows();
[[nodiscard]] std::span<const OperatorRow> layout_rows();
[[nodiscard]] std::span<const OperatorRow> logic_rows();
[[nodiscard]] std::span<const OperatorRow> matmul_rows();
[[nodiscard]] std::span<const OperatorRow> normalization_rows();
[[nodiscard]] std::span<const OperatorRow> pooling_rows();
[[nodiscard]] std::span<const OperatorRow> quantization_rows();
[[nodiscard]] std::span<const OperatorRow> recurrent_rows();
[[nodiscard]] std::span<const OperatorRow> reduction_rows();
[[nodiscard]] std::span<const OperatorRow> resize_rows();
[[nodiscard]] std::span<const OperatorRow> sequence_rows();
[[nodiscard]] std::span<const OperatorRow> signal_rows();
[[nodiscard]] std::span<const OperatorRow> text_rows();
[[nodiscard]] std::span<const OperatorRow> torch_rows();
[[nodiscard]] std::span<const OperatorRow> torch_gradient_rows();
[[nodiscard]] std::span<const OperatorRow> torch_loss_rows();
[[nodiscard]] std::span<const OperatorRow> torch_optimizer_rows();
[[nodiscard]] std::span<const OperatorRow> torch_product_rows();
[[nodiscard]] std::span<const OperatorRow> training_rows();

}  // namespace jouletree::model
