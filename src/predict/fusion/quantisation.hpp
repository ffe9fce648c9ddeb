#pragma once

#include "predict/fusion/graph_edit.hpp"

namespace jouletree::predict {

// What QuantizeLinear and DequantizeLinear mark: how a value is stored in few bits.

[[nodiscard]] bool is_quantise(const Node* node);
[[nodiscard]] bool is_dequantise(const Node* node);

/// Scale and zero point of such a node.
struct Quantisation {
  ValueId scale = kNoValue;
  ValueId zero = kNoValue;  ///< kNoValue where it is left out.
};
[[nodiscard]] Quantisation quantisation_of(const Node& node);

/// One scale and zero point for all elements, both stored.
[[nodiscard]] bool has_stored_scalars(const GraphEdit& edit, const Node& node);
/// Both have the same stored scale and zero point, and the same type of whole numbers.
[[nodiscard]] bool quantise_alike(const GraphEdit& edit, const Node& dequantise,
                                  const Node& quantise);
/// The type of the whole numbers that the node makes or reads.
[[nodiscard]] DataType stored_type(const GraphEdit& edit, const Node& node);

/// What the second node makes is what the first one reads: both go.
void drop_pair(GraphEdit& edit, Node& first, Node& second);
/// Quantises and dequantises what the node makes, in the way of `like`. Readers that quantise it
/// themselves keep the value as it is; each other reader has a DequantizeLinear of its own. False
/// where there is no such reader.
bool insert_pairs_behind(GraphEdit& edit, Node& node, const Node& like);
/// The same for what this input reads, whoever makes it.
void insert_pair_before(GraphEdit& edit, Node& node, std::size_t input, const Node& like);

}  // namespace jouletree::predict
