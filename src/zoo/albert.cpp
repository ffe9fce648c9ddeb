// ALBERT (Lan et al. 2019): one layer's weights for all layers, and narrow embeddings.
#include "zoo/architecture.hpp"
#include "zoo/attention.hpp"

namespace jouletree::zoo {
namespace {

constexpr float kAlbertEpsilon = 1e-12F;

class Albert {
 public:
  Albert(ModelWriter& model, const Settings& settings)
      : model_(model), settings_(settings), width_(settings["width"]) {
    heads_ = heads_of(settings);
  }

  void write() {
    const Value ids = token_input(model_, "input_ids");
    const Value mask = token_input(model_, "attention_mask");
    const Value types = token_input(model_, "token_type_ids");
    penalty_ = padding_penalty(model_, mask);
    const Scope encoder = Scope().child("encoder");
    Value tokens = linear(model_, encoder.child("embedding_hidden_mapping_in"), embed(ids, types),
                          settings_["embedding"], width_);
    const Scope shared = encoder.element("albert_layer_groups", 0).element("albert_layers", 0);
    for (Dim i = 0; i < settings_["layers"]; ++i) tokens = layer(shared, tokens);
    token_output(model_, tokens, width_);
    row_output(model_, "pooler_output",
               pool_first_token(model_, Scope(), Scope().child("pooler"), tokens, width_), width_);
  }

 private:
  Value embed(const Value& ids, const Value& types) {
    const Scope scope = Scope().child("embeddings");
    const Dim width = settings_["embedding"];
    const Value words =
        embedding(model_, scope.child("word_embeddings"), ids, settings_["vocabulary"], width);
    const Value kinds =
        embedding(model_, scope.child("token_type_embeddings"), types, settings_["types"], width);
    const Value places = count_to(model_, size_of(model_, ids, 1));
    const Value positions = embedding(model_, scope.child("position_embeddings"), places,
                                      settings_["positions"], width);
    const Value sum = add(model_, scope, add(model_, scope, words, kinds), positions);
    return layer_norm(model_, scope.child("LayerNorm"), sum, width, kAlbertEpsilon);
  }

  Value attention(const Scope& scope, const Value& tokens) {
    const auto project = [&](std::string_view name) {
      return linear(model_, scope.child(name), tokens, width_, width_);
    };
    const Value query = project("query");
    const Value key = project("key");
    const Value value = project("value");
    const Value mixed = attend(model_, scope, query, key, value, heads_,
                               scaled_and_penalised(model_, scope, heads_, penalty_));
    const Value projected = linear(model_, scope.child("dense"), mixed, width_, width_);
    return layer_norm(model_, scope.child("LayerNorm"), add(model_, scope, tokens, projected),
                      width_, kAlbertEpsilon);
  }

  Value layer(const Scope& scope, const Value& tokens) {
    const Dim hidden = settings_["hidden"];
    const Value attended = attention(scope.child("attention"), tokens);
    const Value wide = linear(model_, scope.child("ffn"), attended, width_, hidden);
    const Value active = activate(model_, scope.child("activation"), wide, Activation::GeluTanh);
    const Value narrow = linear(model_, scope.child("ffn_output"), active, hidden, width_);
    return layer_norm(model_, scope.child("full_layer_layer_norm"),
                      add(model_, scope, narrow, attended), width_, kAlbertEpsilon);
  }

  ModelWriter& model_;
  const Settings& settings_;
  Dim width_;
  Heads heads_;
  Value penalty_;
};

Architecture albert_row(std::string name, std::int64_t parameters, std::int64_t layers,
                        std::int64_t width, std::int64_t heads) {
  return {std::move(name),
          "ALBERT",
          parameters,
          {{"layers", layers},
           {"width", width},
           {"heads", heads},
           {"hidden", 4 * width},
           {"embedding", 128},
           {"vocabulary", 30000},
           {"positions", 512},
           {"types", 2}},
          [](ModelWriter& model, const Settings& settings) { Albert(model, settings).write(); }};
}

}  // namespace

std::vector<Architecture> albert_rows() {
  return {
      albert_row("albert-base-v2", 11'683'584, 12, 768, 12),
      albert_row("albert-large-v2", 17'683'968, 24, 1024, 16),
      albert_row("albert-xlarge-v2", 58'724'864, 24, 2048, 16),
      albert_row("albert-xxlarge-v2", 222'595'584, 12, 4096, 64),
  };
}

}  // namespace jouletree::zoo
