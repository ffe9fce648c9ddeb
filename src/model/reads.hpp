#pragma once

#include "jouletree/graph.hpp"

namespace jouletree::model {

/// Calls `use` for every value that the node reads, also from inside its blocks.
template <class Use>
void for_each_read(const Node& node, const Use& use) {
  for (const ValueId id : node.inputs)
    if (id != kNoValue) use(id);
  for (const Attribute& attribute : node.attributes) {
    for (const auto& block : attribute.blocks) {
      for (const Node& nested : block->nodes) for_each_read(nested, use);
      for (const ValueId id : block->outputs) use(id);
    }
  }
}

}  // namespace jouletree::model
