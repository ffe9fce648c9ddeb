// No published model: one block of each kind that image models are made of, in any size, so that
// few measured models show a predictor many operators.
#include "zoo/architecture.hpp"
#include "zoo/image_layers.hpp"

namespace jouletree::zoo {
namespace {

constexpr Dim kMixedStages = 3;
constexpr Dim kSqueeze = 4;
constexpr float kNormEpsilon = 1e-6F;

class MixedModel {
 public:
  MixedModel(ModelWriter& model, const Settings& settings) : model_(model), settings_(settings) {}

  void write() {
    Value map = image_input(model_, settings_);
    Dim channels = settings_["width"];
    map = convolution(Scope().child("stem"), map, {3, channels, settings_["kernel"], 2, half()});
    for (Dim stage = 0; stage < kMixedStages; ++stage) {
      const Scope scope = Scope().child("stages").member(stage);
      map = dense(scope.child("dense"), map, channels);
      map = grouped(scope.child("grouped"), map, channels);
      map = branches(scope.child("branches"), map, channels);
      map = normed_first(scope.child("normed_first"), map, channels);
      map = channels_last(scope.child("channels_last"), map, channels);
      map = shuffled(scope.child("shuffled"), map, channels);
      map = inverted(scope.child("inverted"), map, channels, 1, stage);
      if (stage + 1 == kMixedStages) break;
      map = inverted(scope.child("smaller"), map, channels, 2, stage);
      channels *= 2;
    }
    map = upsampled(Scope().child("upsampled"), map, channels);
    classify(model_, Scope().child("pool"), Scope().child("classifier"), map, channels,
             settings_["classes"]);
  }

 private:
  [[nodiscard]] Dim half() const { return settings_["kernel"] / 2; }

  Value convolution(const Scope& scope, const Value& map, const Convolution& sizes) {
    const Value convolved = convolve(model_, scope.child("conv"), map, sizes, Bias::No);
    return batch_norm(model_, scope.child("norm"), convolved, sizes.to);
  }

  /// Two convolutions and a residual, as in ResNet.
  Value dense(const Scope& scope, const Value& map, Dim channels) {
    const Convolution sizes{channels, channels, settings_["kernel"], 1, half()};
    const Value first = relu(model_, scope, convolution(scope.child("first"), map, sizes));
    const Value second = convolution(scope.child("second"), first, {channels, channels, 3, 1, 1});
    return relu(model_, scope, add(model_, scope, second, map));
  }

  Value grouped(const Scope& scope, const Value& map, Dim channels) {
    return relu(model_, scope,
                convolution(scope, map, {channels, channels, 3, 1, 1, settings_["groups"]}));
  }

  /// Side by side and joined, as in Inception.
  Value branches(const Scope& scope, const Value& map, Dim channels) {
    const Dim part = channels / 2;
    const Value narrow =
        relu(model_, scope, convolution(scope.child("narrow"), map, {channels, part}));
    const Value wide = relu(
        model_, scope,
        convolution(scope.child("wide"), narrow, {part, part, settings_["kernel"], 1, half()}));
    const Value pooled = model_.node(
        scope.child("pool"), "AveragePool", {map},
        {{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}, {"strides", Ints{1, 1}}});
    const Value most = max_pool(model_, scope, pooled, {3, 1, 1});
    const Value joined =
        model_.node(scope, "Concat", {narrow, wide, most}, {{"axis", std::int64_t{1}}});
    return relu(model_, scope, convolution(scope.child("join"), joined, {2 * channels, channels}));
  }

  /// Normalised before the convolution, as in DenseNet.
  Value normed_first(const Scope& scope, const Value& map, Dim channels) {
    const Value normed =
        relu(model_, scope, batch_norm(model_, scope.child("norm"), map, channels));
    const Value grown =
        convolve(model_, scope.child("conv"), normed, {channels, channels / 2, 3, 1, 1}, Bias::No);
    const Value joined = model_.node(scope, "Concat", {map, grown}, {{"axis", std::int64_t{1}}});
    return convolution(scope.child("transition"), joined, {channels + channels / 2, channels});
  }

  /// Linear layers over the channels, as in ConvNeXt.
  Value channels_last(const Scope& scope, const Value& map, Dim channels) {
    const Value deep = convolve(model_, scope.child("depthwise"), map,
                                {channels, channels, 7, 1, 3, channels}, Bias::Yes);
    const Value last = model_.node(scope, "Transpose", {deep}, {{"perm", Ints{0, 2, 3, 1}}});
    const Value normed = layer_norm(model_, scope.child("norm"), last, channels, kNormEpsilon);
    const Value wide = linear(model_, scope.child("widen"), normed, channels, 4 * channels);
    const Value active = activate(model_, scope.child("act"), wide, Activation::GeluErf);
    const Value narrow = linear(model_, scope.child("narrow"), active, 4 * channels, channels);
    const Value first = model_.node(scope, "Transpose", {narrow}, {{"perm", Ints{0, 3, 1, 2}}});
    return add(model_, scope, map, first);
  }

  /// Half of the channels is worked on, then the halves are mixed, as in ShuffleNet.
  Value shuffled(const Scope& scope, const Value& map, Dim channels) {
    const Dim part = channels / 2;
    const auto halves = model_.node_with_outputs(
        scope, "Split", {map, model_.integers({part, part})}, 2, {{"axis", std::int64_t{1}}});
    const Value worked =
        relu(model_, scope, convolution(scope.child("worked"), halves[1], {part, part}));
    const Value joined =
        model_.node(scope, "Concat", {halves[0], worked}, {{"axis", std::int64_t{1}}});
    const Value split = model_.node(scope, "Reshape", {joined, model_.integers({0, 2, part, -1})});
    const Value mixed = model_.node(scope, "Transpose", {split}, {{"perm", Ints{0, 2, 1, 3}}});
    const Value shape = model_.node(scope, "Shape", {map});
    return model_.node(scope, "Reshape", {mixed, shape});
  }

  /// Widened, filtered channel by channel, weighed and narrowed, as in MobileNetV3.
  Value inverted(const Scope& scope, const Value& map, Dim channels, Dim stride, Dim stage) {
    const Dim wide = channels * settings_["expansion"];
    Value inner = active(scope.child("widen"),
                         convolution(scope.child("widen"), map, {channels, wide}), stage);
    inner = active(scope.child("filter"),
                   convolution(scope.child("filter"), inner,
                               {wide, wide, settings_["kernel"], stride, half(), wide}),
                   stage);
    inner = weighed(scope.child("weigh"), inner, wide, stage);
    const Dim to = stride == 1 ? channels : 2 * channels;
    inner = convolution(scope.child("narrow"), inner, {wide, to});
    return stride == 1 ? add(model_, scope, map, inner) : inner;
  }

  Value active(const Scope& scope, const Value& map, Dim kind) {
    if (kind == 0) return model_.node(scope, "Clip", {map, model_.real(0.0F), model_.real(6.0F)});
    if (kind == 1) return model_.node(scope, "HardSwish", {map});
    return model_.node(scope, "Mul", {map, model_.node(scope, "Sigmoid", {map})});
  }

  /// Each channel is weighed by what its mean says.
  Value weighed(const Scope& scope, const Value& map, Dim channels, Dim kind) {
    const Dim few = channels / kSqueeze;
    const Value mean = model_.node(scope, "GlobalAveragePool", {map});
    const Value squeezed =
        relu(model_, scope, convolve(model_, scope.child("fc1"), mean, {channels, few}, Bias::Yes));
    const Value logits = convolve(model_, scope.child("fc2"), squeezed, {few, channels}, Bias::Yes);
    const Value weights = model_.node(scope, kind == 1 ? "HardSigmoid" : "Sigmoid", {logits});
    return model_.node(scope, "Mul", {weights, map});
  }

  /// To twice the size, once by copying and once by learned weights.
  Value upsampled(const Scope& scope, const Value& map, Dim channels) {
    const Value scales = model_.table(scope, {4}, {1.0F, 1.0F, 2.0F, 2.0F});
    const Value copied =
        model_.node(scope, "Resize", {map, "", scales},
                    {{"mode", std::string_view("nearest")},
                     {"coordinate_transformation_mode", std::string_view("asymmetric")},
                     {"nearest_mode", std::string_view("floor")}});
    const Value learned = model_.node(
        scope.child("transposed"), "ConvTranspose",
        {map, model_.weight(scope.child("transposed"), "weight", {channels, channels, 2, 2})},
        {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});
    return add(model_, scope, copied, learned);
  }

  ModelWriter& model_;
  const Settings& settings_;
};

}  // namespace

std::vector<Architecture> mixed_rows() {
  return {{"mixed-blocks",
           "Mixed",
           1'521'160,
           {{"width", 32},
            {"kernel", 3},
            {"expansion", 4},
            {"groups", 4},
            {"classes", 1000},
            {"size", 112}},
           [](ModelWriter& model, const Settings& settings) {
             settings.require_division("width", "groups");
             settings.require_odd("kernel");
             MixedModel(model, settings).write();
           }}};
}

}  // namespace jouletree::zoo
