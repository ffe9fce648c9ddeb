// Transformer-XL (Dai et al. 2019) on its first segment of text, when there is no memory yet.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "zoo/architecture.hpp"
#include "zoo/relative_positions.hpp"

namespace jouletree::zoo {
namespace {

constexpr float kTransformerXlEpsilon = 1e-5F;
constexpr std::int64_t kFarthest = 1000;
/// Each cluster of rarer words has an embedding that is this many times narrower.
constexpr Dim kNarrowing = 4;

class TransformerXl {
 public:
  TransformerXl(ModelWriter& model, const Settings& settings)
      : model_(model),
        settings_(settings),
        width_(settings["width"]),
        heads_{settings["heads"], settings["head_width"]},
        ids_(token_input(model, "input_ids")),
        length_(size_of(model, ids_, 1)),
        shift_(model, length_) {
    settings.require_growth({"cutoff1", "cutoff2", "cutoff3", "vocabulary"});
  }

  void write() {
    visible_ = causal_visibility(model_, length_);
    positions_ = sinusoids_of(model_, Scope().child("pos_emb"), distances(), width_);
    Value tokens = embed(Scope().child("word_emb"));
    for (Dim i = 0; i < settings_["layers"]; ++i) {
      const Scope scope = Scope().element("layers", i);
      tokens = feed_forward(scope.child("pos_ff"), attention(scope.child("dec_attn"), tokens));
    }
    token_output(model_, tokens, width_);
  }

 private:
  /// n-1, …, 0 for n tokens.
  Value distances() {
    const Scope root;
    const Value last = model_.node(root, "Sub", {length_, model_.integer(1)});
    const Value all = model_.node(root, "Range", {last, model_.integer(-1), model_.integer(-1)});
    return model_.node(root, "Min", {all, model_.integer(kFarthest)});
  }

  /// Embeds the words of one cluster; zeros for all others. Every cluster looks at every word, so
  /// that no shape depends on data.
  Value embed_cluster(const Scope& scope, Dim index, Dim first, Dim end) {
    Dim width = width_;
    for (Dim i = 0; i < index; ++i) width /= kNarrowing;
    width = std::max<Dim>(width, 1);
    const Value offset = model_.node(scope, "Sub", {ids_, model_.integer(first)});
    const Value is_after = model_.node(scope, "GreaterOrEqual", {offset, model_.integer(0)});
    const Value is_before = model_.node(scope, "Less", {offset, model_.integer(end - first)});
    const Value is_inside = model_.node(scope, "And", {is_after, is_before});
    const Value row = model_.node(scope, "Where", {is_inside, offset, model_.integer(0)});
    const Value narrow =
        embedding(model_, scope.element("emb_layers", index), row, end - first, width);
    const Value wide = model_.node(
        scope, "MatMul",
        {narrow, model_.weight(scope, fmt::format("emb_projs.{}", index), {width, width_})});
    return model_.node(scope, "Where",
                       {unsqueeze(model_, scope, is_inside, {2}), wide, model_.real(0.0F)});
  }

  Value embed(const Scope& scope) {
    const std::array<Dim, 5> ends = {0, settings_["cutoff1"], settings_["cutoff2"],
                                     settings_["cutoff3"], settings_["vocabulary"]};
    Value sum = embed_cluster(scope, 0, ends[0], ends[1]);
    for (std::size_t i = 1; i + 1 < ends.size(); ++i) {
      const Value cluster = embed_cluster(scope, static_cast<Dim>(i), ends[i], ends[i + 1]);
      sum = add(model_, scope, sum, cluster);
    }
    const float scale = std::sqrt(static_cast<float>(width_));
    return model_.node(scope, "Mul", {sum, model_.real(scale)});
  }

  Value scores(const Scope& scope, const Value& query, const Value& key) {
    const Value keys = split_keys(model_, scope, key, heads_);
    const Value by_content = model_.node(
        scope, "MatMul", {split_biased(model_, scope, query, heads_, "r_w_bias"), keys});
    const Value places =
        linear(model_, scope.child("r_net"), positions_, width_, heads_.total(), Bias::No);
    const Value by_place = shift_.from_the_past(
        scope, model_.node(scope, "MatMul",
                           {split_biased(model_, scope, query, heads_, "r_r_bias"),
                            split_position_keys(model_, scope, places, heads_)}));
    const float scale = 1.0F / std::sqrt(static_cast<float>(heads_.width));
    const Value scaled =
        model_.node(scope, "Mul", {add(model_, scope, by_content, by_place), model_.real(scale)});
    return hide(model_, scope, scaled, visible_);
  }

  Value attention(const Scope& scope, const Value& tokens) {
    const Dim total = heads_.total();
    const Value all = linear(model_, scope.child("qkv_net"), tokens, width_, 3 * total, Bias::No);
    const auto parts =
        model_.node_with_outputs(scope, "Split", {all, model_.integers({total, total, total})}, 3,
                                 {{"axis", std::int64_t{2}}});
    const Value values = split_heads(model_, scope, parts[2], heads_);
    const Value mixed =
        mix_values(model_, scope, scores(scope, parts[0], parts[1]), values, heads_);
    const Value projected = linear(model_, scope.child("o_net"), mixed, total, width_, Bias::No);
    return layer_norm(model_, scope.child("layer_norm"), add(model_, scope, tokens, projected),
                      width_, kTransformerXlEpsilon);
  }

  Value feed_forward(const Scope& scope, const Value& tokens) {
    const Dim hidden = settings_["hidden"];
    const Scope core = scope.child("CoreNet");
    const Value wide = linear(model_, core.member(0), tokens, width_, hidden);
    const Value active = activate(model_, core.member(1), wide, Activation::Relu);
    const Value narrow = linear(model_, core.member(3), active, hidden, width_);
    return layer_norm(model_, scope.child("layer_norm"), add(model_, scope, tokens, narrow), width_,
                      kTransformerXlEpsilon);
  }

  ModelWriter& model_;
  const Settings& settings_;
  Dim width_;
  Heads heads_;
  Value ids_;
  Value length_;
  RelativeShift shift_;
  Value visible_;
  Value positions_;
};

}  // namespace

std::vector<Architecture> transformer_xl_rows() {
  return {{"transfo-xl-wt103",
           "Transformer-XL",
           283'885'936,
           {{"layers", 18},
            {"width", 1024},
            {"heads", 16},
            {"head_width", 64},
            {"hidden", 4096},
            {"vocabulary", 267735},
            {"cutoff1", 20000},
            {"cutoff2", 40000},
            {"cutoff3", 200000}},
           [](ModelWriter& model, const Settings& settings) {
             TransformerXl(model, settings).write();
           }}};
}

}  // namespace jouletree::zoo
