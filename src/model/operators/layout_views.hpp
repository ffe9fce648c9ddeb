#pragma once

#include "model/operators/call.hpp"

namespace jouletree::model {

// Shape rules of operators whose output is their first input under another shape.
void reshape(Call& call);
void flatten(Call& call);
void squeeze(Call& call);
void unsqueeze(Call& call);
void expand_dims(Call& call);
/// Passes on tensors, sequences and optionals alike.
void identity(Call& call);

}  // namespace jouletree::model
