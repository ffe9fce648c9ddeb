#pragma once

#include "jouletree/tree_run.hpp"
#include "predict/fusion/graph_edit.hpp"

namespace jouletree::predict {

// What ONNX Runtime does to a graph on a CPU before it runs it, one step each, in this order. Each
// is checked against graphs that the engine wrote; where the engine is choosier than a step here,
// the difference is small work.

/// What follows from constants and shapes is computed once; what only hands on its input goes.
void fold_constants(GraphEdit& edit);
/// What is computed twice from the same values is computed once.
void merge_equal(GraphEdit& edit);
/// Means and variances spelt out become LayerNormalization.
void fuse_layer_norm(GraphEdit& edit);
/// Erf, tanh and sigmoid spelt out as arithmetic become Gelu, FastGelu and QuickGelu.
void fuse_gelu(GraphEdit& edit);
/// The same for what is one call in PyTorch: Gelu by Erf, and SiLU. Models that spell out a Gelu by
/// tanh run it so, operator by operator.
void fuse_torch_activations(GraphEdit& edit);
/// Convolutions take in normalisation, bias, residual addition and activation.
void fuse_convolutions(GraphEdit& edit, ChannelLayout layout);
/// Products take in bias, transposition, scale and activation.
void fuse_products(GraphEdit& edit);
/// Convolutions want channels in blocks, others do not: maps are reordered on the way. What is in
/// blocks is added by the convolution before it.
void insert_reorders(GraphEdit& edit);

}  // namespace jouletree::predict
