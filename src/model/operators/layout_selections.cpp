#include "model/operators/layout_selections.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "model/operators/moves.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

/// A tensor seen as slices along one axis; as single elements where no axis is named.
struct Slices {
  Count outer = 1;
  Count count = 1;
  Count inner = 1;
};

Slices slices_of(const Dims& dims, std::optional<std::size_t> axis) {
  if (!axis) return {1, elements_of(dims), 1};
  return {elements_of(dims, 0, *axis), count_of(dims[*axis]),
          elements_of(dims, *axis + 1, dims.size())};
}

std::optional<std::size_t> axis_attribute(const Call& call, const Dims& dims) {
  if (!call.has_attribute("axis")) return std::nullopt;
  return normal_axis(call, call.attribute("axis", std::int64_t{0}), dims.size());
}

/// The content of the slices at `chosen`, in this order.
Elements chosen_slices(const Elements& content, const Slices& slices,
                       const std::vector<std::int64_t>& chosen) {
  const Dims dims{slices.outer.value(), static_cast<Dim>(chosen.size()), slices.inner.value()};
  Elements result;
  if (!can_hold_content(dims) || elements_of(dims) == Count(0)) return result;
  const std::int64_t inner = slices.inner.value();
  for (std::int64_t outer = 0; outer < slices.outer.value(); ++outer) {
    for (const std::int64_t slice : chosen) {
      const auto from = content.begin() + (outer * slices.count.value() + slice) * inner;
      result.insert(result.end(), from, from + inner);
    }
  }
  return result;
}

/// Which slices a Compress keeps; nothing where the condition depends on data.
std::optional<std::vector<std::int64_t>> kept_slices(const Call& call, Count available) {
  const Elements* condition = call.content(1);
  if (condition == nullptr || !available.known()) return std::nullopt;
  const std::int64_t end =
      std::min(available.value(), static_cast<std::int64_t>(condition->size()));
  std::vector<std::int64_t> kept;
  for (std::int64_t i = 0; i < end; ++i) {
    const Scalar& keeps = (*condition)[static_cast<std::size_t>(i)];
    if (!keeps.known()) return std::nullopt;
    if (keeps.as_integer() != 0) kept.push_back(i);
  }
  return kept;
}

/// Which slices are equal, by group in the order of the output.
struct Groups {
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> inverse;  ///< Group by slice.
};

bool comes_before(const Scalar& a, const Scalar& b) {
  return a.is_integer() && b.is_integer() ? a.as_integer() < b.as_integer()
                                          : a.as_real() < b.as_real();
}

bool has_order(const Elements& content) {
  return std::all_of(content.begin(), content.end(), [](const Scalar& element) {
    return element.known() && !(element.is_real() && std::isnan(element.as_real()));
  });
}

std::vector<Elements> cut_slices(const Elements& content, const Slices& slices) {
  std::vector<Elements> cut;
  for (std::int64_t i = 0; i < slices.count.value(); ++i)
    cut.push_back(chosen_slices(content, slices, {i}));
  return cut;
}

Groups group(const std::vector<Elements>& slices, bool sorted) {
  const auto less = [&](std::int64_t a, std::int64_t b) {
    const Elements& left = slices[static_cast<std::size_t>(a)];
    const Elements& right = slices[static_cast<std::size_t>(b)];
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(),
                                        comes_before);
  };
  std::vector<std::int64_t> order(slices.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), less);
  std::vector<std::vector<std::int64_t>> members;
  for (const std::int64_t slice : order) {
    if (members.empty() || less(members.back().front(), slice)) members.emplace_back();
    members.back().push_back(slice);
  }
  if (!sorted) std::sort(members.begin(), members.end());
  Groups groups;
  groups.inverse.resize(slices.size());
  for (const auto& equal : members) {
    for (const std::int64_t slice : equal) {
      groups.inverse[static_cast<std::size_t>(slice)] =
          static_cast<std::int64_t>(groups.first.size());
    }
    groups.first.push_back(equal.front());
    groups.counts.push_back(static_cast<std::int64_t>(equal.size()));
  }
  return groups;
}

void set_integers(Call& call, std::size_t position, Dim length,
                  const std::vector<std::int64_t>* values) {
  call.set(position, DataType::Int64, {length});
  if (values == nullptr) return;
  Elements elements;
  for (const std::int64_t value : *values) elements.push_back(Scalar::integer(value));
  call.set_content(position, std::move(elements));
}

/// Where the outputs beside the values stand; far away where an operator has no such output.
struct UniqueOutputs {
  std::size_t first;
  std::size_t inverse;
  std::size_t counts;
};

void set_unique(Call& call, bool sorted, const UniqueOutputs& outputs) {
  const Dims* input = call.dims(0);
  if (input == nullptr) {
    if (call.has_attribute("axis")) {
      call.set_unknown(0, call.type(0));
    } else {
      call.set(0, call.type(0), {kUnknownDim});
    }
    for (std::size_t i = 1; i < call.output_count(); ++i)
      call.set(i, DataType::Int64, {kUnknownDim});
    return;
  }
  const auto axis = axis_attribute(call, *input);
  const Slices slices = slices_of(*input, axis);
  const Elements* content = followed_content(call, 0);
  std::optional<Groups> groups;
  if (content != nullptr && slices.count.value() <= kMaxElements && has_order(*content))
    groups = group(cut_slices(*content, slices), sorted);
  // Up to one slice is unique whatever it holds.
  const Dim kept = groups ? static_cast<Dim>(groups->first.size())
                          : (slices.count.value_or(2) <= 1 ? slices.count.value() : kUnknownDim);
  Dims output = axis ? *input : Dims{kept};
  if (axis) output[*axis] = kept;
  call.set(0, call.type(0), std::move(output));
  if (groups) call.set_content(0, chosen_slices(*content, slices, groups->first));
  set_integers(call, outputs.first, kept, groups ? &groups->first : nullptr);
  set_integers(call, outputs.inverse, dim_of(slices.count), groups ? &groups->inverse : nullptr);
  set_integers(call, outputs.counts, kept, groups ? &groups->counts : nullptr);
}

}  // namespace

void compress(Call& call) {
  const Dims* input = call.dims(0);
  if (input == nullptr) {
    if (!call.has_attribute("axis")) return call.set(0, call.type(0), {kUnknownDim});
    return call.set_unknown(0, call.type(0));
  }
  const auto axis = axis_attribute(call, *input);
  const Slices slices = slices_of(*input, axis);
  const auto kept = kept_slices(call, slices.count);
  const Dim count = kept ? static_cast<Dim>(kept->size()) : kUnknownDim;
  Dims output = axis ? *input : Dims{count};
  if (axis) output[*axis] = count;
  call.set(0, call.type(0), std::move(output));
  const Elements* content = followed_content(call, 0);
  if (kept && content != nullptr) call.set_content(0, chosen_slices(*content, slices, *kept));
}

void unique(Call& call) {
  set_unique(call, call.attribute("sorted", std::int64_t{1}) != 0, {1, 2, 3});
}

void unique_in_order(Call& call) {
  constexpr std::size_t kNone = 1000;
  set_unique(call, false, {kNone, 1, 2});
}

OperatorWork unique_work(const Call& call) {
  const Count count = call.input(0).elements();
  if (!count.known()) return {0, count};
  const auto rounds =
      std::bit_width(static_cast<std::uint64_t>(std::max(count.value(), Dim{1})) - 1);
  return {0, count * Count(static_cast<std::int64_t>(rounds))};
}

void dynamic_time_warping(Call& call) { call.set(0, DataType::Int32, {2, kUnknownDim}); }

}  // namespace jouletree::model
