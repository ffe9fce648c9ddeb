// NAS-Bench-201 (Dong and Yang 2020): three stages of equal cells with residual blocks of stride 2
// between them. What is searched for is the cell.
#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "zoo/architecture.hpp"
#include "zoo/image_layers.hpp"
#include "zoo/nas_bench_cell.hpp"

namespace jouletree::zoo {
namespace {

constexpr int kCellStages = 3;
/// Both residual blocks halve the map; both of their branches must agree on how.
constexpr Dim kHalvings = 4;

class CellNetwork {
 public:
  CellNetwork(ModelWriter& model, const Settings& settings)
      : model_(model), settings_(settings), cell_(parse_cell(settings.text("arch"))) {}

  void write() {
    if (settings_["size"] % kHalvings != 0) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("size={}: give a multiple of {}: the map is halved twice",
                              settings_["size"], kHalvings));
    }
    const Scope root;
    Dim channels = settings_["channels"];
    const Scope stem = root.child("stem");
    Value map = convolve(model_, stem.member(0), image_input(model_, settings_),
                         {3, channels, 3, 1, 1}, Bias::No);
    map = batch_norm(model_, stem.member(1), map, channels);
    Dim place = 0;
    for (int stage = 0; stage < kCellStages; ++stage) {
      if (stage > 0) {
        map = residual(root.element("cells", place++), map, channels);
        channels *= 2;
      }
      for (Dim i = 0; i < settings_["cells"]; ++i)
        map = cell(root.element("cells", place++), map, channels);
    }
    const Scope last = root.child("lastact");
    map = relu(model_, last.member(1), batch_norm(model_, last.member(0), map, channels));
    classify(model_, root.child("global_pooling"), root.child("classifier"), map, channels,
             settings_["classes"]);
  }

 private:
  /// Activation, convolution and normalisation, in this order.
  Value convolved(const Scope& scope, const Value& map, const Convolution& shape) {
    const Scope sequence = scope.child("op");
    const Value active = relu(model_, sequence.member(0), map);
    const Value result = convolve(model_, sequence.member(1), active, shape, Bias::No);
    return batch_norm(model_, sequence.member(2), result, shape.to);
  }

  Value edge(const Scope& scope, CellOperation operation, const Value& map, Dim channels) {
    switch (operation) {
      case CellOperation::Skip: return map;
      case CellOperation::None:
        // The published code multiplies, and so do engines.
        return model_.node(scope, "Mul", {map, model_.real(0.0F)});
      case CellOperation::Convolution1x1: return convolved(scope, map, {channels, channels});
      case CellOperation::Convolution3x3:
        return convolved(scope, map, {channels, channels, 3, 1, 1});
      case CellOperation::AveragePool3x3: break;
    }
    return model_.node(scope.child("op"), "AveragePool", {map},
                       {{"ceil_mode", std::int64_t{0}},
                        {"count_include_pad", std::int64_t{0}},
                        {"kernel_shape", Ints{3, 3}},
                        {"pads", Ints{1, 1, 1, 1}},
                        {"strides", Ints{1, 1}}});
  }

  Value cell(const Scope& scope, const Value& input, Dim channels) {
    std::vector<Value> nodes = {input};
    Dim layer = 0;
    for (const auto& edges : cell_) {
      Value sum;
      for (std::size_t from = 0; from < edges.size(); ++from) {
        const Value one =
            edge(scope.element("layers", layer++), edges[from], nodes[from], channels);
        sum = from == 0 ? one : add(model_, scope, sum, one);
      }
      nodes.push_back(sum);
    }
    return nodes.back();
  }

  /// Halves the map and doubles the channels.
  Value residual(const Scope& scope, const Value& map, Dim channels) {
    Value inner = convolved(scope.child("conv_a"), map, {channels, 2 * channels, 3, 2, 1});
    inner = convolved(scope.child("conv_b"), inner, {2 * channels, 2 * channels, 3, 1, 1});
    const Scope down = scope.child("downsample");
    const Value pooled = model_.node(down.member(0), "AveragePool", {map},
                                     {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});
    const Value shortcut =
        convolve(model_, down.member(1), pooled, {channels, 2 * channels}, Bias::No);
    return add(model_, scope, shortcut, inner);
  }

  ModelWriter& model_;
  const Settings& settings_;
  CellNodes cell_;
};

void write_cells(ModelWriter& model, const Settings& settings) {
  CellNetwork(model, settings).write();
}

}  // namespace

std::vector<Architecture> nas_bench_rows() {
  return {{"nas-bench-201",
           "NAS-Bench-201",
           1'531'546,
           {{"arch", 0,
             "|nor_conv_3x3~0|+|nor_conv_3x3~0|nor_conv_3x3~1|+|nor_conv_3x3~0|nor_conv_3x3~1|"
             "nor_conv_3x3~2|"},
            {"channels", 16},
            {"cells", 5},
            {"classes", 10},
            {"size", 32}},
           write_cells}};
}

}  // namespace jouletree::zoo
