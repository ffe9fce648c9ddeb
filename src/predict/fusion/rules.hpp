#pragma once

#include "jouletree/tree_run.hpp"
#include "predict/fusion/graph_edit.hpp"

namespace jouletree::predict {

// What ONNX Runtime does to a graph on a CPU before it runs it, one step each, in this order. Each
// is checked against graphs that the engine wrote.

// The first level: what holds on every device.

/// What only hands on its input goes: Identity, Dropout, x + 0, a Slice of everything, …
void drop_idle_nodes(GraphEdit& edit);
/// (1 ÷ x) · y becomes y ÷ x.
void fuse_reciprocals(GraphEdit& edit);
/// What is computed twice from the same values is computed once.
void merge_equal(GraphEdit& edit);
/// What follows from constants is computed once, and an If that they decide is opened.
void fold_constants(GraphEdit& edit);

/// Convolutions take in padding, normalisation and factors or summands per channel.
void fold_into_convolutions(GraphEdit& edit);
/// A product and the addition behind it become Gemm, between two Reshapes where the product is of
/// more than two axes.
void fuse_layers(GraphEdit& edit);
/// Reshapes behind each other become one, and sizes that are taken from the input itself are
/// written as 0.
void fuse_reshapes(GraphEdit& edit);
/// Pairs of QuantizeLinear and DequantizeLinear that repeat the one before them go.
void drop_double_pairs(GraphEdit& edit);
/// What is only moved before it is quantised, or after it was dequantised, moves as bytes.
void carry_quantisation(GraphEdit& edit);
/// Stored weights and bias of an operator between quantised values are quantised.
void quantise_stored_weights(GraphEdit& edit);
/// Every reader of a dequantised value dequantises it for itself.
void separate_dequantisation(GraphEdit& edit);
/// Which nodes have been given to the CPU: before that, no operator is taken that only some devices
/// have in other layouts.
enum class Assigned : std::uint8_t { No, Yes };
/// Transposes go down the graph until they meet others that undo them.
void push_transposes(GraphEdit& edit, Assigned assigned);

/// Operators without a kernel become those that define them.
void expand_functions(GraphEdit& edit);

// The second level: what has kernels of its own on a CPU.

/// Bounds that quantisation has anyway.
void drop_quantised_activations(GraphEdit& edit);
/// Signed bytes between two operators become unsigned: so x86 has its kernels.
void make_quantised_unsigned(GraphEdit& edit);
/// Operators between DequantizeLinear and QuantizeLinear compute with bytes.
void fuse_quantised_units(GraphEdit& edit);
/// What is dequantised only to be quantised again.
void drop_repeated_quantisation(GraphEdit& edit);
/// Means and variances spelt out become LayerNormalization.
void fuse_layer_norm(GraphEdit& edit);
/// Erf, tanh and sigmoid spelt out as arithmetic become Gelu, FastGelu and QuickGelu.
void fuse_gelu(GraphEdit& edit);
/// The same for what is one call in PyTorch: Gelu by Erf, and SiLU. Models that spell out a Gelu by
/// tanh run it so, operator by operator.
void fuse_torch_activations(GraphEdit& edit);
/// Products of whole numbers take in scales and bias, and the quantisation of what they read.
void fuse_integer_products(GraphEdit& edit);
/// A residual that is added before a normalisation is added by it.
void fuse_residual_norm(GraphEdit& edit);
/// Gathers and Slices that take a value apart become one Split.
void fuse_selections(GraphEdit& edit);
/// Convolutions take in an activation.
void fuse_activations(GraphEdit& edit);
/// The same for layers.
void fuse_layer_activations(GraphEdit& edit);
/// Products take in the transposition and the scale of operands, and the scale of the result.
void fuse_products(GraphEdit& edit);

// The third level: how maps lie in memory.

/// Quantised convolutions want their channels last: maps are transposed on the way.
void put_channels_last(GraphEdit& edit);
/// Convolutions want channels in blocks, others do not: maps are reordered on the way. What is in
/// blocks is added by the convolution before it.
void insert_reorders(GraphEdit& edit);
/// Convolutions that are not in blocks take in a residual, and an activation behind it.
void fuse_sums(GraphEdit& edit);

}  // namespace jouletree::predict
