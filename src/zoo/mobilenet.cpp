// MobileNetV2 (Sandler et al. 2018).
#include "zoo/architecture.hpp"
#include "zoo/image_layers.hpp"

namespace jouletree::zoo {
namespace {

constexpr Dim kFirstChannels = 32;
constexpr Dim kMobileNetChannels = 1280;

struct InvertedResiduals {
  Dim expansion;
  Dim channels;
  Dim blocks;
  Dim stride;
};

constexpr InvertedResiduals kMobileNetStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2},
                                                  {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2},
                                                  {6, 320, 1, 1}};

class MobileNet {
 public:
  explicit MobileNet(ModelWriter& model) : model_(model) {}

  void write(const Settings& settings) {
    const Scope features = Scope().child("features");
    Value map = image_input(model_, settings);
    Dim index = 0;
    map = active(features.member(index++), map, {3, kFirstChannels, 3, 2, 1});
    Dim channels = kFirstChannels;
    for (const InvertedResiduals& stage : kMobileNetStages) {
      for (Dim i = 0; i < stage.blocks; ++i) {
        const InvertedResiduals block{stage.expansion, stage.channels, 1,
                                      i == 0 ? stage.stride : 1};
        map = inverted_residual(features.member(index++), map, channels, block);
        channels = stage.channels;
      }
    }
    map = active(features.member(index), map, {channels, kMobileNetChannels});
    classify(model_, Scope(), Scope().child("classifier").member(1), map, kMobileNetChannels,
             settings["classes"]);
  }

 private:
  /// Convolution, normalisation and ReLU6: a sequence of three.
  Value active(const Scope& scope, const Value& map, const Convolution& convolution) {
    const Value convolved = convolve(model_, scope.member(0), map, convolution, Bias::No);
    const Value normed = batch_norm(model_, scope.member(1), convolved, convolution.to);
    return model_.node(scope.member(2), "Clip", {normed, model_.real(0.0F), model_.real(6.0F)});
  }

  Value inverted_residual(const Scope& scope, const Value& map, Dim from,
                          const InvertedResiduals& block) {
    const Scope steps = scope.child("conv");
    const Dim wide = from * block.expansion;
    Dim index = 0;
    Value inner = map;
    if (block.expansion > 1) inner = active(steps.member(index++), inner, {from, wide});
    inner = active(steps.member(index++), inner, {wide, wide, 3, block.stride, 1, wide});
    inner = convolve(model_, steps.member(index++), inner, {wide, block.channels}, Bias::No);
    inner = batch_norm(model_, steps.member(index), inner, block.channels);
    const bool is_residual = block.stride == 1 && from == block.channels;
    return is_residual ? add(model_, scope, map, inner) : inner;
  }

  ModelWriter& model_;
};

}  // namespace

std::vector<Architecture> mobilenet_rows() {
  return {{"mobilenet-v2",
           "MobileNet",
           3'504'872,
           {{"classes", 1000}, {"size", 224}},
           [](ModelWriter& model, const Settings& settings) { MobileNet(model).write(settings); }}};
}

}  // namespace jouletree::zoo
