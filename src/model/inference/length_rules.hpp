#pragma once

#include "model/inference/inputs.hpp"

namespace jouletree::model {

/// Gives masks and positions of a decoder the length of its cache and tokens together, or of its
/// tokens, where their own length is open. `inputs` were settled with `choices`.
void follow_lengths(const Graph& graph, const InputStates& inputs, SizeChoices& choices);

/// Raises symbols in expressions such as "length / 2", which would be nothing for a length of 1.
void raise_empty_expressions(const InputStates& inputs, SizeChoices& choices);

}  // namespace jouletree::model
