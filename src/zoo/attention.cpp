#include "zoo/attention.hpp"

#include <cmath>
#include <limits>

namespace jouletree::zoo {
namespace {

constexpr float kLowest = std::numeric_limits<float>::lowest();

Value rearranged(ModelWriter& model, const Scope& scope, const Value& tokens, const Heads& heads,
                 const Ints& order) {
  const Value split =
      model.node(scope, "Reshape", {tokens, model.integers({0, 0, heads.count, heads.width})});
  return model.node(scope, "Transpose", {split}, {{"perm", order}});
}

Value scaled(ModelWriter& model, const Scope& scope, const Value& scores, const Heads& heads) {
  const float root = std::sqrt(static_cast<float>(heads.width));
  return model.node(scope, "Div", {scores, model.real(root)});
}

}  // namespace

Heads heads_of(const Settings& settings) {
  settings.require_division("width", "heads");
  return {settings["heads"], settings["width"] / settings["heads"]};
}

Value split_heads(ModelWriter& model, const Scope& scope, const Value& tokens, const Heads& heads) {
  return rearranged(model, scope, tokens, heads, {0, 2, 1, 3});
}

Value split_keys(ModelWriter& model, const Scope& scope, const Value& tokens, const Heads& heads) {
  return rearranged(model, scope, tokens, heads, {0, 2, 3, 1});
}

Value merge_heads(ModelWriter& model, const Scope& scope, const Value& split, const Heads& heads) {
  const Value together = model.node(scope, "Transpose", {split}, {{"perm", Ints{0, 2, 1, 3}}});
  return model.node(scope, "Reshape", {together, model.integers({0, 0, heads.total()})});
}

Value mix_values(ModelWriter& model, const Scope& scope, const Value& scores, const Value& values,
                 const Heads& heads) {
  const Value shares = model.node(scope, "Softmax", {scores}, {{"axis", std::int64_t{-1}}});
  const Value mixed = model.node(scope, "MatMul", {shares, values});
  return merge_heads(model, scope, mixed, heads);
}

Value attend(ModelWriter& model, const Scope& scope, const Value& query, const Value& key,
             const Value& value, const Heads& heads, const ScoreRule& rule) {
  const Value queries = split_heads(model, scope, query, heads);
  const Value keys = split_keys(model, scope, key, heads);
  const Value values = split_heads(model, scope, value, heads);
  const Value scores = model.node(scope, "MatMul", {queries, keys});
  return mix_values(model, scope, rule(scores), values, heads);
}

Value padding_penalty(ModelWriter& model, const Value& attention_mask) {
  const Scope root;
  const Value wide = unsqueeze(model, root, attention_mask, {1, 2});
  const Value counts = cast(model, root, wide, DataType::Float32);
  const Value hidden = model.node(root, "Sub", {model.real(1.0F), counts});
  return model.node(root, "Mul", {hidden, model.real(kLowest)});
}

Value causal_visibility(ModelWriter& model, const Value& length) {
  const Scope root;
  const Value keys = count_to(model, length);
  const Value queries = unsqueeze(model, root, keys, {1});
  return model.node(root, "LessOrEqual", {keys, queries});
}

ScoreRule scaled_and_penalised(ModelWriter& model, const Scope& scope, const Heads& heads,
                               const Value& penalty) {
  return [&model, scope, heads, penalty](const Value& scores) {
    return add(model, scope, scaled(model, scope, scores, heads), penalty);
  };
}

ScoreRule scaled_and_visible(ModelWriter& model, const Scope& scope, const Heads& heads,
                             const Value& visible) {
  return [&model, scope, heads, visible](const Value& scores) {
    return hide(model, scope, scaled(model, scope, scores, heads), visible);
  };
}

Value hide(ModelWriter& model, const Scope& scope, const Value& scores, const Value& visible) {
  return model.node(scope, "Where", {visible, scores, model.real(kLowest)});
}

}  // namespace jouletree::zoo
