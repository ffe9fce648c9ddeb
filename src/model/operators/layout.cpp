#include <algorithm>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/layout_joins.hpp"
#include "model/operators/layout_ranges.hpp"
#include "model/operators/layout_selections.hpp"
#include "model/operators/layout_views.hpp"
#include "model/operators/moves.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

std::vector<std::size_t> permutation(const Call& call, const std::vector<std::int64_t>& listed) {
  std::vector<std::size_t> axes;
  std::vector<bool> seen(listed.size(), false);
  for (const std::int64_t axis : listed) {
    const bool fits = axis >= 0 && axis < static_cast<std::int64_t>(listed.size());
    if (!fits || seen[static_cast<std::size_t>(axis)])
      call.fail("its 'perm' does not name every axis once");
    seen[static_cast<std::size_t>(axis)] = true;
    axes.push_back(static_cast<std::size_t>(axis));
  }
  return axes;
}

void transpose(Call& call) {
  const auto listed = call.attribute_integers("perm");
  const Dims* input = call.dims(0);
  if (input == nullptr) {
    if (!listed) return call.set_unknown(0, call.type(0));
    return call.set(0, call.type(0), Dims(listed->size(), kUnknownDim));
  }
  const std::size_t rank = input->size();
  std::vector<std::size_t> axes;
  if (listed) axes = permutation(call, *listed);
  for (std::size_t i = rank; !listed && i-- > 0;) axes.push_back(i);
  if (axes.size() != rank) {
    call.fail(fmt::format("its 'perm' has {} for {}", number_of(axes.size(), "axis", "axes"),
                          to_string(*input)));
  }
  const auto strides = content_strides(*input);
  Dims output;
  std::vector<std::int64_t> moved;
  for (const std::size_t axis : axes) {
    output.push_back((*input)[axis]);
    moved.push_back(strides[axis]);
  }
  call.set(0, call.type(0), output);
  if (const Elements* content = followed_content(call, 0))
    call.set_content(0, picked(*content, output, 0, moved));
}

void expand(Call& call) {
  const ListArgument shape = list_argument(call, 1);
  const Dims* input = call.dims(0);
  if (input == nullptr || !shape.elements) return call.set_unknown(0, call.type(0));
  Dims target;
  for (const Scalar& dim : *shape.elements) {
    if (dim.known() && dim.as_integer() < 0)
      call.fail(fmt::format("its target shape has the dimension {}", dim.as_integer()));
    target.push_back(dim.known() ? dim.as_integer() : kUnknownDim);
  }
  const Dims output = broadcast(call, *input, target);
  call.set(0, call.type(0), output);
  const Elements* content = followed_content(call, 0);
  if (content == nullptr) return;
  std::vector<std::int64_t> strides(output.size() - input->size(), 0);
  const auto kept = content_strides(*input);
  for (std::size_t i = 0; i < kept.size(); ++i) strides.push_back((*input)[i] == 1 ? 0 : kept[i]);
  call.set_content(0, picked(*content, output, 0, strides));
}

void tile(Call& call) {
  const ListArgument repeats = list_argument(call, 1);
  const Dims* input = call.dims(0);
  if (input == nullptr) return call.set_unknown(0, call.type(0));
  if (!repeats.elements) return call.set(0, call.type(0), Dims(input->size(), kUnknownDim));
  if (repeats.elements->size() != input->size()) {
    call.fail(fmt::format("has {} for {}", number_of(repeats.elements->size(), "repeat"),
                          to_string(*input)));
  }
  const auto strides = content_strides(*input);
  Dims output;
  // Every axis of the input as a pair: which copy, and where in it.
  Dims copies;
  std::vector<std::int64_t> copy_strides;
  for (std::size_t i = 0; i < input->size(); ++i) {
    const Scalar& repeat = (*repeats.elements)[i];
    const Dim dim = (*input)[i];
    if (repeat.known() && repeat.as_integer() < 0)
      call.fail(fmt::format("cannot repeat {} times", repeat.as_integer()));
    const Dim times = repeat.known() ? repeat.as_integer() : kUnknownDim;
    output.push_back(dim == 0 || times == 0 ? 0 : dim_of(count_of(dim) * count_of(times)));
    copies.insert(copies.end(), {times, dim});
    copy_strides.insert(copy_strides.end(), {0, strides[i]});
  }
  call.set(0, call.type(0), output);
  if (const Elements* content = followed_content(call, 0))
    call.set_content(0, picked(*content, copies, 0, copy_strides));
}

void shape(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set(0, DataType::Int64, {kUnknownDim});
  const auto rank = static_cast<std::int64_t>(dims->size());
  const auto position = [rank](std::int64_t at) {
    return std::clamp(at < 0 ? at + rank : at, std::int64_t{0}, rank);
  };
  const std::int64_t start = position(call.attribute("start", std::int64_t{0}));
  const std::int64_t end = std::max(start, position(call.attribute("end", rank)));
  Elements elements;
  for (auto dim = dims->begin() + start; dim != dims->begin() + end; ++dim)
    elements.push_back(*dim == kUnknownDim ? Scalar() : Scalar::integer(*dim));
  call.set(0, DataType::Int64, {end - start});
  call.set_content(0, std::move(elements));
}

void size(Call& call) {
  const Count count = call.input(0).elements();
  call.set(0, DataType::Int64, {});
  call.set_content(0, {count.known() ? Scalar::integer(count.value()) : Scalar()});
}

void trilu(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims != nullptr && dims->size() < 2) call.fail("it needs a tensor of at least 2 dimensions");
  const auto diagonal = call.has_input(1) ? call.integer(1) : std::int64_t{0};
  same_as_input(call);
  const Elements* content = followed_content(call, 0);
  if (!diagonal || dims == nullptr || content == nullptr) return;
  Elements elements = *content;
  const bool upper = call.attribute("upper", std::int64_t{1}) != 0;
  const Dim columns = dims->back();
  const Dim rows = (*dims)[dims->size() - 2];
  const Scalar zero = is_floating(call.type(0)) ? Scalar::real(0) : Scalar::integer(0);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto flat = static_cast<std::int64_t>(i);
    const std::int64_t above = flat % columns - flat / columns % rows;
    if (upper ? above < *diagonal : above > *diagonal) elements[i] = zero;
  }
  call.set_content(0, std::move(elements));
}

void reverse_sequence(Call& call) {
  if (const Dims* dims = call.dims(0)) {
    const std::int64_t batch = call.attribute("batch_axis", std::int64_t{1});
    const std::int64_t time = call.attribute("time_axis", std::int64_t{0});
    if (normal_axis(call, batch, dims->size()) == normal_axis(call, time, dims->size()))
      call.fail("its batch axis is its time axis");
  }
  same_as_input(call);
}

/// Only looks at the type of its input.
OperatorWork reads_nothing(const Call& /*call*/) { return {0, 0, Count(0)}; }

constexpr ConstantRoles kFirstForwarded = {.settings = ~slots(0), .forwarded = slots(0)};

constexpr OperatorFacts kRenames = {
    .view = true, .keeps_values = true, .axes = AxisFlow::Same, .names = true};
constexpr OperatorFacts kAddsAxes = {.view = true, .keeps_values = true, .axes = AxisFlow::Added};
constexpr OperatorFacts kRemovesAxes = {
    .view = true, .keeps_values = true, .axes = AxisFlow::Removed};
constexpr OperatorFacts kPermutes = {.keeps_values = true, .axes = AxisFlow::Permuted};
constexpr OperatorFacts kJoins = {.axes = AxisFlow::Joined};
constexpr OperatorFacts kSplits = {.keeps_values = true, .axes = AxisFlow::Parts};
constexpr OperatorFacts kCuts = {.keeps_values = true, .axes = AxisFlow::Cut};
constexpr OperatorFacts kPads = {.axes = AxisFlow::Resized};
constexpr OperatorFacts kReorders = {.keeps_values = true, .axes = AxisFlow::Same};
constexpr OperatorFacts kPicksMarked = {.keeps_values = true, .picks = true};
constexpr OperatorFacts kAsksForSizes = {.sizes_only = true};

constexpr OperatorRow kLayoutRows[] = {
    {kOnnx, "Reshape", reshape, no_work, kFirstForwarded, kView},
    {kOnnx, "Flatten", flatten, no_work, kFirstForwarded, kView},
    {kOnnx, "Squeeze", squeeze, no_work, kFirstForwarded, kRemovesAxes},
    {kOnnx, "Unsqueeze", unsqueeze, no_work, kFirstForwarded, kAddsAxes},
    {kOnnx, "Identity", identity, no_work, kFirstForwarded, kRenames},
    {kMicrosoft, "ExpandDims", expand_dims, no_work, kFirstForwarded, kAddsAxes},
    {kOnnx, "Transpose", transpose, only_moves, kFirstForwarded, kPermutes},
    {kOnnx, "Expand", expand, only_moves, kFirstForwarded, kKeepsValues},
    {kOnnx, "Tile", tile, only_moves, kFirstForwarded, kKeepsValues},
    {kOnnx, "Concat", concat, only_moves, {.forwarded = kAllSlots}, kJoins},
    {kOnnx, "Split", split, only_moves, kFirstForwarded, kSplits},
    {kOnnx, "Slice", slice, moves_selected, kFirstForwarded, kCuts},
    {kOnnx, "Pad", pad, only_moves, kFirstForwarded, kPads},
    {kMicrosoft, "Pad", pad, only_moves, kFirstForwarded, kPads},
    {kMicrosoft, "UnfoldTensor", unfold_tensor, only_moves, kFirstForwarded, kKeepsValues},
    {kOnnx, "Trilu", trilu, only_moves, kFirstForwarded, kInPlace},
    {kMicrosoft, "Trilu", trilu, only_moves, kFirstForwarded, kInPlace},
    {kOnnx, "ReverseSequence", reverse_sequence, only_moves, kFirstForwarded, kReorders},
    {kOnnx, "Compress", compress, moves_selected, kFirstForwarded, kPicksMarked},
    {kOnnx, "Unique", unique, unique_work, kFirstForwarded, kSearches},
    {kMicrosoft, "Unique", unique_in_order, unique_work, kFirstForwarded, kSearches},
    {kOnnx, "Shape", shape, reads_nothing, {}, kAsksForSizes},
    {kOnnx, "Size", size, reads_nothing, {}, kAsksForSizes},
    {kMicrosoft, "DynamicTimeWarping", dynamic_time_warping, per_input_element<3>},
};

}  // namespace

std::span<const OperatorRow> layout_rows() { return kLayoutRows; }

}  // namespace jouletree::model
