#pragma once

#include "zoo/layers.hpp"
#include "zoo/settings.hpp"

namespace jouletree::zoo {

struct Convolution {
  Dim from = 0;  ///< Channels.
  Dim to = 0;
  Dim kernel = 1;
  Dim stride = 1;
  Dim padding = 0;
  Dim groups = 1;
};

struct Window {
  Dim kernel = 1;
  Dim stride = 1;
  Dim padding = 0;
};

/// Images: float32, batch x 3 x size x size.
Value image_input(ModelWriter& model, const Settings& settings);
Value convolve(ModelWriter& model, const Scope& scope, const Value& input,
               const Convolution& convolution, Bias bias);
/// With the running mean and variance that training leaves behind.
Value batch_norm(ModelWriter& model, const Scope& scope, const Value& input, Dim channels);
Value max_pool(ModelWriter& model, const Scope& scope, const Value& input, const Window& window);
/// Averages a map of `from` x `from` to `to` x `to`. Throws Error(BadInput) if `to` does not divide
/// `from`, because the image has a size that this model cannot take.
Value average_pool(ModelWriter& model, const Scope& scope, const Value& input, Dim from, Dim to);
Value relu(ModelWriter& model, const Scope& scope, const Value& input);
/// batch x channels x height x width to rows.
Value flatten(ModelWriter& model, const Value& input);
/// Pools the whole map, flattens it and classifies with one linear layer.
void classify(ModelWriter& model, const Scope& pool, const Scope& classifier, const Value& features,
              Dim channels, Dim classes);

/// The side of a map after a window has moved over it; 0 where the window does not fit.
[[nodiscard]] Dim side_after(Dim side, const Window& window);

}  // namespace jouletree::zoo
