#pragma once

#include "model/operators/table.hpp"

namespace jouletree::model {

// Facts that hold for many operators.
inline constexpr OperatorFacts kView = {.view = true, .keeps_values = true};
inline constexpr OperatorFacts kInPlace = {.overwrites = slots(0)};
inline constexpr OperatorFacts kInPlaceOfAny = {.overwrites = kAllSlots};
inline constexpr OperatorFacts kKeepsValues = {.keeps_values = true};
inline constexpr OperatorFacts kScores = {.work = WorkKind::Scores};
inline constexpr OperatorFacts kProducts = {.work = WorkKind::Product};
inline constexpr OperatorFacts kWeightedProducts = {.work = WorkKind::WeightedProduct};

}  // namespace jouletree::model
