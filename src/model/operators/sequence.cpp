#include <algorithm>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/moves.hpp"
#include "model/operators/sequence_items.hpp"
#include "model/operators/shape_math.hpp"
#include "model/operators/type_attribute.hpp"

namespace jouletree::model {
namespace {

/// A position in a sequence counted from the front, within [0, last].
std::size_t normal_position(const Call& call, std::int64_t position, std::size_t items,
                            std::size_t last) {
  const auto count = static_cast<std::int64_t>(items);
  const std::int64_t from_front = position < 0 && position >= -count ? position + count : position;
  if (from_front < 0 || from_front > static_cast<std::int64_t>(last)) {
    call.fail(
        fmt::format("position {} is outside a sequence of {}", position, number_of(items, "item")));
  }
  return static_cast<std::size_t>(from_front);
}

void sequence_construct(Call& call) {
  std::vector<ValueState> items;
  for (std::size_t i = 0; i < call.input_count(); ++i)
    if (call.has_input(i)) items.push_back(tensor_at(call, i));
  call.set_state(0, sequence_of(items, DataType::Undefined));
}

void sequence_empty(Call& call) {
  call.set_state(0, sequence_of({}, type_attribute(call, "dtype", DataType::Float32)));
}

void sequence_at(Call& call) {
  const ValueState& sequence = call.input_state(0);
  const auto position = call.integer(1);
  if (!sequence.type.items || !position) return call.set(0, common_item(sequence.type));
  const std::size_t count = sequence.type.items->size();
  if (count == 0) call.fail("it takes an item of an empty sequence");
  call.set_state(0, item_of(sequence, normal_position(call, *position, count, count - 1)));
}

void sequence_insert(Call& call) {
  auto items = items_of(call.input_state(0));
  const auto position = call.has_input(2) ? call.integer(2) : std::nullopt;
  const bool known = items && (position || !call.has_input(2));
  if (!known) return call.set(0, sequence_like(merge(common_item(call.input(0)), call.input(1))));
  const std::size_t count = items->size();
  const std::size_t at = position ? normal_position(call, *position, count, count) : count;
  items->insert(items->begin() + static_cast<std::ptrdiff_t>(at), tensor_at(call, 1));
  call.set_state(0, sequence_of(*items, call.type(1)));
}

void sequence_erase(Call& call) {
  auto items = items_of(call.input_state(0));
  const auto position = call.has_input(1) ? call.integer(1) : std::optional<std::int64_t>(-1);
  if (!items || !position) return call.set(0, sequence_like(common_item(call.input(0))));
  if (items->empty()) call.fail("it removes an item from an empty sequence");
  const std::size_t at = normal_position(call, *position, items->size(), items->size() - 1);
  items->erase(items->begin() + static_cast<std::ptrdiff_t>(at));
  call.set_state(0, sequence_of(*items, call.type(0)));
}

void sequence_length(Call& call) {
  call.set(0, DataType::Int64, {});
  const auto& items = call.input(0).items;
  if (items) call.set_content(0, {Scalar::integer(static_cast<std::int64_t>(items->size()))});
}

/// Sizes of the parts that an axis is split into; nothing where they depend on data or are too
/// many.
std::optional<std::vector<Dim>> part_sizes(const Call& call, Dim extent) {
  std::int64_t step = 1;
  if (call.has_input(1)) {
    const Dims* split_dims = call.dims(1);
    const auto split = call.integers(1);
    const bool listed = split_dims != nullptr && !split_dims->empty();
    if (!split) {
      const Count parts = listed ? elements_of(*split_dims) : Count::unknown();
      if (!parts.known() || parts.value() > static_cast<std::int64_t>(kMaxItems))
        return std::nullopt;
      return std::vector<Dim>(static_cast<std::size_t>(parts.value()), kUnknownDim);
    }
    if (listed) {
      Count total = 0;
      for (const std::int64_t size : *split) {
        if (size < 0) call.fail("a part of the split has a negative size");
        total += size;
      }
      if (extent != kUnknownDim && total.value() != extent)
        call.fail(fmt::format("the parts add up to {}, the axis has {}", total.value(), extent));
      return *split;
    }
    if (split->empty() || split->front() <= 0) call.fail("the size of a part should be positive");
    step = split->front();
  }
  if (extent == kUnknownDim || extent / step >= static_cast<Dim>(kMaxItems)) return std::nullopt;
  std::vector<Dim> sizes(static_cast<std::size_t>(extent / step), step);
  if (extent % step != 0) sizes.push_back(extent % step);
  return sizes;
}

/// Elements [start, start + size) along `axis`.
Elements part_of(const Elements& content, const Dims& dims, std::size_t axis, Dim start, Dim size) {
  Dims part = dims;
  part[axis] = size;
  if (content.empty()) return {};
  const auto strides = strides_of(dims);
  return picked(content, part, start * strides[axis], strides);
}

void split_to_sequence(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set(0, sequence_like(common_item(call.input(0))));
  const std::size_t axis = normal_axis(call, call.attribute("axis", std::int64_t{0}), dims->size());
  const bool squeeze = !call.has_input(1) && call.attribute("keepdims", std::int64_t{1}) == 0;
  const auto sizes = part_sizes(call, (*dims)[axis]);
  ValueType item = common_item(call.input(0));
  const auto resize = [&](Dim size) {
    item.dims = *dims;
    (*item.dims)[axis] = size;
    if (squeeze) item.dims->erase(item.dims->begin() + static_cast<std::ptrdiff_t>(axis));
  };
  if (!sizes) {
    resize(call.has_input(1) ? kUnknownDim : 1);
    return call.set(0, sequence_like(item));
  }
  const ValueState whole = tensor_at(call, 0);
  const bool known = whole.content && std::count(sizes->begin(), sizes->end(), kUnknownDim) == 0;
  std::vector<ValueState> items;
  Dim start = 0;
  for (const Dim size : *sizes) {
    resize(size);
    items.push_back({item, nullptr});
    if (!known) continue;
    items.back().content =
        std::make_shared<const Elements>(part_of(*whole.content, *dims, axis, start, size));
    start += size;
  }
  call.set_state(0, sequence_of(items, item.type));
}

/// An empty item need not fit the others: that is what a loop without iterations leaves.
Dims joined_dims(const Call& call, const std::vector<ValueState>& items, std::int64_t axis) {
  const auto filled = [](const ValueState& item) { return item.type.elements() != Count(0); };
  const auto first = std::find_if(items.begin(), items.end(), filled);
  Dims result = *(first == items.end() ? items.front() : *first).type.dims;
  const std::size_t at = normal_axis(call, axis, result.size());
  Count joined = 0;
  for (const ValueState& item : items) {
    const Dims& dims = *item.type.dims;
    if (at < dims.size()) joined += count_of(dims[at]);
    if (!filled(item)) continue;
    if (dims.size() != result.size())
      call.fail(fmt::format("cannot join {} and {}", to_string(result), to_string(dims)));
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (i == at) continue;
      result[i] = same_dim(call, result[i], dims[i], "dimensions beside the joined axis");
    }
  }
  result[at] = dim_of(joined);
  return result;
}

/// The dimensions of items that are laid side by side along a new axis.
Dims stacked_dims(const Call& call, Dims item, std::int64_t axis, Dim count) {
  const std::size_t at = normal_axis(call, axis, item.size() + 1);
  item.insert(item.begin() + static_cast<std::ptrdiff_t>(at), count);
  return item;
}

/// Items joined along their first axis stand one after the other, as in the sequence.
void join_content(Call& call, const std::vector<ValueState>& items, std::int64_t axis) {
  const Dims* dims = call.output_dims(0);
  if (dims == nullptr || dims->empty() || (axis != 0 && dims->size() != 1)) return;
  Elements content;
  for (const ValueState& item : items) {
    if (!item.content) return;
    content.insert(content.end(), item.content->begin(), item.content->end());
  }
  call.set_content(0, std::move(content));
}

void concat_from_sequence(Call& call) {
  if (!call.has_attribute("axis")) call.fail("it has no attribute 'axis'");
  const auto axis = call.attribute("axis", std::int64_t{0});
  const bool stack = call.attribute("new_axis", std::int64_t{0}) != 0;
  const ValueType& sequence = call.input(0);
  const auto items = items_of(call.input_state(0));
  if (items && items->empty()) call.fail("it joins the items of an empty sequence");
  const auto ranked = [](const ValueState& item) { return item.type.dims.has_value(); };
  if (items && std::all_of(items->begin(), items->end(), ranked)) {
    if (!stack) {
      call.set(0, sequence.type, joined_dims(call, *items, axis));
    } else {
      Dims item = *items->front().type.dims;
      for (const ValueState& other : *items) {
        if (other.type.dims->size() != item.size()) call.fail("the items differ in rank");
        for (std::size_t i = 0; i < item.size(); ++i)
          item[i] = same_dim(call, item[i], (*other.type.dims)[i], "dimensions of joined items");
      }
      call.set(0, sequence.type,
               stacked_dims(call, std::move(item), axis, static_cast<Dim>(items->size())));
    }
    return join_content(call, *items, axis);
  }
  if (!sequence.dims) return call.set_unknown(0, sequence.type);
  Dims dims = *sequence.dims;
  if (stack)
    return call.set(0, sequence.type, stacked_dims(call, std::move(dims), axis, kUnknownDim));
  dims[normal_axis(call, axis, dims.size())] = kUnknownDim;
  call.set(0, sequence.type, std::move(dims));
}

void optional_of(Call& call) {
  ValueState state;
  state.type.kind = ValueKind::Optional;
  state.type.items.emplace();
  if (call.has_input(0)) {
    const ValueState& input = call.input_state(0);
    state.type.type = input.type.type;
    state.type.dims = input.type.dims;
    state.type.items->push_back(input.type);
    state.content =
        input.type.kind == ValueKind::Tensor ? tensor_at(call, 0).content : input.content;
  }
  call.set_state(0, std::move(state));
}

void optional_get_element(Call& call) {
  const ValueState& input = call.input_state(0);
  if (input.type.kind != ValueKind::Optional) {
    if (input.type.kind == ValueKind::Tensor) return call.set_state(0, tensor_at(call, 0));
    return call.set_state(0, input);
  }
  if (!input.type.items) return call.set(0, common_item(input.type));
  if (input.type.items->empty()) call.fail("it takes the element of an empty optional");
  call.set_state(0, {input.type.items->front(), input.content});
}

void optional_has_element(Call& call) {
  call.set(0, DataType::Bool, {});
  const ValueType& input = call.input(0);
  const bool is_optional = call.has_input(0) && input.kind == ValueKind::Optional;
  if (is_optional && !input.items) return;
  call.set_content(0, {Scalar::boolean(is_optional ? !input.items->empty() : call.has_input(0))});
}

OperatorWork moves_output(const Call& call) {
  const Count bytes = call.output(0).bytes();
  return {0, 0, bytes, bytes};
}

/// The items that are already there are shared, not copied.
OperatorWork moves_inserted(const Call& call) {
  const Count bytes = call.input(1).bytes();
  return {0, 0, bytes, bytes};
}

constexpr OperatorRow kSequenceRows[] = {
    {kOnnx, "SequenceConstruct", sequence_construct, only_moves},
    {kOnnx, "SequenceEmpty", sequence_empty, no_work},
    {kOnnx, "SequenceAt", sequence_at, moves_output},
    {kOnnx, "SequenceInsert", sequence_insert, moves_inserted},
    {kOnnx, "SequenceErase", sequence_erase, no_work},
    {kOnnx, "SequenceLength", sequence_length, no_work},
    {kOnnx, "SplitToSequence", split_to_sequence, only_moves},
    {kOnnx, "ConcatFromSequence", concat_from_sequence, only_moves},
    {kOnnx, "Optional", optional_of, only_moves, {.forwarded = slots(0)}, kView},
    {kOnnx, "OptionalGetElement", optional_get_element, only_moves, {.forwarded = slots(0)}, kView},
    {kOnnx, "OptionalHasElement", optional_has_element, no_work},
};

}  // namespace

std::span<const OperatorRow> sequence_rows() { return kSequenceRows; }

}  // namespace jouletree::model
