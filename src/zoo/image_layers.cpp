#include "zoo/image_layers.hpp"

#include <cmath>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::zoo {
namespace {

constexpr Fill kRunningMean{0.0F, 0.1F};
constexpr Fill kRunningVariance{1.0F, 0.1F};

Ints on_all_sides(Dim value) { return {value, value, value, value}; }

}  // namespace

Value image_input(ModelWriter& model, const Settings& settings) {
  const std::string side = std::to_string(settings["size"]);
  return model.input("input", DataType::Float32, {"batch", "3", side, side});
}

Value convolve(ModelWriter& model, const Scope& scope, const Value& input,
               const Convolution& convolution, Bias bias) {
  const auto& [from, to, kernel, stride, padding, groups] = convolution;
  // Keeps the variance of activations the same from layer to layer.
  const Dim fan_out = kernel * kernel * (to / groups);
  const Fill fill{0.0F, std::sqrt(2.0F / static_cast<float>(fan_out))};
  std::vector<Value> inputs = {
      input, model.weight(scope, "weight", {to, from / groups, kernel, kernel}, fill)};
  if (bias == Bias::Yes) inputs.push_back(model.weight(scope, "bias", {to}));
  return model.node(scope, "Conv", inputs,
                    {{"dilations", Ints{1, 1}},
                     {"group", groups},
                     {"kernel_shape", Ints{kernel, kernel}},
                     {"pads", on_all_sides(padding)},
                     {"strides", Ints{stride, stride}}});
}

Value batch_norm(ModelWriter& model, const Scope& scope, const Value& input, Dim channels) {
  return model.node(scope, "BatchNormalization",
                    {input, model.weight(scope, "weight", {channels}, kAboutOne),
                     model.weight(scope, "bias", {channels}),
                     model.weight(scope, "running_mean", {channels}, kRunningMean),
                     model.weight(scope, "running_var", {channels}, kRunningVariance)},
                    {{"epsilon", 1e-5F}, {"momentum", 0.9F}});
}

Value max_pool(ModelWriter& model, const Scope& scope, const Value& input, const Window& window) {
  return model.node(scope, "MaxPool", {input},
                    {{"kernel_shape", Ints{window.kernel, window.kernel}},
                     {"pads", on_all_sides(window.padding)},
                     {"strides", Ints{window.stride, window.stride}}});
}

Value average_pool(ModelWriter& model, const Scope& scope, const Value& input, Dim from, Dim to) {
  if (from < to || from % to != 0) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("the size does not fit: features of {0}x{0} cannot be pooled to {1}x{1}", from,
                    to));
  }
  return model.node(
      scope, "AveragePool", {input},
      {{"kernel_shape", Ints{from / to, from / to}}, {"strides", Ints{from / to, from / to}}});
}

Value relu(ModelWriter& model, const Scope& scope, const Value& input) {
  return model.node(scope, "Relu", {input});
}

Value flatten(ModelWriter& model, const Value& input) {
  return model.node(Scope(), "Flatten", {input}, {{"axis", std::int64_t{1}}});
}

void classify(ModelWriter& model, const Scope& pool, const Scope& classifier, const Value& features,
              Dim channels, Dim classes) {
  const Value pooled = model.node(pool, "GlobalAveragePool", {features});
  const Value rows = row_linear(model, classifier, flatten(model, pooled), channels, classes);
  row_output(model, "output", rows, classes);
}

Dim side_after(Dim side, const Window& window) {
  const Dim room = side + 2 * window.padding - window.kernel;
  return room < 0 ? 0 : room / window.stride + 1;
}

}  // namespace jouletree::zoo
