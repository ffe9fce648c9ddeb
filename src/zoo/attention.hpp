#pragma once

#include <functional>

#include "zoo/layers.hpp"
#include "zoo/settings.hpp"

namespace jouletree::zoo {

struct Heads {
  Dim count = 1;
  Dim width = 1;  ///< Of one head.

  [[nodiscard]] Dim total() const { return count * width; }
};

/// The settings `heads` and `width`. Throws Error(BadInput) unless the heads divide the width.
[[nodiscard]] Heads heads_of(const Settings& settings);

/// Turns raw attention scores (batch x heads x queries x keys) into those that Softmax gets.
using ScoreRule = std::function<Value(const Value& scores)>;

/// batch x sequence x width to batch x heads x sequence x head.
Value split_heads(ModelWriter& model, const Scope& scope, const Value& tokens, const Heads& heads);
/// The same, turned for the product with queries: batch x heads x head x sequence.
Value split_keys(ModelWriter& model, const Scope& scope, const Value& tokens, const Heads& heads);
Value merge_heads(ModelWriter& model, const Scope& scope, const Value& split, const Heads& heads);
/// Softmax of the finished scores, times the values, heads merged.
Value mix_values(ModelWriter& model, const Scope& scope, const Value& scores, const Value& values,
                 const Heads& heads);
/// Attention from projected queries, keys and values, heads not yet split.
Value attend(ModelWriter& model, const Scope& scope, const Value& query, const Value& key,
             const Value& value, const Heads& heads, const ScoreRule& rule);

/// Hides padding: 0 where a token counts and the lowest number where not, batch x 1 x 1 x sequence.
Value padding_penalty(ModelWriter& model, const Value& attention_mask);
/// True where a query may see a key, because it does not come later: sequence x sequence.
Value causal_visibility(ModelWriter& model, const Value& length);

/// Divides by the root of the head's width and adds the penalty.
ScoreRule scaled_and_penalised(ModelWriter& model, const Scope& scope, const Heads& heads,
                               const Value& penalty);
/// Divides by the root of the head's width and hides what is not visible.
ScoreRule scaled_and_visible(ModelWriter& model, const Scope& scope, const Heads& heads,
                             const Value& visible);
/// Hides what is not visible.
Value hide(ModelWriter& model, const Scope& scope, const Value& scores, const Value& visible);

}  // namespace jouletree::zoo
