#pragma once

#include <optional>
#include <vector>

#include "model/operators/call.hpp"

namespace jouletree::model {

/// The most items a sequence is followed with. Longer ones keep only what their items have in
/// common: a loop that inserts one item per iteration copies the list every time.
inline constexpr std::size_t kMaxItems = 4096;

// A sequence whose items are known may have a content too: that of its items, one after the other.

/// A sequence with these items. `type` is used where there are none.
[[nodiscard]] ValueState sequence_of(const std::vector<ValueState>& items, DataType type);
/// A sequence of unknown length whose items all fit the type `item`.
[[nodiscard]] ValueType sequence_like(const ValueType& item);
/// What all items of a sequence or optional have in common, as the type of a tensor.
[[nodiscard]] ValueType common_item(const ValueType& sequence);

/// The items of a sequence with their content where it is known; nothing where they are unknown.
[[nodiscard]] std::optional<std::vector<ValueState>> items_of(const ValueState& sequence);
/// One item, where items are known and `index` is among them.
[[nodiscard]] ValueState item_of(const ValueState& sequence, std::size_t index);

/// The tensor at an input with its content where that is known and small.
[[nodiscard]] ValueState tensor_at(const Call& call, std::size_t position);

}  // namespace jouletree::model
