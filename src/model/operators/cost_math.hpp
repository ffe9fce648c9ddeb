#pragma once

#include "model/operators/table.hpp"

namespace jouletree::model {

// How floating-point operations are counted (docs/methodology.md): every addition, subtraction,
// multiplication, division, comparison and every call of a basic function (exp, log, sqrt, erf,
// tanh, sin, pow …) is one. A fused operator counts as the basic operations it stands for.

/// Arithmetic on every element of the first output.
template <std::int64_t FlopsPerElement>
[[nodiscard]] OperatorWork per_output_element(const Call& call) {
  return {0, call.output(0).elements() * Count(FlopsPerElement)};
}

/// Arithmetic on every element of the first input.
template <std::int64_t FlopsPerElement>
[[nodiscard]] OperatorWork per_input_element(const Call& call) {
  return {0, call.input(0).elements() * Count(FlopsPerElement)};
}

/// Copies data without arithmetic; reads all inputs, writes all outputs.
[[nodiscard]] inline OperatorWork only_moves(const Call& /*call*/) { return {0, 0}; }

/// Neither computes nor moves: the output is the input under another shape.
[[nodiscard]] inline OperatorWork no_work(const Call& /*call*/) {
  return {0, 0, Count(0), Count(0)};
}

/// A matrix product or convolution: two operations per multiply-accumulate, and `extra` others.
[[nodiscard]] inline OperatorWork multiply_accumulates(Count macs, Count extra = 0) {
  return {macs, macs * Count(2) + extra};
}

}  // namespace jouletree::model
