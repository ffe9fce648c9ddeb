#pragma once

#include "campaign/plan.hpp"
#include "campaign/plan_fields.hpp"

namespace jouletree::campaign {

// The larger values of a plan. All throw Error(BadInput) naming file, line and key.
[[nodiscard]] std::vector<PlannedModel> models_of(const Field& field, const Plan& plan);
[[nodiscard]] Choices<std::int64_t> dims_of(const Field& field);
[[nodiscard]] Choices<PlannedShape> inputs_of(const Field& field);
/// "1x128:int64", [batch, 128], or {shape: [batch, 128], type: int64}.
[[nodiscard]] PlannedShape shape_of(const Field& field);
/// "package.module:function".
[[nodiscard]] bool is_function(const std::string& text);
[[nodiscard]] std::vector<RandomOperators> random_operators_of(const Field& field);

}  // namespace jouletree::campaign
