#include "predict/fusion/activation.hpp"

#include <algorithm>
#include <array>

namespace jouletree::predict {
namespace {

constexpr std::array<std::string_view, 6> kFused = {"Relu", "Sigmoid",   "Tanh",
                                                    "Clip", "LeakyRelu", "HardSigmoid"};

}  // namespace

bool is_fused_activation(GraphEdit& edit, const Node* node) {
  if (node == nullptr || !is_standard(*node)) return false;
  if (std::find(kFused.begin(), kFused.end(), node->op) == kFused.end()) return false;
  // Bounds that depend on data are not known when the graph is made.
  return std::all_of(node->inputs.begin() + 1, node->inputs.end(),
                     [&](ValueId bound) { return bound == kNoValue || edit.is_constant(bound); });
}

void mark_activation(Node& node, std::string_view activation) {
  node.attributes.push_back(text_attribute("activation", activation));
}

}  // namespace jouletree::predict
