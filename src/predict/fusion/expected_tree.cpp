#include "jouletree/predict.hpp"
#include "model/inference/open_inference.hpp"
#include "predict/fusion/rules.hpp"

namespace jouletree {

namespace {

/// Rules make others possible; the engine stops after as many rounds.
constexpr int kMostRounds = 10;

template <class Step>
void until_settled(predict::GraphEdit& edit, const Step& step) {
  for (int round = 0; round < kMostRounds; ++round) {
    step();
    if (!edit.take_changed()) return;
  }
}

void apply_first_level(predict::GraphEdit& edit) {
  predict::drop_idle_nodes(edit);
  predict::fuse_reciprocals(edit);
  predict::fold_into_convolutions(edit);
  predict::drop_double_pairs(edit);
  predict::merge_equal(edit);
  predict::fold_constants(edit);
  predict::fuse_layers(edit);
  predict::fuse_reshapes(edit);
  predict::carry_quantisation(edit);
  predict::quantise_stored_weights(edit);
  predict::separate_dequantisation(edit);
  predict::push_transposes(edit, predict::Assigned::No);
  edit.remove_unread();
}

void apply_second_level(predict::GraphEdit& edit) {
  predict::drop_quantised_activations(edit);
  predict::push_transposes(edit, predict::Assigned::Yes);
  predict::make_quantised_unsigned(edit);
  predict::fuse_quantised_units(edit);
  predict::fuse_layer_activations(edit);
  predict::fuse_integer_products(edit);
  predict::fuse_activations(edit);
  predict::fuse_layer_norm(edit);
  predict::fuse_selections(edit);
  predict::fuse_gelu(edit);
  predict::fuse_residual_norm(edit);
  predict::fuse_products(edit);
  predict::drop_repeated_quantisation(edit);
  edit.remove_unread();
}

void apply_third_level(predict::GraphEdit& edit, ChannelLayout layout) {
  if (layout == ChannelLayout::Blocked) predict::insert_reorders(edit);
  predict::put_channels_last(edit);
  predict::fuse_sums(edit);
  edit.remove_unread();
}

void fuse_as_onnx_runtime(predict::GraphEdit& edit, ChannelLayout layout) {
  predict::separate_dequantisation(edit);
  until_settled(edit, [&] { apply_first_level(edit); });
  predict::expand_functions(edit);
  until_settled(edit, [&] { apply_second_level(edit); });
  apply_third_level(edit, layout);
}

/// An exporter writes as several operators what is one call in PyTorch. What follows from constants
/// PyTorch computes every time.
void undo_export(predict::GraphEdit& edit) {
  predict::fuse_reciprocals(edit);
  predict::fuse_layer_norm(edit);
  predict::fuse_torch_activations(edit);
}

Graph rewritten(const ModelTree& tree, Runner runner, ChannelLayout layout) {
  const Inference open = model::open_inference(*tree.graph, tree.inference);
  predict::EditedGraph edited(*tree.graph, tree.inference, open);
  edited.for_each_block([&](Block& block) {
    predict::GraphEdit edit(edited, block);
    if (runner == Runner::PyTorch) {
      undo_export(edit);
    } else {
      fuse_as_onnx_runtime(edit, layout);
    }
    edit.remove_unread();
  });
  return std::move(edited).finish();
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
  auto expected = std::make_shared<const Graph>(rewritten(tree, runner, layout));
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
