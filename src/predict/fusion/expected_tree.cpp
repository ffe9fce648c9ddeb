#include "jouletree/predict.hpp"
#include "predict/fusion/rules.hpp"

namespace jouletree {

namespace {

void fuse_as_onnx_runtime(predict::GraphEdit& edit, ChannelLayout layout) {
  predict::fold_constants(edit);
  predict::merge_equal(edit);
  predict::fuse_layer_norm(edit);
  predict::fuse_gelu(edit);
  predict::fuse_convolutions(edit, layout);
  predict::fuse_products(edit);
  if (layout == ChannelLayout::Blocked) predict::insert_reorders(edit);
}

/// An exporter writes as several operators what is one call in PyTorch. What follows from constants
/// PyTorch computes every time.
void undo_export(predict::GraphEdit& edit) {
  predict::fuse_layer_norm(edit);
  predict::fuse_torch_activations(edit);
}

}  // namespace

Runner runner_for(const PredictorInfo& info) {
  if (info.fused) return Runner::OnnxRuntime;
  const bool is_torch = info.vocabularies == std::vector{Vocabulary::TorchModules};
  return is_torch ? Runner::PyTorch : Runner::Nobody;
}

ModelTree expected_tree(ModelTree tree, const InputSettings& settings, Runner runner,
                        ChannelLayout layout) {
  // A recorded run holds what the engine really called.
  if (tree.graph->recorded || runner == Runner::Nobody) return tree;
  predict::GraphEdit edit(*tree.graph, tree.inference);
  if (runner == Runner::PyTorch) {
    undo_export(edit);
  } else {
    fuse_as_onnx_runtime(edit, layout);
  }
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
