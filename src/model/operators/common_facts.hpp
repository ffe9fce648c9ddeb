#pragma once

#include "model/operators/table.hpp"

namespace jouletree::model {

// Facts that hold for many operators.
inline constexpr OperatorFacts kView = {.view = true, .keeps_values = true};
inline constexpr OperatorFacts kInPlace = {.overwrites = slots(0), .axes = AxisFlow::Same};
inline constexpr OperatorFacts kInPlaceOfAny = {.overwrites = kAllSlots,
                                                .axes = AxisFlow::Broadcast};
inline constexpr OperatorFacts kKeepsAxes = {.axes = AxisFlow::Same};
inline constexpr OperatorFacts kBroadcasts = {.axes = AxisFlow::Broadcast};
inline constexpr OperatorFacts kKeepsValues = {.keeps_values = true};
inline constexpr OperatorFacts kScores = {.work = WorkKind::Scores, .axes = AxisFlow::Same};
inline constexpr OperatorFacts kSearches = {.searches = true};
inline constexpr OperatorFacts kProducts = {.work = WorkKind::Product};
inline constexpr OperatorFacts kWeightedProducts = {.work = WorkKind::WeightedProduct};

}  // namespace jouletree::model
