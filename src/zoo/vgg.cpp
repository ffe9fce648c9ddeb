// VGG (Simonyan and Zisserman 2014), without batch normalisation.
#include <algorithm>
#include <array>

#include "zoo/architecture.hpp"
#include "zoo/image_layers.hpp"

namespace jouletree::zoo {
namespace {

constexpr Dim kPooledSide = 7;
constexpr Window kPool{2, 2, 0};
/// Channels grow up to this many times those of the first stage.
constexpr Dim kMostGrowth = 8;
constexpr std::array<std::string_view, 5> kStages = {
    "convolutions1", "convolutions2", "convolutions3", "convolutions4", "convolutions5"};

Value classifier_of(ModelWriter& model, const Settings& settings, const Value& pooled,
                    Dim channels) {
  const Scope classifier = Scope().child("classifier");
  const Dim hidden = settings["hidden"];
  Value rows = row_linear(model, classifier.member(0), flatten(model, pooled),
                          channels * kPooledSide * kPooledSide, hidden);
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
  for (const std::string_view stage : kStages) {
    const Dim to = settings["width"] * growth;
    for (Dim i = 0; i < settings[stage]; ++i) {
      map = convolve(model, features.member(index++), map, {from, to, 3, 1, 1}, Bias::Yes);
      map = relu(model, features.member(index++), map);
      from = to;
    }
    map = max_pool(model, features.member(index++), map, kPool);
    side = side_after(side, kPool);
    growth = std::min(2 * growth, kMostGrowth);
  }
  map = average_pool(model, Scope().child("avgpool"), map, side, kPooledSide);
  row_output(model, "output", classifier_of(model, settings, map, from), settings["classes"]);
}

Architecture row(std::string name, std::int64_t parameters, const std::array<Dim, 5>& counts) {
  return {std::move(name),
          "VGG",
          parameters,
          {{kStages[0], counts[0]},
           {kStages[1], counts[1]},
           {kStages[2], counts[2]},
           {kStages[3], counts[3]},
           {kStages[4], counts[4]},
           {"width", 64},
           {"hidden", 4096},
           {"classes", 1000},
           {"size", 224}},
          write_vgg};
}

}  // namespace

std::vector<Architecture> vgg_rows() {
  return {
      row("vgg-11", 132'863'336, {1, 1, 2, 2, 2}),
      row("vgg-16", 138'357'544, {2, 2, 3, 3, 3}),
      row("vgg-19", 143'667'240, {2, 2, 4, 4, 4}),
  };
}

}  // namespace jouletree::zoo
