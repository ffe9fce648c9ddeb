#include <algorithm>

#include "predict/fusion/rules.hpp"
#include "predict/fusion/transposed_values.hpp"

namespace jouletree::predict {

void put_channels_last(GraphEdit& edit) {
  bool changed = false;
  for (Node* const node : edit.nodes()) {
    const bool is_convolution = is_op(node, "QLinearConv") || is_microsoft(node, "QLinearConv");
    if (!is_convolution || integer_of(*node, "channels_last", 0) != 0) continue;
    const auto& dims = edit.dims(node->inputs[0]);
    if (!dims || dims->size() < 2) continue;
    const Permutation to_front = channels_to_front(dims->size());
    node->domain = kMicrosoftDomain;
    node->opset = 1;
    node->attributes.push_back(integer_attribute("channels_last", 1));
    transpose_input(edit, *node, 0, inverse_of(to_front));
    transpose_outputs(edit, *node, to_front);
    changed = true;
  }
  if (changed) push_transposes(edit, Assigned::Yes);
}

}  // namespace jouletree::predict
