// XLNet (Yang et al. 2019) as it reads text: its content stream, without memory of earlier text.
// The query stream, which only training needs, and the mask embedding that it starts from are left
// out unless the setting `streams` is 2.
#include <cmath>

#include "jouletree/error.hpp"
#include "zoo/architecture.hpp"
#include "zoo/relative_positions.hpp"

namespace jouletree::zoo {
namespace {

constexpr float kXlnetEpsilon = 1e-12F;
constexpr float kHidden = 1e30F;

/// What the tokens of one layer offer to queries, heads split.
struct Offered {
  Value keys;
  Value values;
  Value place_keys;  ///< By distance instead of content.
};

class XlNet {
 public:
  XlNet(ModelWriter& model, const Settings& settings)
      : model_(model),
        settings_(settings),
        width_(settings["width"]),
        ids_(token_input(model, "input_ids")),
        length_(size_of(model, ids_, 1)),
        shift_(model, length_) {
    heads_ = heads_of(settings);
    if (settings["streams"] > 2)
      throw Error(ErrorKind::BadInput, "streams: give 1, or 2 to add the query stream");
  }

  void write() {
    const Value mask = token_input(model_, "attention_mask");
    const Value types = token_input(model_, "token_type_ids");
    hide_padding(mask);
    segments_ = segment_pairs(types);
    positions_ = sinusoids_of(model_, Scope(), distances(), width_);
    Value tokens =
        embedding(model_, Scope().child("word_embedding"), ids_, settings_["vocabulary"], width_);
    const bool has_queries = settings_["streams"] == 2;
    Value queries = has_queries ? masked_words() : Value();
    for (Dim i = 0; i < settings_["layers"]; ++i) {
      const Scope scope = Scope().element("layer", i);
      const Scope attention = scope.child("rel_attn");
      const Offered offered = offer(attention, tokens);
      if (has_queries)
        queries = feed_forward(scope.child("ff"), query_stream(attention, queries, offered));
      tokens = feed_forward(scope.child("ff"), content_stream(attention, tokens, offered));
    }
    token_output(model_, tokens, width_);
    if (has_queries)
      model_.output("query_hidden_state", queries, {"batch", "targets", std::to_string(width_)});
  }

 private:
  /// n, …, 1-n for n tokens.
  Value distances() {
    const Scope root;
    return model_.node(root, "Range",
                       {length_, model_.node(root, "Neg", {length_}), model_.integer(-1)});
  }

  /// Penalties are batch x 1 x queries x keys. In the content stream a token always sees itself,
  /// even if it is padding.
  void hide_padding(const Value& mask) {
    const Scope root;
    const Value counts = cast(model_, root, mask, DataType::Float32);
    const Value hidden =
        unsqueeze(model_, root, model_.node(root, "Sub", {model_.real(1.0F), counts}), {1, 2});
    const Value places = count_to(model_, length_);
    const Value is_itself =
        model_.node(root, "Equal", {places, unsqueeze(model_, root, places, {1})});
    const Value shown = cast(model_, root, is_itself, DataType::Float32);
    const Value rest = model_.node(root, "Sub", {hidden, shown});
    const Value is_hidden = model_.node(root, "Greater", {rest, model_.real(0.0F)});
    content_penalty_ = model_.node(
        root, "Mul", {cast(model_, root, is_hidden, DataType::Float32), model_.real(kHidden)});
    if (settings_["streams"] == 2)
      query_penalty_ = model_.node(root, "Mul", {hidden, model_.real(kHidden)});
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

  /// Every target starts as the same embedding: batch x targets x width.
  Value masked_words() {
    const Scope root;
    mapping_ = model_.input("target_mapping", DataType::Float32, {"batch", "targets", "sequence"});
    places_of_targets_ = model_.node(root, "Transpose", {mapping_}, {{"perm", Ints{0, 2, 1}}});
    const Value counts = model_.node(root, "Slice",
                                     {model_.node(root, "Shape", {mapping_}), model_.integers({0}),
                                      model_.integers({2}), model_.integers({0})});
    const Value shape = model_.node(root, "Concat", {counts, model_.integers({width_})},
                                    {{"axis", std::int64_t{0}}});
    return model_.node(root, "Expand", {model_.weight(root, "mask_emb", {1, 1, width_}), shape});
  }

  Value project(const Scope& scope, const Value& tokens, std::string_view name) {
    return model_.node(scope, "MatMul",
                       {tokens, model_.weight(scope, name, {width_, heads_.total()})});
  }

  Offered offer(const Scope& scope, const Value& tokens) {
    return {split_keys(model_, scope, project(scope, tokens, "k"), heads_),
            split_heads(model_, scope, project(scope, tokens, "v"), heads_),
            split_position_keys(model_, scope, project(scope, positions_, "r"), heads_)};
  }

  Value by_segment(const Scope& scope, const Value& query) {
    const Value seen =
        model_.node(scope, "Einsum",
                    {split_biased(model_, scope, query, heads_, "r_s_bias"),
                     model_.weight(scope, "seg_embed", {2, heads_.count, heads_.width})},
                    {{"equation", std::string_view("bnid,snd->bnis")}});
    return model_.node(scope, "Einsum", {segments_, seen},
                       {{"equation", std::string_view("bijs,bnis->bnij")}});
  }

  Value mix(const Scope& scope, const Value& query, const Offered& offered, const Value& penalty) {
    const Value by_content = model_.node(
        scope, "MatMul", {split_biased(model_, scope, query, heads_, "r_w_bias"), offered.keys});
    const Value by_place = shift_.from_both_sides(
        scope,
        model_.node(scope, "MatMul",
                    {split_biased(model_, scope, query, heads_, "r_r_bias"), offered.place_keys}));
    const Value sum =
        add(model_, scope, add(model_, scope, by_content, by_place), by_segment(scope, query));
    const float scale = 1.0F / std::sqrt(static_cast<float>(heads_.width));
    const Value scaled = model_.node(scope, "Mul", {sum, model_.real(scale)});
    const Value scores = model_.node(scope, "Sub", {scaled, penalty});
    return mix_values(model_, scope, scores, offered.values, heads_);
  }

  Value finish(const Scope& scope, const Value& mixed, const Value& skipped) {
    const Value projected =
        model_.node(scope, "MatMul", {mixed, model_.weight(scope, "o", {heads_.total(), width_})});
    return layer_norm(model_, scope.child("layer_norm"), add(model_, scope, projected, skipped),
                      width_, kXlnetEpsilon);
  }

  Value content_stream(const Scope& scope, const Value& tokens, const Offered& offered) {
    return finish(scope, mix(scope, project(scope, tokens, "q"), offered, content_penalty_),
                  tokens);
  }

  /// Queries of targets are moved to the places of their tokens and the answers back.
  Value query_stream(const Scope& scope, const Value& targets, const Offered& offered) {
    const Value placed =
        model_.node(scope, "MatMul", {places_of_targets_, project(scope, targets, "q")});
    const Value mixed = mix(scope, placed, offered, query_penalty_);
    return finish(scope, model_.node(scope, "MatMul", {mapping_, mixed}), targets);
  }

  Value feed_forward(const Scope& scope, const Value& tokens) {
    const Dim hidden = settings_["hidden"];
    const Value wide = linear(model_, scope.child("layer_1"), tokens, width_, hidden);
    const Value active =
        activate(model_, scope.child("activation_function"), wide, Activation::GeluErf);
    const Value narrow = linear(model_, scope.child("layer_2"), active, hidden, width_);
    return layer_norm(model_, scope.child("layer_norm"), add(model_, scope, narrow, tokens), width_,
                      kXlnetEpsilon);
  }

  ModelWriter& model_;
  const Settings& settings_;
  Dim width_;
  Heads heads_;
  Value ids_;
  Value length_;
  RelativeShift shift_;
  Value content_penalty_;
  Value query_penalty_;
  Value segments_;
  Value positions_;
  Value mapping_;
  Value places_of_targets_;
};

Architecture xlnet_row(std::string name, std::int64_t parameters, std::int64_t layers,
                       std::int64_t width) {
  return {std::move(name),
          "XLNet",
          parameters,
          {{"layers", layers},
           {"width", width},
           {"heads", width / 64},
           {"hidden", 4 * width},
           {"vocabulary", 32000},
           {"streams", 1}},
          [](ModelWriter& model, const Settings& settings) { XlNet(model, settings).write(); },
          width};
}

}  // namespace

std::vector<Architecture> xlnet_rows() {
  return {
      xlnet_row("xlnet-base-cased", 116'718'336, 12, 768),
      xlnet_row("xlnet-large-cased", 360'268'800, 24, 1024),
  };
}

}  // namespace jouletree::zoo
