// XLNet (Yang et al. 2019) as it reads text: its content stream, without memory of earlier text.
// The query stream, which only training needs, is left out, and with it the mask embedding.
#include <cmath>

#include "zoo/architecture.hpp"
#include "zoo/relative_positions.hpp"

namespace jouletree::zoo {
namespace {

constexpr float kEpsilon = 1e-12F;
constexpr float kHidden = 1e30F;

class XlNet {
 public:
  XlNet(ModelWriter& model, const Settings& settings)
      : model_(model),
        settings_(settings),
        width_(settings["width"]),
        ids_(token_input(model, "input_ids")),
        length_(size_of(model, ids_, 1)),
        shift_(model, length_) {
    settings.require_division("width", "heads");
    heads_ = {settings["heads"], width_ / settings["heads"]};
  }

  void write() {
    const Value mask = token_input(model_, "attention_mask");
    const Value types = token_input(model_, "token_type_ids");
    penalty_ = penalty_of(mask);
    segments_ = segment_pairs(types);
    positions_ = sinusoids_of(model_, Scope(), distances(), width_);
    Value tokens =
        embedding(model_, Scope().child("word_embedding"), ids_, settings_["vocabulary"], width_);
    for (Dim i = 0; i < settings_["layers"]; ++i) {
      const Scope scope = Scope().element("layer", i);
      tokens = feed_forward(scope.child("ff"), attention(scope.child("rel_attn"), tokens));
    }
    model_.output("last_hidden_state", tokens);
  }

 private:
  /// n, …, 1-n for n tokens.
  Value distances() {
    const Scope root;
    return model_.node(root, "Range",
                       {length_, model_.node(root, "Neg", {length_}), model_.integer(-1)});
  }

  /// Padding is hidden from all tokens but itself: batch x 1 x queries x keys.
  Value penalty_of(const Value& mask) {
    const Scope root;
    const Value counts = cast(model_, root, mask, DataType::Float32);
    const Value hidden = model_.node(root, "Sub", {model_.real(1.0F), counts});
    const Value places = count_to(model_, length_);
    const Value is_itself =
        model_.node(root, "Equal", {places, unsqueeze(model_, root, places, {1})});
    const Value shown = cast(model_, root, is_itself, DataType::Float32);
    const Value rest = model_.node(root, "Sub", {unsqueeze(model_, root, hidden, {1, 2}), shown});
    const Value is_hidden = model_.node(root, "Greater", {rest, model_.real(0.0F)});
    return model_.node(root, "Mul",
                       {cast(model_, root, is_hidden, DataType::Float32), model_.real(kHidden)});
  }

  /// Whether two tokens are of one segment, as one of two: batch x queries x keys x 2.
  Value segment_pairs(const Value& types) {
    const Scope root;
    const Value is_same = model_.node(
        root, "Equal", {unsqueeze(model_, root, types, {2}), unsqueeze(model_, root, types, {1})});
    const Value differs = cast(model_, root, model_.node(root, "Not", {is_same}), DataType::Int64);
    return model_.node(root, "OneHot",
                       {differs, model_.integer(2), model_.table(root, {2}, {0.0F, 1.0F})});
  }

  Value project(const Scope& scope, const Value& tokens, std::string_view name) {
    return model_.node(scope, "MatMul",
                       {tokens, model_.weight(scope, name, {width_, heads_.total()})});
  }

  Value scores(const Scope& scope, const Value& query, const Value& key) {
    const Value by_content =
        model_.node(scope, "MatMul", {split_biased(model_, scope, query, heads_, "r_w_bias"), key});
    const Value place_keys =
        split_position_keys(model_, scope, project(scope, positions_, "r"), heads_);
    const Value by_place = shift_.from_both_sides(
        scope, model_.node(scope, "MatMul",
                           {split_biased(model_, scope, query, heads_, "r_r_bias"), place_keys}));
    const Value seen =
        model_.node(scope, "Einsum",
                    {split_biased(model_, scope, query, heads_, "r_s_bias"),
                     model_.weight(scope, "seg_embed", {2, heads_.count, heads_.width})},
                    {{"equation", std::string_view("bnid,snd->bnis")}});
    const Value by_segment = model_.node(scope, "Einsum", {segments_, seen},
                                         {{"equation", std::string_view("bijs,bnis->bnij")}});
    const Value sum = add(model_, scope, add(model_, scope, by_content, by_place), by_segment);
    const float scale = 1.0F / std::sqrt(static_cast<float>(heads_.width));
    const Value scaled = model_.node(scope, "Mul", {sum, model_.real(scale)});
    return model_.node(scope, "Sub", {scaled, penalty_});
  }

  Value attention(const Scope& scope, const Value& tokens) {
    const Value query = project(scope, tokens, "q");
    const Value key = split_keys(model_, scope, project(scope, tokens, "k"), heads_);
    const Value value = split_heads(model_, scope, project(scope, tokens, "v"), heads_);
    const Value mixed = mix_values(model_, scope, scores(scope, query, key), value, heads_);
    const Value projected =
        model_.node(scope, "MatMul", {mixed, model_.weight(scope, "o", {heads_.total(), width_})});
    return layer_norm(model_, scope.child("layer_norm"), add(model_, scope, projected, tokens),
                      width_, kEpsilon);
  }

  Value feed_forward(const Scope& scope, const Value& tokens) {
    const Dim hidden = settings_["hidden"];
    const Value wide = linear(model_, scope.child("layer_1"), tokens, width_, hidden);
    const Value active =
        activate(model_, scope.child("activation_function"), wide, Activation::GeluErf);
    const Value narrow = linear(model_, scope.child("layer_2"), active, hidden, width_);
    return layer_norm(model_, scope.child("layer_norm"), add(model_, scope, narrow, tokens), width_,
                      kEpsilon);
  }

  ModelWriter& model_;
  const Settings& settings_;
  Dim width_;
  Heads heads_;
  Value ids_;
  Value length_;
  RelativeShift shift_;
  Value penalty_;
  Value segments_;
  Value positions_;
};

Architecture row(std::string name, std::int64_t parameters, std::int64_t layers,
                 std::int64_t width) {
  return {std::move(name),
          "XLNet",
          parameters,
          {{"layers", layers},
           {"width", width},
           {"heads", width / 64},
           {"hidden", 4 * width},
           {"vocabulary", 32000}},
          [](ModelWriter& model, const Settings& settings) { XlNet(model, settings).write(); },
          width};
}

}  // namespace

std::vector<Architecture> xlnet_rows() {
  return {
      row("xlnet-base-cased", 116'718'336, 12, 768),
      row("xlnet-large-cased", 360'268'800, 24, 1024),
  };
}

}  // namespace jouletree::zoo
