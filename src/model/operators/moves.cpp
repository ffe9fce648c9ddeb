#include "model/operators/moves.hpp"

namespace jouletree::model {
namespace {

/// Of other types, only scales and limits decide shapes, and those are few.
constexpr std::int64_t kMaxOthers = 1024;

bool may_be_long(DataType type) {
  return type == DataType::Int64 || type == DataType::Int32 || type == DataType::Bool;
}

}  // namespace

const Elements* followed_content(const Call& call, std::size_t position) {
  if (!call.has_content(position)) return nullptr;
  const ValueType& type = call.input(position);
  const Count count = type.elements();
  if (!count.known() || (!may_be_long(type.type) && count.value() > kMaxOthers)) return nullptr;
  const Elements* content = call.content(position);
  const bool fits =
      content != nullptr && count == Count(static_cast<std::int64_t>(content->size()));
  return fits ? content : nullptr;
}

ListArgument list_argument(const Call& call, std::string_view name, std::size_t position) {
  const auto listed = call.attribute_integers(name);
  if (!listed) return list_argument(call, position);
  Elements elements;
  elements.reserve(listed->size());
  for (const std::int64_t value : *listed) elements.push_back(Scalar::integer(value));
  return {true, std::move(elements)};
}

ListArgument list_argument(const Call& call, std::size_t position) {
  if (!call.has_input(position)) return {};
  if (const Elements* content = call.content(position)) return {true, *content};
  const Count length = call.input(position).elements();
  if (!length.known() || length.value() > kMaxElements) return {true, std::nullopt};
  return {true, Elements(static_cast<std::size_t>(length.value()))};
}

bool can_hold_content(const Dims& dims) {
  const Count count = elements_of(dims);
  return count.known() && count.value() <= kMaxElements;
}

std::vector<std::int64_t> content_strides(const Dims& dims) {
  std::vector<std::int64_t> strides(dims.size(), 0);
  if (elements_of(dims).value_or(0) == 0) return strides;
  std::int64_t stride = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return strides;
}

std::vector<std::int64_t> strided_offsets(const Dims& dims, std::int64_t start,
                                          const std::vector<std::int64_t>& strides) {
  struct Axis {
    std::int64_t size;
    std::int64_t stride;
    std::int64_t index;
  };
  std::vector<std::int64_t> offsets;
  if (!can_hold_content(dims)) return offsets;
  // Without the axes of size one, at most a handful is left, whatever the rank.
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != 1) axes.push_back({dims[i], strides[i], 0});
  const std::int64_t count = elements_of(dims).value();
  offsets.reserve(static_cast<std::size_t>(count));
  for (std::int64_t offset = start; static_cast<std::int64_t>(offsets.size()) < count;) {
    offsets.push_back(offset);
    for (std::size_t i = axes.size(); i-- > 0;) {
      Axis& axis = axes[i];
      if (++axis.index < axis.size) {
        offset += axis.stride;
        break;
      }
      offset -= axis.stride * (axis.size - 1);
      axis.index = 0;
    }
  }
  return offsets;
}

Elements picked(const Elements& input, const std::vector<std::int64_t>& offsets) {
  Elements result;
  result.reserve(offsets.size());
  for (const std::int64_t offset : offsets) {
    const bool inside = offset >= 0 && offset < static_cast<std::int64_t>(input.size());
    result.push_back(inside ? input[static_cast<std::size_t>(offset)] : Scalar());
  }
  return result;
}

OperatorWork moves_selected(const Call& call) {
  Count read = call.output(0).bytes();
  for (std::size_t i = 1; i < call.input_count(); ++i)
    if (call.has_input(i)) read += call.input(i).bytes();
  return {0, 0, read};
}

}  // namespace jouletree::model
