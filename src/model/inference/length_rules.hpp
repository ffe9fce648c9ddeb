#pragma once

#include "model/inference/inputs.hpp"

namespace jouletree {

/// Gives masks and positions of a decoder the length of its cache and tokens together, or of its
/// tokens, where their own length is open. `inputs` were settled with `choices`.
void follow_lengths(const Graph& graph, const InputStates& inputs, SizeChoices& choices);

}  // namespace jouletree
