// AlexNet in the version of "One weird trick" (Krizhevsky 2014), as torchvision has it.
#include "zoo/architecture.hpp"
#include "zoo/image_layers.hpp"

namespace jouletree::zoo {
namespace {

constexpr Dim kAlexNetPooledSide = 6;
constexpr Dim kAlexNetChannels = 256;
constexpr Window kAlexNetPool{3, 2, 0};

struct ConvolutionStage {
  Convolution convolution;
  bool pooled = false;
};

constexpr ConvolutionStage kAlexNetStages[] = {
    {{3, 64, 11, 4, 2}, true},
    {{64, 192, 5, 1, 2}, true},
    {{192, 384, 3, 1, 1}, false},
    {{384, 256, 3, 1, 1}, false},
    {{256, kAlexNetChannels, 3, 1, 1}, true},
};

void write_alexnet(ModelWriter& model, const Settings& settings) {
  Value map = image_input(model, settings);
  Dim side = settings["size"];
  const Scope features = Scope().child("features");
  Dim index = 0;
  for (const auto& [convolution, pooled] : kAlexNetStages) {
    map = convolve(model, features.member(index++), map, convolution, Bias::Yes);
    side = side_after(side, {convolution.kernel, convolution.stride, convolution.padding});
    map = relu(model, features.member(index++), map);
    if (!pooled) continue;
    map = max_pool(model, features.member(index++), map, kAlexNetPool);
    side = side_after(side, kAlexNetPool);
  }
  map = average_pool(model, Scope().child("avgpool"), map, side, kAlexNetPooledSide);
  const Scope classifier = Scope().child("classifier");
  const Dim hidden = settings["hidden"];
  const Dim pooled = kAlexNetChannels * kAlexNetPooledSide * kAlexNetPooledSide;
  Value rows = row_linear(model, classifier.member(1), flatten(model, map), pooled, hidden);
  rows = relu(model, classifier.member(2), rows);
  rows = row_linear(model, classifier.member(4), rows, hidden, hidden);
  rows = relu(model, classifier.member(5), rows);
  const Dim classes = settings["classes"];
  rows = row_linear(model, classifier.member(6), rows, hidden, classes);
  row_output(model, "output", rows, classes);
}

}  // namespace

std::vector<Architecture> alexnet_rows() {
  return {{"alexnet",
           "AlexNet",
           61'100'840,
           {{"hidden", 4096}, {"classes", 1000}, {"size", 224}},
           write_alexnet}};
}

}  // namespace jouletree::zoo
