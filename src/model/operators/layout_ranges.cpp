#include "model/operators/layout_ranges.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "model/operators/moves.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

/// The axes that an argument lists, in its order; the first `count` where it is not given.
/// Nothing where they depend on data. Fails the call for an axis that is listed twice.
std::optional<std::vector<std::size_t>> listed_axes(const Call& call, const ListArgument& argument,
                                                    std::size_t count, std::size_t rank) {
  std::vector<std::size_t> axes;
  if (!argument.given || (argument.elements && argument.elements->empty())) {
    if (count > rank) {
      call.fail(fmt::format("it names {} of a tensor of {}", number_of(count, "axis", "axes"),
                            number_of(rank, "dimension")));
    }
    axes.resize(count);
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    return axes;
  }
  if (!argument.elements) return std::nullopt;
  if (argument.elements->size() != count) {
    call.fail(fmt::format("it lists {}, but values for {}",
                          number_of(argument.elements->size(), "axis", "axes"), count));
  }
  std::vector<bool> seen(rank, false);
  for (const Scalar& element : *argument.elements) {
    if (!element.known()) return std::nullopt;
    const std::size_t axis = normal_axis(call, element.as_integer(), rank);
    if (seen[axis]) call.fail(fmt::format("its axis {} is listed twice", axis));
    seen[axis] = true;
    axes.push_back(axis);
  }
  return axes;
}

/// What a Slice takes from one axis.
struct AxisRange {
  std::int64_t start = 0;
  std::int64_t step = 1;
  Dim size = kUnknownDim;
};

AxisRange range_of(const Call& call, Dim dim, const Scalar& start, const Scalar& end,
                   const Scalar& step) {
  if (step.known() && step.as_integer() == 0) call.fail("one of its steps is 0");
  if (dim == 0) return {0, 1, 0};
  if (dim == kUnknownDim || !start.known() || !end.known() || !step.known()) return {};
  const auto from_front = [dim](std::int64_t at) { return at < 0 ? at + dim : at; };
  const bool backwards = step.as_integer() < 0;
  AxisRange range;
  range.step = step.as_integer();
  range.start = std::clamp(from_front(start.as_integer()), Dim{0}, backwards ? dim - 1 : dim);
  std::int64_t last = end.as_integer();
  // Exporters write the largest number for "to the end", also when going backwards.
  if (last == std::numeric_limits<std::int32_t>::max() ||
      last == std::numeric_limits<std::int64_t>::max()) {
    last = backwards ? -1 : dim;
  } else {
    last = std::clamp(from_front(last), Dim{backwards ? -1 : 0}, dim);
  }
  const std::int64_t span = backwards ? range.start - last : last - range.start;
  const auto stride = backwards ? std::uint64_t{0} - static_cast<std::uint64_t>(range.step)
                                : static_cast<std::uint64_t>(range.step);
  range.size =
      span <= 0 ? 0 : static_cast<Dim>((static_cast<std::uint64_t>(span) - 1) / stride) + 1;
  return range;
}

struct SliceArguments {
  ListArgument starts;
  ListArgument ends;
  ListArgument axes;
  ListArgument steps;
};

/// By axis of the input. Nothing where it is unknown which axes are cut.
std::optional<std::vector<AxisRange>> slice_ranges(const Call& call, const SliceArguments& given,
                                                   const Dims& input) {
  if (!given.starts.elements || !given.ends.elements) return std::nullopt;
  if (given.steps.given && !given.steps.elements) return std::nullopt;
  const std::size_t count = given.starts.elements->size();
  if (given.ends.elements->size() != count ||
      (given.steps.given && given.steps.elements->size() != count))
    call.fail("its starts, ends and steps have different lengths");
  const auto axes = listed_axes(call, given.axes, count, input.size());
  if (!axes) return std::nullopt;
  std::vector<AxisRange> ranges;
  ranges.reserve(input.size());
  for (const Dim dim : input) ranges.push_back({0, 1, dim});
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = (*axes)[i];
    ranges[axis] =
        range_of(call, input[axis], (*given.starts.elements)[i], (*given.ends.elements)[i],
                 given.steps.given ? (*given.steps.elements)[i] : Scalar::integer(1));
  }
  return ranges;
}

Elements slice_content(const Elements& content, const Dims& input, const Dims& output,
                       const std::vector<AxisRange>& ranges) {
  if (elements_of(output) == Count(0)) return {};
  std::vector<std::int64_t> strides = content_strides(input);
  std::int64_t start = 0;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    start += ranges[i].start * strides[i];
    // A single step is never taken, however large it is.
    strides[i] = output[i] > 1 ? strides[i] * ranges[i].step : 0;
  }
  return picked(content, output, start, strides);
}

enum class PadMode : std::uint8_t { Constant, Edge, Reflect, Wrap };

PadMode pad_mode(const Call& call) {
  const std::string_view mode = call.attribute("mode", "constant");
  if (mode == "constant") return PadMode::Constant;
  if (mode == "edge") return PadMode::Edge;
  if (mode == "reflect") return PadMode::Reflect;
  if (mode == "wrap") return PadMode::Wrap;
  call.fail(fmt::format("there is no padding mode '{}'", mode));
}

struct PaddedEdges {
  Scalar before = Scalar::integer(0);
  Scalar after = Scalar::integer(0);
};

Dim padded_dim(const Call& call, Dim dim, const PaddedEdges& padding, PadMode mode) {
  if (dim == kUnknownDim || !padding.before.known() || !padding.after.known()) return kUnknownDim;
  const Count size =
      Count(dim) + Count(padding.before.as_integer()) + Count(padding.after.as_integer());
  if (size.value() < 0)
    call.fail(fmt::format("cuts more than there is off an axis of {}", number_of(dim, "element")));
  if (dim == 0 && size.value() > 0 && mode != PadMode::Constant)
    call.fail("cannot repeat the elements of an axis that has none");
  return size.value();
}

/// Which element of an axis of `dim` stands at `at`, counted from its first; -1 for padding.
std::int64_t padded_source(std::int64_t at, Dim dim, PadMode mode) {
  switch (mode) {
    case PadMode::Constant: return at < dim ? std::max(at, std::int64_t{-1}) : -1;
    case PadMode::Edge: return std::clamp(at, std::int64_t{0}, dim - 1);
    case PadMode::Wrap: return (at % dim + dim) % dim;
    case PadMode::Reflect: break;
  }
  if (dim == 1) return 0;
  const std::int64_t period = 2 * (dim - 1);
  const std::int64_t within = (at % period + period) % period;
  return within < dim ? within : period - within;
}

/// Offsets into the input for every element of the output; -1 for padding. Nothing where the
/// mode and the paddings do not define them.
std::optional<std::vector<std::int64_t>> pad_offsets(const Dims& input, const Dims& output,
                                                     const std::vector<PaddedEdges>& paddings,
                                                     PadMode mode) {
  const auto strides = content_strides(input);
  std::vector<std::int64_t> offsets{0};
  for (std::size_t i = 0; i < input.size(); ++i) {
    const std::int64_t before = paddings[i].before.as_integer();
    const std::int64_t after = paddings[i].after.as_integer();
    if (std::max(before, after) > kMaxElements || std::min(before, after) < -kMaxElements)
      return std::nullopt;
    if (mode != PadMode::Constant && std::min(before, after) < 0) return std::nullopt;
    if (output[i] == 1) {
      const std::int64_t source = padded_source(-before, input[i], mode);
      if (source == 0) continue;
      const auto count = static_cast<std::size_t>(elements_of(output).value());
      if (source < 0) return std::vector<std::int64_t>(count, -1);
    }
    std::vector<std::int64_t> extended;
    extended.reserve(offsets.size() * static_cast<std::size_t>(output[i]));
    for (const std::int64_t offset : offsets) {
      for (std::int64_t at = 0; at < output[i]; ++at) {
        const std::int64_t source = padded_source(at - before, input[i], mode);
        extended.push_back(offset < 0 || source < 0 ? -1 : offset + source * strides[i]);
      }
    }
    offsets = std::move(extended);
  }
  return offsets;
}

Scalar padding_value(const Call& call) {
  if (call.has_input(2)) {
    const Elements* content = followed_content(call, 2);
    return content == nullptr || content->empty() ? Scalar() : content->front();
  }
  const Scalar value = Scalar::real(call.attribute("value", 0.0));
  return is_floating(call.type(0)) ? value : Scalar::integer(value.as_integer());
}

void set_pad_content(Call& call, const Dims& input, const Dims& output,
                     const std::vector<PaddedEdges>& paddings, PadMode mode) {
  const Elements* content = followed_content(call, 0);
  if (content == nullptr || !can_hold_content(output)) return;
  if (elements_of(output) == Count(0)) return call.set_content(0, {});
  const auto offsets = pad_offsets(input, output, paddings, mode);
  if (!offsets) return;
  Elements elements = picked(*content, *offsets);
  const Scalar value = padding_value(call);
  for (std::size_t i = 0; i < elements.size(); ++i)
    if ((*offsets)[i] < 0) elements[i] = value;
  call.set_content(0, std::move(elements));
}

}  // namespace

void slice(Call& call) {
  const SliceArguments given{list_argument(call, "starts", 1), list_argument(call, "ends", 2),
                             list_argument(call, "axes", 3), list_argument(call, "steps", 4)};
  if (!given.starts.given || !given.ends.given) call.fail("its starts or ends are missing");
  const Dims* input = call.dims(0);
  if (input == nullptr) return call.set_unknown(0, call.type(0));
  if (input->empty()) call.fail("cannot slice a scalar");
  const auto ranges = slice_ranges(call, given, *input);
  if (!ranges) return call.set(0, call.type(0), Dims(input->size(), kUnknownDim));
  Dims output;
  output.reserve(input->size());
  for (const AxisRange& range : *ranges) output.push_back(range.size);
  call.set(0, call.type(0), output);
  const Elements* content = followed_content(call, 0);
  if (content != nullptr && can_hold_content(output))
    call.set_content(0, slice_content(*content, *input, output, *ranges));
}

void pad(Call& call) {
  const PadMode mode = pad_mode(call);
  const ListArgument pads = list_argument(call, "pads", 1);
  const ListArgument listed = list_argument(call, 3);
  if (!pads.given) call.fail("its pads are missing");
  const Dims* input = call.dims(0);
  if (input == nullptr) return call.set_unknown(0, call.type(0));
  const std::size_t rank = input->size();
  if (!pads.elements) return call.set(0, call.type(0), Dims(rank, kUnknownDim));
  const std::size_t count = pads.elements->size() / 2;
  if (pads.elements->size() % 2 != 0 || (!listed.given && count != rank)) {
    call.fail(fmt::format("has {} for {}", number_of(pads.elements->size(), "pad"),
                          number_of(rank, "axis", "axes")));
  }
  const auto axes = listed_axes(call, listed, count, rank);
  if (!axes) return call.set(0, call.type(0), Dims(rank, kUnknownDim));
  std::vector<PaddedEdges> paddings(rank);
  for (std::size_t i = 0; i < count; ++i)
    paddings[(*axes)[i]] = {(*pads.elements)[i], (*pads.elements)[i + count]};
  Dims output;
  output.reserve(rank);
  for (std::size_t i = 0; i < rank; ++i)
    output.push_back(padded_dim(call, (*input)[i], paddings[i], mode));
  call.set(0, call.type(0), output);
  set_pad_content(call, *input, output, paddings, mode);
}

void unfold_tensor(Call& call) {
  const Dims* input = call.dims(0);
  if (input == nullptr) return call.set_unknown(0, call.type(0));
  const std::size_t axis =
      normal_axis(call, call.attribute("dim", std::int64_t{-1}), input->size());
  const std::int64_t size = call.attribute("size", std::int64_t{0});
  const std::int64_t step = call.attribute("step", std::int64_t{1});
  const Dim whole = (*input)[axis];
  if (size <= 0 || step <= 0 || (whole != kUnknownDim && size > whole)) {
    call.fail(
        fmt::format("cannot cut pieces of {} every {} from {}", size, step, to_string(*input)));
  }
  Dims output = *input;
  output[axis] = whole == kUnknownDim ? kUnknownDim : (whole - size) / step + 1;
  output.push_back(size);
  call.set(0, call.type(0), std::move(output));
}

}  // namespace jouletree::model
