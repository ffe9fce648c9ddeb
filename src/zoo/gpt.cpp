// OpenAI GPT (Radford et al. 2018) and GPT-2 (Radford et al. 2019), the latter also distilled.
#include "zoo/architecture.hpp"
#include "zoo/attention.hpp"

namespace jouletree::zoo {
namespace {

constexpr float kGptEpsilon = 1e-5F;

/// GPT-2 normalises the input of each part of a layer, GPT the sum after it.
enum class NormPlace { Before, After };

struct Names {
  std::string_view tokens;
  std::string_view positions;
};

class Gpt {
 public:
  Gpt(ModelWriter& model, const Settings& settings, NormPlace norm)
      : model_(model), settings_(settings), norm_(norm), width_(settings["width"]) {
    heads_ = heads_of(settings);
  }

  void write(const Names& names) {
    const Value ids = token_input(model_, "input_ids");
    const Value length = size_of(model_, ids, 1);
    visible_ = causal_visibility(model_, length);
    const Value words =
        embedding(model_, Scope().child(names.tokens), ids, settings_["vocabulary"], width_);
    const Value positions = embedding(model_, Scope().child(names.positions),
                                      count_to(model_, length), settings_["positions"], width_);
    Value tokens = add(model_, Scope(), words, positions);
    for (Dim i = 0; i < settings_["layers"]; ++i) tokens = layer(Scope().element("h", i), tokens);
    if (norm_ == NormPlace::Before) tokens = normalised(Scope().child("ln_f"), tokens);
    token_output(model_, tokens, width_);
  }

 private:
  Value normalised(const Scope& scope, const Value& tokens) {
    return layer_norm(model_, scope, tokens, width_, kGptEpsilon);
  }

  Value attention(const Scope& scope, const Value& tokens) {
    const Value all = linear(model_, scope.child("c_attn"), tokens, width_, 3 * width_);
    const auto parts =
        model_.node_with_outputs(scope, "Split", {all, model_.integers({width_, width_, width_})},
                                 3, {{"axis", std::int64_t{2}}});
    const Value mixed = attend(model_, scope, parts[0], parts[1], parts[2], heads_,
                               scaled_and_visible(model_, scope, heads_, visible_));
    return linear(model_, scope.child("c_proj"), mixed, width_, width_);
  }

  Value feed_forward(const Scope& scope, const Value& tokens) {
    const Dim hidden = settings_["hidden"];
    const Value wide = linear(model_, scope.child("c_fc"), tokens, width_, hidden);
    const Value active = activate(model_, scope.child("act"), wide, Activation::GeluTanh);
    return linear(model_, scope.child("c_proj"), active, hidden, width_);
  }

  Value layer(const Scope& scope, const Value& tokens) {
    const Scope first = scope.child("ln_1");
    const Scope second = scope.child("ln_2");
    if (norm_ == NormPlace::Before) {
      const Value mixed = attention(scope.child("attn"), normalised(first, tokens));
      const Value attended = add(model_, scope, mixed, tokens);
      const Value refined = feed_forward(scope.child("mlp"), normalised(second, attended));
      return add(model_, scope, attended, refined);
    }
    const Value mixed = attention(scope.child("attn"), tokens);
    const Value attended = normalised(first, add(model_, scope, tokens, mixed));
    const Value refined = feed_forward(scope.child("mlp"), attended);
    return normalised(second, add(model_, scope, attended, refined));
  }

  ModelWriter& model_;
  const Settings& settings_;
  NormPlace norm_;
  Dim width_;
  Heads heads_;
  Value visible_;
};

void write_gpt2(ModelWriter& model, const Settings& settings) {
  Gpt(model, settings, NormPlace::Before).write({"wte", "wpe"});
}

void write_openai_gpt(ModelWriter& model, const Settings& settings) {
  Gpt(model, settings, NormPlace::After).write({"tokens_embed", "positions_embed"});
}

Architecture gpt2_row(std::string name, std::int64_t parameters, std::int64_t layers,
                      std::int64_t width) {
  return {std::move(name),
          "GPT-2",
          parameters,
          {{"layers", layers},
           {"width", width},
           {"heads", width / 64},
           {"hidden", 4 * width},
           {"vocabulary", 50257},
           {"positions", 1024}},
          write_gpt2};
}

}  // namespace

std::vector<Architecture> gpt_rows() {
  return {
      {"openai-gpt",
       "GPT",
       116'534'784,
       {{"layers", 12},
        {"width", 768},
        {"heads", 12},
        {"hidden", 3072},
        {"vocabulary", 40478},
        {"positions", 512}},
       write_openai_gpt},
      gpt2_row("distilgpt2", 81'912'576, 6, 768),
      gpt2_row("gpt2", 124'439'808, 12, 768),
      gpt2_row("gpt2-medium", 354'823'168, 24, 1024),
      gpt2_row("gpt2-large", 774'030'080, 36, 1280),
      gpt2_row("gpt2-xl", 1'557'611'200, 48, 1600),
  };
}

}  // namespace jouletree::zoo
