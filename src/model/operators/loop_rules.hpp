#pragma once

#include "model/operators/call.hpp"

namespace jouletree::model {

/// A Loop whose trip count follows from the graph is run iteration by iteration, so that values
/// that grow are exact; a long one, or one that depends on data, until its types stay the same.
void loop_shape(Call& call);
void scan_shape(Call& call);
void sequence_map_shape(Call& call);
/// Of programs whose values all have types already: counts the bodies once for every trip.
void repeat_shape(Call& call);

}  // namespace jouletree::model
