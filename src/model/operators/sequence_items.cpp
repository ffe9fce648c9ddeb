#include "model/operators/sequence_items.hpp"

namespace jouletree::model {
namespace {

/// Where the items start in the content of their sequence; empty where the content is unknown.
std::vector<std::size_t> content_starts(const ValueState& sequence) {
  if (!sequence.content || !sequence.type.items) return {};
  std::vector<std::size_t> starts = {0};
  for (const ValueType& item : *sequence.type.items) {
    const Count count = item.elements();
    if (!count.known() || count.value() > kMaxElements) return {};
    starts.push_back(starts.back() + static_cast<std::size_t>(count.value()));
  }
  if (starts.back() != sequence.content->size()) return {};
  return starts;
}

ValueState item_between(const ValueState& sequence, std::size_t index,
                        const std::vector<std::size_t>& starts) {
  ValueState item{(*sequence.type.items)[index], nullptr};
  if (starts.empty()) return item;
  const auto begin = sequence.content->begin();
  item.content =
      std::make_shared<const Elements>(begin + static_cast<std::ptrdiff_t>(starts[index]),
                                       begin + static_cast<std::ptrdiff_t>(starts[index + 1]));
  return item;
}

std::shared_ptr<const Elements> joined_content(const std::vector<ValueState>& items) {
  Elements content;
  for (const ValueState& item : items) {
    if (!item.content) return nullptr;
    if (content.size() + item.content->size() > std::size_t{kMaxElements}) return nullptr;
    content.insert(content.end(), item.content->begin(), item.content->end());
  }
  return std::make_shared<const Elements>(std::move(content));
}

}  // namespace

ValueState sequence_of(const std::vector<ValueState>& items, DataType type) {
  ValueType common;
  common.type = type;
  if (!items.empty()) common = items.front().type;
  for (const ValueState& item : items) common = merge(common, item.type);
  ValueState sequence{sequence_like(common), nullptr};
  if (items.size() > kMaxItems) return sequence;
  sequence.type.items.emplace();
  sequence.type.items->reserve(items.size());
  for (const ValueState& item : items) sequence.type.items->push_back(item.type);
  sequence.content = joined_content(items);
  return sequence;
}

ValueType sequence_like(const ValueType& item) {
  ValueType sequence;
  sequence.kind = ValueKind::Sequence;
  sequence.type = item.type;
  sequence.dims = item.dims;
  return sequence;
}

ValueType common_item(const ValueType& sequence) {
  ValueType item;
  item.type = sequence.type;
  item.dims = sequence.dims;
  return item;
}

std::optional<std::vector<ValueState>> items_of(const ValueState& sequence) {
  if (!sequence.type.items) return std::nullopt;
  const auto starts = content_starts(sequence);
  std::vector<ValueState> items;
  items.reserve(sequence.type.items->size());
  for (std::size_t i = 0; i < sequence.type.items->size(); ++i)
    items.push_back(item_between(sequence, i, starts));
  return items;
}

ValueState item_of(const ValueState& sequence, std::size_t index) {
  return item_between(sequence, index, content_starts(sequence));
}

ValueState tensor_at(const Call& call, std::size_t position) {
  ValueState state{call.input(position), nullptr};
  const Elements* content = call.has_content(position) ? call.content(position) : nullptr;
  if (content != nullptr && content->size() <= std::size_t{kMaxElements})
    state.content = std::make_shared<const Elements>(*content);
  return state;
}

}  // namespace jouletree::model
