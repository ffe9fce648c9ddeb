#pragma once

#include <optional>
#include <string>

#include "jouletree/tree.hpp"

namespace jouletree::tree {

/// What people call the settings of a layer, as texts like "3x3"; empty where there are none.
struct LayerSettings {
  std::string input_size;
  std::string output_size;
  std::string kernel_size;
  std::string stride;
  std::string padding;  ///< "1x1", or begins and ends "0x0:1x1" where they differ.
};
[[nodiscard]] LayerSettings layer_settings(const ModelTree& tree, const Node& node);

/// Shape of a value as text; empty where its rank is unknown.
[[nodiscard]] std::string shape_text(const ModelTree& tree, ValueId id);

/// First dimension of the first input; nothing for a model without inputs.
[[nodiscard]] std::optional<std::int64_t> batch_size(const ModelTree& tree);
/// Second dimension of the first input of token ids; nothing for models without one.
[[nodiscard]] std::optional<std::int64_t> sequence_length(const ModelTree& tree);

}  // namespace jouletree::tree
