// CTRL (Keskar et al. 2019): a causal transformer with fixed sinusoidal positions.
#include <cmath>

#include "zoo/architecture.hpp"
#include "zoo/attention.hpp"

namespace jouletree::zoo {
namespace {

constexpr float kCtrlEpsilon = 1e-6F;

/// Sines of the even frequencies in the first half of each row, cosines of the odd in the second.
std::vector<float> sinusoids(Dim positions, Dim width) {
  std::vector<float> table;
  table.reserve(static_cast<std::size_t>(positions * width));
  const auto angle = [width](Dim position, Dim channel) {
    const Dim even = channel - channel % 2;
    const double share = static_cast<double>(even) / static_cast<double>(width);
    return static_cast<double>(position) / std::pow(10000.0, share);
  };
  for (Dim position = 0; position < positions; ++position) {
    for (Dim channel = 0; channel < width; channel += 2)
      table.push_back(static_cast<float>(std::sin(angle(position, channel))));
    for (Dim channel = 1; channel < width; channel += 2)
      table.push_back(static_cast<float>(std::cos(angle(position, channel))));
  }
  return table;
}

class Ctrl {
 public:
  Ctrl(ModelWriter& model, const Settings& settings)
      : model_(model), settings_(settings), width_(settings["width"]) {
    heads_ = heads_of(settings);
  }

  void write() {
    const Value ids = token_input(model_, "input_ids");
    const Value length = size_of(model_, ids, 1);
    visible_ = causal_visibility(model_, length);
    Value tokens = embed(ids, length);
    for (Dim i = 0; i < settings_["layers"]; ++i) tokens = layer(Scope().element("h", i), tokens);
    tokens = layer_norm(model_, Scope().child("layernorm"), tokens, width_, kCtrlEpsilon);
    token_output(model_, tokens, width_);
  }

 private:
  Value embed(const Value& ids, const Value& length) {
    const Scope root;
    const Value words = embedding(model_, root.child("w"), ids, settings_["vocabulary"], width_);
    const float scale = std::sqrt(static_cast<float>(width_));
    const Value scaled = model_.node(root, "Mul", {words, model_.real(scale)});
    const Dim positions = settings_["positions"];
    refuse_large_table({positions, width_}, "positions and width");
    const Value table = model_.table(root, {positions, width_}, sinusoids(positions, width_));
    const Value places = model_.node(root, "Gather", {table, count_to(model_, length)});
    return add(model_, root, scaled, places);
  }

  Value attention(const Scope& scope, const Value& tokens) {
    const auto project = [&](std::string_view name) {
      return linear(model_, scope.child(name), tokens, width_, width_);
    };
    const Value query = project("Wq");
    const Value key = project("Wk");
    const Value value = project("Wv");
    const Value mixed = attend(model_, scope, query, key, value, heads_,
                               scaled_and_visible(model_, scope, heads_, visible_));
    return linear(model_, scope.child("dense"), mixed, width_, width_);
  }

  Value layer(const Scope& scope, const Value& tokens) {
    const Dim hidden = settings_["hidden"];
    const Value calm = layer_norm(model_, scope.child("layernorm1"), tokens, width_, kCtrlEpsilon);
    const Value attended =
        add(model_, scope, tokens, attention(scope.child("multi_head_attention"), calm));
    const Value normed =
        layer_norm(model_, scope.child("layernorm2"), attended, width_, kCtrlEpsilon);
    const Scope ffn = scope.child("ffn");
    const Value wide = linear(model_, ffn.member(0), normed, width_, hidden);
    const Value active = activate(model_, ffn.member(1), wide, Activation::Relu);
    return add(model_, scope, attended, linear(model_, ffn.member(2), active, hidden, width_));
  }

  ModelWriter& model_;
  const Settings& settings_;
  Dim width_;
  Heads heads_;
  Value visible_;
};

}  // namespace

std::vector<Architecture> ctrl_rows() {
  return {{"ctrl",
           "CTRL",
           1'637'718'016,
           {{"layers", 48},
            {"width", 1280},
            {"heads", 16},
            {"hidden", 8192},
            {"vocabulary", 246534},
            {"positions", 256}},
           [](ModelWriter& model, const Settings& settings) { Ctrl(model, settings).write(); }}};
}

}  // namespace jouletree::zoo
