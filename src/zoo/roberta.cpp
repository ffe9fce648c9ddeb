// RoBERTa (Liu et al. 2019), its distilled version and XLM-RoBERTa (Conneau et al. 2019): BERT with
// positions that skip padding and without a second token type.
#include "zoo/architecture.hpp"
#include "zoo/bert_encoder.hpp"

namespace jouletree::zoo {
namespace {

constexpr std::int64_t kPadding = 1;

/// Padding stays at its own position; the first token comes after it.
Value positions_of(ModelWriter& model, const Value& tokens) {
  const Scope scope = Scope().child("embeddings");
  const Value is_padding = model.node(scope, "Equal", {tokens, model.integer(kPadding)});
  const Value counts = cast(model, scope, model.node(scope, "Not", {is_padding}), DataType::Int64);
  const Value rank = model.node(scope, "CumSum", {counts, model.integer(1)});
  const Value positions = model.node(scope, "Mul", {rank, counts});
  return model.node(scope, "Add", {positions, model.integer(kPadding)});
}

void write_roberta(ModelWriter& model, const Settings& settings) {
  const Value tokens = token_input(model, "input_ids");
  const Value mask = token_input(model, "attention_mask");
  const Scope scope = Scope().child("embeddings");
  const Value shape = model.node(scope, "Shape", {tokens});
  const Value types = model.node(scope, "Expand", {model.integer(0), shape});
  write_bert_encoder(model, settings, {tokens, positions_of(model, tokens), types, mask}, 1e-5F);
}

Architecture roberta_row(std::string name, std::string_view family, std::int64_t parameters,
                         std::int64_t layers, std::int64_t width, std::int64_t vocabulary) {
  return {std::move(name),
          family,
          parameters,
          {{"layers", layers},
           {"width", width},
           {"heads", width / 64},
           {"hidden", 4 * width},
           {"vocabulary", vocabulary},
           {"positions", 514},
           {"types", 1}},
          write_roberta};
}

}  // namespace

std::vector<Architecture> roberta_rows() {
  return {
      roberta_row("roberta-base", "RoBERTa", 124'645'632, 12, 768, 50265),
      roberta_row("roberta-large", "RoBERTa", 355'359'744, 24, 1024, 50265),
      roberta_row("distilroberta-base", "RoBERTa", 82'118'400, 6, 768, 50265),
      roberta_row("xlm-roberta-base", "XLM-RoBERTa", 278'043'648, 12, 768, 250002),
      roberta_row("xlm-roberta-large", "XLM-RoBERTa", 559'890'432, 24, 1024, 250002),
  };
}

}  // namespace jouletree::zoo
