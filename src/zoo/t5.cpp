// The encoder of T5 (Raffel et al. 2019): no biases, no absolute positions, unscaled attention with
// a learned bias by distance that the first layer makes and all layers share.
#include <cmath>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "zoo/architecture.hpp"
#include "zoo/attention.hpp"

namespace jouletree::zoo {
namespace {

constexpr float kT5Epsilon = 1e-6F;

class T5Encoder {
 public:
  T5Encoder(ModelWriter& model, const Settings& settings)
      : model_(model),
        settings_(settings),
        width_(settings["width"]),
        heads_{settings["heads"], settings["head_width"]} {
    const std::int64_t buckets = settings["buckets"];
    if (buckets % 4 != 0) {
      throw Error(ErrorKind::BadInput, fmt::format("buckets={}: give a multiple of 4", buckets));
    }
    if (settings["distance"] <= buckets / 4) {
      throw Error(ErrorKind::BadInput, fmt::format("distance={} must be more than buckets/4={}",
                                                   settings["distance"], buckets / 4));
    }
  }

  void write() {
    const Value ids = token_input(model_, "input_ids");
    const Value mask = token_input(model_, "attention_mask");
    const Value penalty = padding_penalty(model_, mask);
    const Scope encoder = Scope().child("encoder");
    Value tokens = model_.node(
        encoder.child("embed_tokens"), "Gather",
        {model_.weight(Scope().child("shared"), "weight", {settings_["vocabulary"], width_}), ids});
    const Value distances =
        distance_bias(encoder.element("block", 0).element("layer", 0).child("SelfAttention"), ids);
    bias_ = add(model_, encoder, distances, penalty);
    for (Dim i = 0; i < settings_["layers"]; ++i)
      tokens = block(encoder.element("block", i), tokens);
    tokens = rms_norm(model_, encoder.child("final_layer_norm"), tokens, width_, kT5Epsilon);
    token_output(model_, tokens, width_);
  }

 private:
  /// Half of the buckets are for keys that come later. Of each half, one half holds one distance
  /// per bucket and the rest is spaced logarithmically up to the greatest distance.
  Value bucket_of(const Scope& scope, const Value& distance) {
    const std::int64_t half = settings_["buckets"] / 2;
    const std::int64_t exact = half / 2;
    const Value is_later =
        cast(model_, scope, model_.node(scope, "Greater", {distance, model_.integer(0)}),
             DataType::Int64);
    const Value offset = model_.node(scope, "Mul", {is_later, model_.integer(half)});
    const Value size = model_.node(scope, "Abs", {distance});
    const Value far = model_.node(scope, "Max", {size, model_.integer(exact)});
    const Value ratio = model_.node(
        scope, "Div",
        {cast(model_, scope, far, DataType::Float32), model_.real(static_cast<float>(exact))});
    const double span =
        std::log(static_cast<double>(settings_["distance"]) / static_cast<double>(exact));
    const auto factor = static_cast<float>(static_cast<double>(half - exact) / span);
    const Value steps =
        model_.node(scope, "Mul", {model_.node(scope, "Log", {ratio}), model_.real(factor)});
    const Value spaced = model_.node(
        scope, "Add", {cast(model_, scope, steps, DataType::Int64), model_.integer(exact)});
    const Value last = model_.node(scope, "Min", {spaced, model_.integer(half - 1)});
    const Value is_near = model_.node(scope, "Less", {size, model_.integer(exact)});
    return model_.node(scope, "Add", {offset, model_.node(scope, "Where", {is_near, size, last})});
  }

  /// 1 x heads x queries x keys.
  Value distance_bias(const Scope& scope, const Value& ids) {
    const Value places = count_to(model_, size_of(model_, ids, 1));
    const Value distance =
        model_.node(scope, "Sub",
                    {unsqueeze(model_, scope, places, {0}), unsqueeze(model_, scope, places, {1})});
    const Value by_pair = embedding(model_, scope.child("relative_attention_bias"),
                                    bucket_of(scope, distance), settings_["buckets"], heads_.count);
    const Value by_head = model_.node(scope, "Transpose", {by_pair}, {{"perm", Ints{2, 0, 1}}});
    return unsqueeze(model_, scope, by_head, {0});
  }

  Value project(const Scope& scope, const Value& tokens, Dim from, Dim to) {
    return linear(model_, scope, tokens, from, to, Bias::No);
  }

  Value block(const Scope& scope, const Value& tokens) {
    const Scope first = scope.element("layer", 0);
    const Scope self = first.child("SelfAttention");
    const Value normed = rms_norm(model_, first.child("layer_norm"), tokens, width_, kT5Epsilon);
    const Value query = project(self.child("q"), normed, width_, heads_.total());
    const Value key = project(self.child("k"), normed, width_, heads_.total());
    const Value value = project(self.child("v"), normed, width_, heads_.total());
    const Value mixed = attend(model_, self, query, key, value, heads_, [&](const Value& scores) {
      return add(model_, self, scores, bias_);
    });
    const Value attended =
        add(model_, first, tokens, project(self.child("o"), mixed, heads_.total(), width_));
    return feed_forward(scope.element("layer", 1), attended);
  }

  Value feed_forward(const Scope& scope, const Value& tokens) {
    const Dim hidden = settings_["hidden"];
    const Value normed = rms_norm(model_, scope.child("layer_norm"), tokens, width_, kT5Epsilon);
    const Scope dense = scope.child("DenseReluDense");
    const Value wide = project(dense.child("wi"), normed, width_, hidden);
    const Value active = activate(model_, dense.child("act"), wide, Activation::Relu);
    return add(model_, scope, tokens, project(dense.child("wo"), active, hidden, width_));
  }

  ModelWriter& model_;
  const Settings& settings_;
  Dim width_;
  Heads heads_;
  Value bias_;
};

void write_t5(ModelWriter& model, const Settings& settings) { T5Encoder(model, settings).write(); }

Architecture t5_row(std::string name, std::int64_t parameters, std::int64_t layers,
                    std::int64_t width, std::int64_t heads) {
  return {std::move(name),
          "T5",
          parameters,
          {{"layers", layers},
           {"width", width},
           {"heads", heads},
           {"head_width", 64},
           {"hidden", 4 * width},
           {"vocabulary", 32128},
           {"buckets", 32},
           {"distance", 128}},
          write_t5};
}

}  // namespace

std::vector<Architecture> t5_rows() {
  return {
      t5_row("t5-small-encoder", 35'330'816, 6, 512, 8),
      t5_row("t5-base-encoder", 109'628'544, 12, 768, 12),
      t5_row("t5-large-encoder", 334'939'648, 24, 1024, 16),
  };
}

}  // namespace jouletree::zoo
