#pragma once

#include "model/inference/inputs.hpp"

namespace jouletree::model {

/// Adds one sentence for each way in which sizes of open dimensions were chosen.
void add_size_notes(InputStates& inputs, const SizeChoices& choices);

}  // namespace jouletree::model
