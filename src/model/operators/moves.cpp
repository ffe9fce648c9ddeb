#include "model/operators/moves.hpp"

namespace jouletree::model {
namespace {

/// Of other types, only scales and limits decide shapes, and those are few.
constexpr std::int64_t kMaxOthers = 1024;

bool may_be_long(DataType type) {
  return type == DataType::Int64 || type == DataType::Int32 || type == DataType::Bool;
}

Scalar element_at(const Elements& input, std::int64_t offset) {
  const bool inside = offset >= 0 && offset < static_cast<std::int64_t>(input.size());
  return inside ? input[static_cast<std::size_t>(offset)] : Scalar();
}

/// What `at` says of every strided offset, row by row along the last axis that is one.
template <class List, class At>
List strided(const Dims& dims, std::int64_t start, const std::vector<std::int64_t>& strides,
             const At& at) {
  struct Axis {
    std::int64_t size = 1;
    std::int64_t stride = 0;
    std::int64_t index = 0;
  };
  List list;
  const Count count = elements_of(dims);
  if (!count.known() || count.value() > kMaxElements || count.value() == 0) return list;
  list.reserve(static_cast<std::size_t>(count.value()));
  // Without the axes of size one, at most a handful is left, whatever the rank.
  std::vector<Axis> axes;
  axes.reserve(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != 1) axes.push_back({dims[i], strides[i], 0});
  Axis row;
  if (!axes.empty()) {
    row = axes.back();
    axes.pop_back();
  }
  for (std::int64_t offset = start; static_cast<std::int64_t>(list.size()) < count.value();) {
    for (std::int64_t i = 0; i < row.size; ++i) list.push_back(at(offset + i * row.stride));
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
  return list;
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
  return ListArgument(std::move(elements));
}

ListArgument list_argument(const Call& call, std::size_t position) {
  if (!call.has_input(position)) return {};
  if (const Elements* content = call.content(position))
    return ListArgument(std::span<const Scalar>(*content));
  const Count length = call.input(position).elements();
  if (!length.known() || length.value() > kMaxElements) return ListArgument(std::nullopt);
  return ListArgument(Elements(static_cast<std::size_t>(length.value())));
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
  return strided<std::vector<std::int64_t>>(dims, start, strides,
                                            [](std::int64_t offset) { return offset; });
}

Elements picked(const Elements& input, const std::vector<std::int64_t>& offsets) {
  Elements result;
  result.reserve(offsets.size());
  for (const std::int64_t offset : offsets) result.push_back(element_at(input, offset));
  return result;
}

Elements picked(const Elements& input, const Dims& dims, std::int64_t start,
                const std::vector<std::int64_t>& strides) {
  return strided<Elements>(dims, start, strides,
                           [&](std::int64_t offset) { return element_at(input, offset); });
}

OperatorWork moves_selected(const Call& call) {
  Count read = call.output(0).bytes();
  for (std::size_t i = 1; i < call.input_count(); ++i)
    if (call.has_input(i)) read += call.input(i).bytes();
  return {0, 0, read};
}

}  // namespace jouletree::model
