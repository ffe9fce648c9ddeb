// XLM (Lample and Conneau 2019): an encoder that silences padding after every layer.
#include <cmath>

#include "zoo/architecture.hpp"
#include "zoo/attention.hpp"

namespace jouletree::zoo {
namespace {

constexpr float kXlmEpsilon = 1e-12F;

class Xlm {
 public:
  Xlm(ModelWriter& model, const Settings& settings)
      : model_(model), settings_(settings), width_(settings["width"]) {
    heads_ = heads_of(settings);
  }

  void write() {
    const Scope root;
    const Value ids = token_input(model_, "input_ids");
    const Value mask = token_input(model_, "attention_mask");
    visible_ = cast(model_, root, unsqueeze(model_, root, mask, {1, 2}), DataType::Bool);
    counts_ = cast(model_, root, unsqueeze(model_, root, mask, {2}), DataType::Float32);
    Value tokens = embed(ids);
    for (Dim i = 0; i < settings_["layers"]; ++i) tokens = layer(i, tokens);
    token_output(model_, tokens, width_);
  }

 private:
  Value without_padding(const Value& tokens) {
    return model_.node(Scope(), "Mul", {tokens, counts_});
  }

  Value embed(const Value& ids) {
    const Scope root;
    const Value words =
        embedding(model_, root.child("embeddings"), ids, settings_["vocabulary"], width_);
    const Value places = count_to(model_, size_of(model_, ids, 1));
    const Value positions = embedding(model_, root.child("position_embeddings"), places,
                                      settings_["positions"], width_);
    const Value sum = add(model_, root, words, positions);
    return without_padding(
        layer_norm(model_, root.child("layer_norm_emb"), sum, width_, kXlmEpsilon));
  }

  Value attention(const Scope& scope, const Value& tokens) {
    const auto project = [&](std::string_view name) {
      return linear(model_, scope.child(name), tokens, width_, width_);
    };
    const float root = std::sqrt(static_cast<float>(heads_.width));
    const Value query = model_.node(scope, "Div", {project("q_lin"), model_.real(root)});
    const Value key = project("k_lin");
    const Value value = project("v_lin");
    const Value mixed = attend(model_, scope, query, key, value, heads_, [&](const Value& scores) {
      return hide(model_, scope, scores, visible_);
    });
    return linear(model_, scope.child("out_lin"), mixed, width_, width_);
  }

  /// The lists of attentions, norms and feed-forward parts stand side by side in this model.
  Value layer(Dim index, const Value& tokens) {
    const Scope root;
    const Dim hidden = settings_["hidden"];
    const Value mixed = attention(root.element("attentions", index), tokens);
    const Value attended = layer_norm(model_, root.element("layer_norm1", index),
                                      add(model_, root, tokens, mixed), width_, kXlmEpsilon);
    const Scope ffn = root.element("ffns", index);
    const Value wide = linear(model_, ffn.child("lin1"), attended, width_, hidden);
    const Value active = activate(model_, ffn, wide, Activation::GeluErf);
    const Value narrow = linear(model_, ffn.child("lin2"), active, hidden, width_);
    return without_padding(layer_norm(model_, root.element("layer_norm2", index),
                                      add(model_, root, attended, narrow), width_, kXlmEpsilon));
  }

  ModelWriter& model_;
  const Settings& settings_;
  Dim width_;
  Heads heads_;
  Value visible_;
  Value counts_;
};

Architecture xlm_row(std::string name, std::int64_t parameters, std::int64_t layers,
                     std::int64_t width, std::int64_t vocabulary) {
  return {std::move(name),
          "XLM",
          parameters,
          {{"layers", layers},
           {"width", width},
           {"heads", 16},
           {"hidden", 4 * width},
           {"vocabulary", vocabulary},
           {"positions", 512}},
          [](ModelWriter& model, const Settings& settings) { Xlm(model, settings).write(); }};
}

}  // namespace

std::vector<Architecture> xlm_rows() {
  return {
      xlm_row("xlm-mlm-en-2048", 667'088'896, 12, 2048, 30145),
      xlm_row("xlm-mlm-17-1280", 571'496'960, 16, 1280, 200000),
  };
}

}  // namespace jouletree::zoo
