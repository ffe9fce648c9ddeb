#pragma once

#include "model/operators/table.hpp"

namespace jouletree::model {

/// MoE and QMoE: each token goes through the `k` feed-forward networks that the router prefers.
void experts(Call& call);
[[nodiscard]] OperatorWork experts_work(const Call& call);
[[nodiscard]] OperatorWork quantized_experts_work(const Call& call);

}  // namespace jouletree::model
