#include "zoo/bert_encoder.hpp"

namespace jouletree::zoo {
namespace {

class BertEncoder {
 public:
  BertEncoder(ModelWriter& model, const Settings& settings, float epsilon)
      : model_(model), settings_(settings), epsilon_(epsilon), width_(settings["width"]) {
    heads_ = heads_of(settings);
  }

  void write(const BertInputs& inputs) {
    penalty_ = padding_penalty(model_, inputs.attention_mask);
    Value tokens = embed(inputs);
    for (Dim i = 0; i < settings_["layers"]; ++i)
      tokens = layer(Scope().child("encoder").element("layer", i), tokens);
    const Scope pooler = Scope().child("pooler");
    token_output(model_, tokens, width_);
    row_output(model_, "pooler_output",
               pool_first_token(model_, pooler, pooler.child("dense"), tokens, width_), width_);
  }

 private:
  Value embed(const BertInputs& inputs) {
    const Scope scope = Scope().child("embeddings");
    const Value words = embedding(model_, scope.child("word_embeddings"), inputs.tokens,
                                  settings_["vocabulary"], width_);
    const Value types = embedding(model_, scope.child("token_type_embeddings"), inputs.types,
                                  settings_["types"], width_);
    const Value positions = embedding(model_, scope.child("position_embeddings"), inputs.positions,
                                      settings_["positions"], width_);
    const Value sum = add(model_, scope, add(model_, scope, words, types), positions);
    return layer_norm(model_, scope.child("LayerNorm"), sum, width_, epsilon_);
  }

  Value output(const Scope& scope, const Value& input, const Value& skipped, Dim from) {
    const Value projected = linear(model_, scope.child("dense"), input, from, width_);
    const Value sum = add(model_, scope, projected, skipped);
    return layer_norm(model_, scope.child("LayerNorm"), sum, width_, epsilon_);
  }

  Value attention(const Scope& scope, const Value& tokens) {
    const Scope self = scope.child("self");
    const auto project = [&](std::string_view name) {
      return linear(model_, self.child(name), tokens, width_, width_);
    };
    const Value query = project("query");
    const Value key = project("key");
    const Value value = project("value");
    const Value mixed = attend(model_, self, query, key, value, heads_,
                               scaled_and_penalised(model_, self, heads_, penalty_));
    return output(scope.child("output"), mixed, tokens, width_);
  }

  Value layer(const Scope& scope, const Value& tokens) {
    const Dim hidden = settings_["hidden"];
    const Value attended = attention(scope.child("attention"), tokens);
    const Scope between = scope.child("intermediate");
    const Value wide = linear(model_, between.child("dense"), attended, width_, hidden);
    const Value active =
        activate(model_, between.child("intermediate_act_fn"), wide, Activation::GeluErf);
    return output(scope.child("output"), active, attended, hidden);
  }

  ModelWriter& model_;
  const Settings& settings_;
  float epsilon_;
  Dim width_;
  Heads heads_;
  Value penalty_;
};

}  // namespace

void write_bert_encoder(ModelWriter& model, const Settings& settings, const BertInputs& inputs,
                        float epsilon) {
  BertEncoder(model, settings, epsilon).write(inputs);
}

}  // namespace jouletree::zoo
