#pragma once

#include "model/operators/table.hpp"

namespace jouletree::model {

/// A depthwise convolution that looks only backwards and carries the last positions over to the
/// next call.
void causal_conv(Call& call);
/// The same over sequences of different lengths that are packed one after the other.
void varlen_causal_conv(Call& call);

[[nodiscard]] OperatorWork causal_conv_work(const Call& call, std::size_t bias_slot);
template <std::size_t Bias>
[[nodiscard]] OperatorWork causal_conv_work(const Call& call) {
  return causal_conv_work(call, Bias);
}

}  // namespace jouletree::model
