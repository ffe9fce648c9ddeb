// VGG (Simonyan and Zisserman 2014), without batch normalisation.
#include <algorithm>
#include <array>

#include "zoo/architecture.hpp"
#include "zoo/image_layers.hpp"

namespace jouletree::zoo {
namespace {

constexpr Dim kVggPooledSide = 7;
constexpr Window kVggPool{2, 2, 0};
/// Channels grow up to this many times those of the first stage.
constexpr Dim kMostGrowth = 8;
constexpr std::array<std::string_view, 5> kVggStages = {
    "convolutions1", "convolutions2", "convolutions3", "convolutions4", "convolutions5"};

Value classifier_of(ModelWriter& model, const Settings& settings, const Value& pooled,
                    Dim channels) {
  const Scope classifier = Scope().child("classifier");
  const Dim hidden = settings["hidden"];
  Value rows = row_linear(model, classifier.member(0), flatten(model, pooled),
                          channels * kVggPooledSide * kVggPooledSide, hidden);
  rows = relu(model, classifier.member(1), rows);
  rows = row_linear(model, classifier.member(3), rows, hidden, hidden);
  rows = relu(model, classifier.member(4), rows);
  return row_linear(model, classifier.member(6), rows, hidden, settings["classes"]);
}

void write_vgg(ModelWriter& model, const Settings& settings) {
  Value map = image_input(model, settings);
  Dim side = settings["size"];
  const Scope features = Scope().child("features");
  Dim index = 0;
  Dim from = 3;
  Dim growth = 1;
  for (const std::string_view stage : kVggStages) {
    const Dim to = settings["width"] * growth;
    for (Dim i = 0; i < settings[stage]; ++i) {
      map = convolve(model, features.member(index++), map, {from, to, 3, 1, 1}, Bias::Yes);
      map = relu(model, features.member(index++), map);
      from = to;
    }
    map = max_pool(model, features.member(index++), map, kVggPool);
    side = side_after(side, kVggPool);
    growth = std::min(2 * growth, kMostGrowth);
  }
  map = average_pool(model, Scope().child("avgpool"), map, side, kVggPooledSide);
  row_output(model, "output", classifier_of(model, settings, map, from), settings["classes"]);
}

Architecture vgg_row(std::string name, std::int64_t parameters, const std::array<Dim, 5>& counts) {
  return {std::move(name),
          "VGG",
          parameters,
          {{kVggStages[0], counts[0]},
           {kVggStages[1], counts[1]},
           {kVggStages[2], counts[2]},
           {kVggStages[3], counts[3]},
           {kVggStages[4], counts[4]},
           {"width", 64},
           {"hidden", 4096},
           {"classes", 1000},
           {"size", 224}},
          write_vgg};
}

}  // namespace

std::vector<Architecture> vgg_rows() {
  return {
      vgg_row("vgg-11", 132'863'336, {1, 1, 2, 2, 2}),
      vgg_row("vgg-16", 138'357'544, {2, 2, 3, 3, 3}),
      vgg_row("vgg-19", 143'667'240, {2, 2, 4, 4, 4}),
  };
}

}  // namespace jouletree::zoo
