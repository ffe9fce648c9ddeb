#include "predict/fusion/edited_graph.hpp"

#include <algorithm>

#include "model/number_nodes.hpp"

namespace jouletree::predict {
namespace {

/// Since this version of the format, stored tensors that are also inputs can be replaced by the
/// caller.
constexpr std::int64_t kOverridableSince = 4;

/// Copies of a graph share their bodies.
void own_bodies(Block& block) {
  for (Node& node : block.nodes) {
    for (Attribute& attribute : node.attributes) {
      for (auto& body : attribute.blocks) {
        body = std::make_shared<Block>(*body);
        own_bodies(*body);
      }
    }
  }
}

}  // namespace

EditedGraph::EditedGraph(const Graph& graph, const Inference& settled, const Inference& open)
    : graph_(graph) {
  own_bodies(graph_.main);
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    known_.push_back({open.values[i], settled.values[i], open.contents[i],
                      graph.values[i].constant.has_value()});
  }
  if (graph.ir_version < kOverridableSince) return;
  for (const ValueId input : graph.main.inputs) known_[input].is_constant = false;
}

Graph EditedGraph::finish() && {
  model::number_nodes(graph_);
  return std::move(graph_);
}

}  // namespace jouletree::predict
