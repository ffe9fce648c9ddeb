#pragma once

#include "model/operators/table.hpp"

namespace jouletree::model {

/// The sizes of one attention: every query of every head is compared with every key. Masks are not
/// discounted.
struct AttentionSizes {
  Count batch = Count::unknown();
  Count heads = Count::unknown();     ///< Of the queries.
  Count kv_heads = Count::unknown();  ///< Of keys and values; shared by several query heads.
  Count queries = Count::unknown();
  Count keys = Count::unknown();  ///< Cached and new ones together.
  Count head_size = Count::unknown();
  Count value_head_size = Count::unknown();

  [[nodiscard]] Count scores() const { return batch * heads * queries * keys; }
};

/// What an attention does to each score besides the softmax.
struct ScoreSteps {
  bool scaled = true;
  bool biased = false;  ///< A mask or a bias is added.
  bool capped = false;  ///< Divide, tanh, multiply.
};

/// Queries times keys, softmax, and scores times values; `projections` are the products that make
/// queries, keys and values inside the operator, `others` all other operations.
[[nodiscard]] OperatorWork attention_work(const AttentionSizes& sizes, Count scores,
                                          const ScoreSteps& steps, Count projections = 0,
                                          Count others = 0);

/// A required positive attribute.
[[nodiscard]] std::int64_t positive_attribute(const Call& call, const char* name);
/// The size of one of `parts` equal parts. Fails the call where they are not equal.
[[nodiscard]] Count equal_part(const Call& call, Count size, std::int64_t parts, const char* what);
/// The dimensions of an input that has one of two ranks; null where unknown.
[[nodiscard]] const Dims* ranked(const Call& call, std::size_t position, std::size_t rank,
                                 std::size_t other_rank = 0);
/// A length that an input tells; unknown where it depends on data.
[[nodiscard]] Count length_input(const Call& call, std::size_t position);
/// Pairs of tokens of the same sequence, where sequences of different lengths stand one behind the
/// other: from their ends where known, else as if all were as long as the longest.
[[nodiscard]] Count packed_pairs(const Call& call, std::size_t ends, std::size_t padded);

/// Two multiplications and an addition turn one element by its position's angle.
inline constexpr std::int64_t kRotaryFlops = 3;

}  // namespace jouletree::model
