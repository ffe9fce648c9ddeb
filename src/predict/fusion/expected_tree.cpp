#include "jouletree/predict.hpp"
#include "predict/fusion/rules.hpp"

namespace jouletree {

ModelTree expected_tree(ModelTree tree, const InputSettings& settings, ChannelLayout layout) {
  // A recorded run holds what the engine really called.
  if (tree.graph->recorded) return tree;
  predict::GraphEdit edit(*tree.graph, tree.inference);
  predict::fold_constants(edit);
  predict::merge_equal(edit);
  predict::fuse_layer_norm(edit);
  predict::fuse_gelu(edit);
  predict::fuse_convolutions(edit, layout);
  predict::fuse_products(edit);
  if (layout == ChannelLayout::Blocked) predict::insert_reorders(edit);
  auto expected = std::make_shared<const Graph>(std::move(edit).finish());
  // Names and bytes are views into the graph of the file.
  std::shared_ptr<const Graph> kept(expected.get(), [expected, file = tree.graph](auto*) {});
  ModelTree result = build_tree(std::move(kept), settled_settings(tree.inference, settings));
  result.name = result.root.name = tree.name;
  result.notes = std::move(tree.notes);
  result.inference.inputs = std::move(tree.inference.inputs);
  return result;
}

std::string_view name_of(ChannelLayout layout) {
  return layout == ChannelLayout::Blocked ? "blocked" : "plain";
}

}  // namespace jouletree
