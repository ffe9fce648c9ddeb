#include "model/operators/attribute_size.hpp"

#include <algorithm>
#include <array>

namespace jouletree::model {
namespace {

constexpr std::array<std::string_view, 14> kLearnedNames = {
    "coefficients",    "intercepts",
    "support_vectors", "rho",
    "prob_a",          "prob_b",
    "base_values",     "base_values_as_tensor",
    "nodes_splits",    "class_weights",
    "leaf_weights",    "class_weights_as_tensor",
    "target_weights",  "target_weights_as_tensor",
};

/// Older trees list leaves among the nodes, and a leaf has no threshold.
Count thresholds(const Node& node) {
  const Count listed =
      attribute_size(node, "nodes_values") + attribute_size(node, "nodes_values_as_tensor");
  const Attribute* modes = node.attribute("nodes_modes");
  if (modes == nullptr || !listed.known()) return listed;
  const auto leaves = std::count(modes->texts.begin(), modes->texts.end(), "LEAF");
  return std::max<std::int64_t>(listed.value() - leaves, 0);
}

}  // namespace

Count attribute_size(const Node& node, std::string_view name) {
  const Attribute* found = node.attribute(name);
  if (found == nullptr) return 0;
  switch (found->kind) {
    case AttributeKind::Floats: return static_cast<std::int64_t>(found->reals.size());
    case AttributeKind::Ints: return static_cast<std::int64_t>(found->integers.size());
    case AttributeKind::Strings: return static_cast<std::int64_t>(found->texts.size());
    case AttributeKind::Tensor:
      return found->tensors.empty() ? Count(0) : found->tensors.front().elements();
    default: return 0;
  }
}

Count attribute_parameters(const Node& node) {
  Count total = thresholds(node);
  for (const std::string_view name : kLearnedNames) total += attribute_size(node, name);
  return total;
}

}  // namespace jouletree::model
