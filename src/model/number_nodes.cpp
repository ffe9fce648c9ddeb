#include "model/number_nodes.hpp"

namespace jouletree::model {
namespace {

void number(Block& block, NodeId& next) {
  block.first_node = next;
  for (Node& node : block.nodes) {
    node.id = next++;
    for (Attribute& attribute : node.attributes)
      for (const auto& nested : attribute.blocks) number(*nested, next);
  }
  block.last_node = next;
}

}  // namespace

void number_nodes(Graph& graph) {
  graph.node_count = 0;
  number(graph.main, graph.node_count);
}

}  // namespace jouletree::model
