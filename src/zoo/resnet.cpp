// ResNet (He et al. 2015), bottlenecks with the stride in the middle, as torchvision has it.
#include <array>

#include <fmt/format.h>

#include "zoo/architecture.hpp"
#include "zoo/image_layers.hpp"

namespace jouletree::zoo {
namespace {

enum class BlockKind { Basic, Bottleneck };

constexpr std::array<std::string_view, 4> kResNetStages = {"blocks1", "blocks2", "blocks3",
                                                           "blocks4"};

class ResNet {
 public:
  ResNet(ModelWriter& model, const Settings& settings, BlockKind kind)
      : model_(model), settings_(settings), expansion_(kind == BlockKind::Basic ? 1 : 4) {}

  void write() {
    const Scope root;
    const Dim width = settings_["width"];
    Value map = image_input(model_, settings_);
    map = normed(root, "conv1", "bn1", map, {3, width, 7, 2, 3});
    map = relu(model_, root.child("relu"), map);
    map = max_pool(model_, root.child("maxpool"), map, {3, 2, 1});
    channels_ = width;
    for (std::size_t stage = 0; stage < kResNetStages.size(); ++stage) {
      const Dim stage_width = width << stage;
      const Scope scope = root.child(fmt::format("layer{}", stage + 1));
      for (Dim i = 0; i < settings_[kResNetStages[stage]]; ++i)
        map = block(scope.member(i), map, stage_width, stage > 0 && i == 0 ? 2 : 1);
    }
    classify(model_, root.child("avgpool"), root.child("fc"), map, channels_, settings_["classes"]);
  }

 private:
  Value normed(const Scope& scope, std::string_view convolution, std::string_view norm,
               const Value& map, const Convolution& shape) {
    const Value convolved = convolve(model_, scope.child(convolution), map, shape, Bias::No);
    return batch_norm(model_, scope.child(norm), convolved, shape.to);
  }

  Value shortcut(const Scope& scope, const Value& map, Dim to, Dim stride) {
    if (stride == 1 && channels_ == to) return map;
    const Scope down = scope.child("downsample");
    const Value convolved =
        convolve(model_, down.member(0), map, {channels_, to, 1, stride, 0}, Bias::No);
    return batch_norm(model_, down.member(1), convolved, to);
  }

  Value block(const Scope& scope, const Value& map, Dim width, Dim stride) {
    const Scope active = scope.child("relu");
    const Dim to = width * expansion_;
    Value inner;
    if (expansion_ == 1) {
      inner = normed(scope, "conv1", "bn1", map, {channels_, width, 3, stride, 1});
      inner = relu(model_, active, inner);
      inner = normed(scope, "conv2", "bn2", inner, {width, width, 3, 1, 1});
    } else {
      inner = normed(scope, "conv1", "bn1", map, {channels_, width, 1, 1, 0});
      inner = relu(model_, active, inner);
      inner = normed(scope, "conv2", "bn2", inner, {width, width, 3, stride, 1});
      inner = relu(model_, active, inner);
      inner = normed(scope, "conv3", "bn3", inner, {width, to, 1, 1, 0});
    }
    const Value skipped = shortcut(scope, map, to, stride);
    channels_ = to;
    return relu(model_, active, add(model_, scope, inner, skipped));
  }

  ModelWriter& model_;
  const Settings& settings_;
  Dim expansion_;
  Dim channels_ = 0;
};

void write_basic(ModelWriter& model, const Settings& settings) {
  ResNet(model, settings, BlockKind::Basic).write();
}

void write_bottleneck(ModelWriter& model, const Settings& settings) {
  ResNet(model, settings, BlockKind::Bottleneck).write();
}

Architecture resnet_row(std::string name, std::int64_t parameters, BlockKind kind,
                        const std::array<Dim, 4>& blocks) {
  return {std::move(name),
          "ResNet",
          parameters,
          {{kResNetStages[0], blocks[0]},
           {kResNetStages[1], blocks[1]},
           {kResNetStages[2], blocks[2]},
           {kResNetStages[3], blocks[3]},
           {"width", 64},
           {"classes", 1000},
           {"size", 224}},
          kind == BlockKind::Basic ? write_basic : write_bottleneck};
}

}  // namespace

std::vector<Architecture> resnet_rows() {
  return {
      resnet_row("resnet-18", 11'689'512, BlockKind::Basic, {2, 2, 2, 2}),
      resnet_row("resnet-34", 21'797'672, BlockKind::Basic, {3, 4, 6, 3}),
      resnet_row("resnet-50", 25'557'032, BlockKind::Bottleneck, {3, 4, 6, 3}),
      resnet_row("resnet-101", 44'549'160, BlockKind::Bottleneck, {3, 4, 23, 3}),
      resnet_row("resnet-152", 60'192'808, BlockKind::Bottleneck, {3, 8, 36, 3}),
  };
}

}  // namespace jouletree::zoo
