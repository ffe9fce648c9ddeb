#pragma once

#include <cstdint>
#include <string_view>

#include "model/pt2/tensor_facts.hpp"

namespace jouletree::model::pt2 {

/// Where the result of an operator is. An archive does not say it, but operators and strides do.
enum class ResultIn : std::uint8_t {
  OwnMemory,
  FirstInput,      ///< Shows its memory in another way.
  FirstInputSame,  ///< Is the first input: nothing was done.
};

/// `op` is without its namespace; `asks_for_copy` says that one of its arguments demands a copy.
[[nodiscard]] ResultIn result_in(std::string_view op, const TensorFacts& first_input,
                                 const TensorFacts& result, bool asks_for_copy);

/// Whether a tensor of these strides can be seen in another shape without moving its elements.
[[nodiscard]] bool can_be_viewed(const TensorFacts& tensor, const Dims& as);

/// Whether the operator overwrites its first argument: "add_", not "__and__".
[[nodiscard]] bool writes_in_place(std::string_view op);

}  // namespace jouletree::model::pt2
