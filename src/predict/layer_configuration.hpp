#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "predict/operator_load.hpp"

namespace jouletree::predict {

/// The settings of a layer that NeuralPower's polynomials are made of.
struct LayerConfiguration {
  std::string layer;  ///< Layers with one polynomial: "conv2d", "relu/maps".
  /// Each above zero or, where a layer has none of it (padding), zero.
  std::vector<double> sizes;
  std::vector<std::string_view> names;  ///< Of the sizes.
};

/// Empty sizes where a file tells nothing but FLOPs and bytes.
[[nodiscard]] LayerConfiguration layer_configuration(const RunNode& node, const OperatorLoad& work);

}  // namespace jouletree::predict
