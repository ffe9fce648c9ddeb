// DistilBERT (Sanh et al. 2019): half of BERT's layers, no token types, no pooler.
#include <cmath>

#include "zoo/architecture.hpp"
#include "zoo/attention.hpp"

namespace jouletree::zoo {
namespace {

constexpr float kDistilbertEpsilon = 1e-12F;

class DistilBert {
 public:
  DistilBert(ModelWriter& model, const Settings& settings)
      : model_(model), settings_(settings), width_(settings["width"]) {
    heads_ = heads_of(settings);
  }

  void write() {
    const Value ids = token_input(model_, "input_ids");
    const Value mask = token_input(model_, "attention_mask");
    visible_ = cast(model_, Scope(), unsqueeze(model_, Scope(), mask, {1, 2}), DataType::Bool);
    Value tokens = embed(ids);
    for (Dim i = 0; i < settings_["layers"]; ++i)
      tokens = layer(Scope().child("transformer").element("layer", i), tokens);
    token_output(model_, tokens, width_);
  }

 private:
  Value embed(const Value& ids) {
    const Scope scope = Scope().child("embeddings");
    const Value words =
        embedding(model_, scope.child("word_embeddings"), ids, settings_["vocabulary"], width_);
    const Value places = count_to(model_, size_of(model_, ids, 1));
    const Value positions = embedding(model_, scope.child("position_embeddings"), places,
                                      settings_["positions"], width_);
    const Value sum = add(model_, scope, words, positions);
    return layer_norm(model_, scope.child("LayerNorm"), sum, width_, kDistilbertEpsilon);
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

  Value layer(const Scope& scope, const Value& tokens) {
    const Dim hidden = settings_["hidden"];
    const Value mixed = attention(scope.child("attention"), tokens);
    const Value attended =
        layer_norm(model_, scope.child("sa_layer_norm"), add(model_, scope, mixed, tokens), width_,
                   kDistilbertEpsilon);
    const Scope ffn = scope.child("ffn");
    const Value wide = linear(model_, ffn.child("lin1"), attended, width_, hidden);
    const Value active = activate(model_, ffn.child("activation"), wide, Activation::GeluErf);
    const Value narrow = linear(model_, ffn.child("lin2"), active, hidden, width_);
    return layer_norm(model_, scope.child("output_layer_norm"),
                      add(model_, scope, narrow, attended), width_, kDistilbertEpsilon);
  }

  ModelWriter& model_;
  const Settings& settings_;
  Dim width_;
  Heads heads_;
  Value visible_;
};

Architecture distilbert_row(std::string name, std::int64_t parameters, std::int64_t vocabulary) {
  return {
      std::move(name),
      "DistilBERT",
      parameters,
      {{"layers", 6},
       {"width", 768},
       {"heads", 12},
       {"hidden", 3072},
       {"vocabulary", vocabulary},
       {"positions", 512}},
      [](ModelWriter& model, const Settings& settings) { DistilBert(model, settings).write(); }};
}

}  // namespace

std::vector<Architecture> distilbert_rows() {
  return {
      distilbert_row("distilbert-base-uncased", 66'362'880, 30522),
      distilbert_row("distilbert-base-cased", 65'190'912, 28996),
      distilbert_row("distilbert-base-multilingual-cased", 134'734'080, 119547),
  };
}

}  // namespace jouletree::zoo
