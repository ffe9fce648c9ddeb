#pragma once

#include "zoo/attention.hpp"

namespace jouletree::zoo {

// Attention by relative position, as in Transformer-XL (Dai et al. 2019) and XLNet.

/// Sines, then cosines of each position: positions x width. Throws Error(BadInput) if the width is
/// odd.
Value sinusoids_of(ModelWriter& model, const Scope& scope, const Value& positions, Dim width);
/// positions x width to heads x head x positions.
Value split_position_keys(ModelWriter& model, const Scope& scope, const Value& keys,
                          const Heads& heads);
/// batch x sequence x width plus a bias per head and channel, to batch x heads x sequence x head.
Value split_biased(ModelWriter& model, const Scope& scope, const Value& queries, const Heads& heads,
                   std::string_view bias);

/// Moves each row of position scores so that column j belongs to key j. Columns of the scores are
/// distances; the shapes involved are the same in all layers.
class RelativeShift {
 public:
  /// `length` is the scalar number of tokens.
  RelativeShift(ModelWriter& model, const Value& length);

  /// From 2n distances (n, …, 1-n) to n keys.
  Value from_both_sides(const Scope& scope, const Value& scores);
  /// From n distances (n-1, …, 0) to n keys; what lies above the diagonal is meaningless.
  Value from_the_past(const Scope& scope, const Value& scores);

 private:
  Value without_first_row(const Scope& scope, const Value& scores);

  ModelWriter& model_;
  Value length_;        ///< As a list of one.
  Value rows_as_cols_;  ///< Shape: batch, heads, open, length.
  Value cols_as_rows_;  ///< Shape: batch, heads, length, open.
};

}  // namespace jouletree::zoo
