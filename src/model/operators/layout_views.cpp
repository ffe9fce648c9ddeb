#include "model/operators/layout_views.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "model/operators/moves.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

void set_view(Call& call, Dims dims) {
  ValueState state;
  state.type.type = call.type(0);
  state.type.dims = std::move(dims);
  if (followed_content(call, 0) != nullptr && state.type.elements() == call.input(0).elements())
    state.content = call.input_state(0).content;
  call.set_state(0, std::move(state));
}

/// The target of a Reshape while its open dimensions are being inferred.
struct ReshapeTarget {
  Dims dims;
  std::vector<std::size_t> open;  ///< Where the target says -1 or depends on data.
  bool inferred = false;          ///< It says -1 somewhere.
  bool copied_unknown = false;    ///< It copies a dimension that is unknown.
  Dims rest;                      ///< The input without the unknown dimensions that are copied.
};

void add_target_dim(const Call& call, const Scalar& wanted, const Dims* input, bool zero_copies,
                    ReshapeTarget& target) {
  const std::size_t at = target.dims.size();
  target.dims.push_back(kUnknownDim);
  if (!wanted.known()) {
    target.open.push_back(at);
    return;
  }
  const std::int64_t value = wanted.as_integer();
  if (value < -1) call.fail(fmt::format("its target shape has the dimension {}", value));
  if (value == -1) {
    if (target.inferred) call.fail("its target shape has more than one -1");
    target.inferred = true;
    target.open.push_back(at);
    return;
  }
  if (value != 0 || !zero_copies) {
    target.dims.back() = value;
    return;
  }
  if (input == nullptr) {
    target.copied_unknown = true;
    return;
  }
  if (at >= input->size())
    call.fail(fmt::format("its target copies dimension {} of {}", at, to_string(*input)));
  target.dims.back() = (*input)[at];
  if (target.dims.back() != kUnknownDim) return;
  target.copied_unknown = true;
  target.rest[at] = 1;
}

Count product_of_known(const Dims& dims) {
  Dims known = dims;
  std::erase(known, kUnknownDim);
  return elements_of(known);
}

void infer_open_dims(const Call& call, const Dims& input, ReshapeTarget& target) {
  const Count total = elements_of(target.rest);
  const Count product = product_of_known(target.dims);
  if (target.inferred && product == Count(0))
    call.fail("its target shape has a -1 beside a dimension of size 0");
  if (target.open.size() > 1 || !total.known()) return;
  const bool fits = target.open.empty()
                        ? total == product
                        : product != Count(0) && total.value() % product.value() == 0;
  if (fits) {
    if (!target.open.empty()) target.dims[target.open.front()] = (total / product).value();
    return;
  }
  // A copied dimension that is unknown may be 0, and then everything fits.
  if (target.copied_unknown || (product == Count(0) && total == Count(0))) return;
  call.fail(fmt::format("cannot reshape {} to {}", to_string(input), to_string(target.dims)));
}

}  // namespace

void reshape(Call& call) {
  const ListArgument shape = list_argument(call, "shape", 1);
  if (!shape.given) call.fail("its target shape is missing");
  if (!shape.elements) return call.set_unknown(0, call.type(0));
  const Dims* input = call.dims(0);
  const bool zero_copies = call.attribute("allowzero", std::int64_t{0}) == 0;
  ReshapeTarget target;
  target.rest = input == nullptr ? Dims{kUnknownDim} : *input;
  target.dims.reserve(shape.elements->size());
  for (const Scalar& wanted : *shape.elements)
    add_target_dim(call, wanted, input, zero_copies, target);
  if (input != nullptr) infer_open_dims(call, *input, target);
  set_view(call, std::move(target.dims));
}

void flatten(Call& call) {
  const Dims* input = call.dims(0);
  if (input == nullptr) return call.set(0, call.type(0), {kUnknownDim, kUnknownDim});
  const auto rank = static_cast<std::int64_t>(input->size());
  const std::int64_t axis = call.attribute("axis", std::int64_t{1});
  if (axis < -rank || axis > rank)
    call.fail(fmt::format("axis {} is outside a tensor of {}", axis, number_of(rank, "dimension")));
  const auto split = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  set_view(call, {dim_of(elements_of(*input, 0, split)),
                  dim_of(elements_of(*input, split, input->size()))});
}

void squeeze(Call& call) {
  const AxesArgument argument = axes_argument(call, "axes", 1);
  const Dims* input = call.dims(0);
  if (input == nullptr || !argument.known) return call.set_unknown(0, call.type(0));
  Dims output;
  if (!argument.axes || argument.axes->empty()) {
    if (std::find(input->begin(), input->end(), kUnknownDim) != input->end())
      return call.set_unknown(0, call.type(0));
    std::copy_if(input->begin(), input->end(), std::back_inserter(output),
                 [](Dim dim) { return dim != 1; });
    return set_view(call, std::move(output));
  }
  const auto axes = normal_axes(call, *argument.axes, input->size());
  auto next = axes.begin();
  for (std::size_t i = 0; i < input->size(); ++i) {
    const Dim dim = (*input)[i];
    if (next == axes.end() || *next != i) {
      output.push_back(dim);
      continue;
    }
    ++next;
    if (dim != 1 && dim != kUnknownDim)
      call.fail(fmt::format("cannot squeeze axis {} of {}", i, to_string(*input)));
  }
  set_view(call, std::move(output));
}

void unsqueeze(Call& call) {
  const AxesArgument argument = axes_argument(call, "axes", 1);
  if (argument.known && !argument.axes) call.fail("its axes are missing");
  const Dims* input = call.dims(0);
  if (input == nullptr || !argument.known) return call.set_unknown(0, call.type(0));
  const std::size_t rank = input->size() + argument.axes->size();
  const auto axes = normal_axes(call, *argument.axes, rank);
  if (axes.size() != argument.axes->size()) call.fail("one of its axes is listed twice");
  Dims output;
  output.reserve(rank);
  auto inserted = axes.begin();
  auto kept = input->begin();
  for (std::size_t i = 0; i < rank; ++i) {
    if (inserted != axes.end() && *inserted == i) {
      output.push_back(1);
      ++inserted;
    } else {
      output.push_back(*kept++);
    }
  }
  set_view(call, std::move(output));
}

void expand_dims(Call& call) {
  const Dims* input = call.dims(0);
  const auto axis = call.integer(1);
  if (input == nullptr || !axis) return call.set_unknown(0, call.type(0));
  Dims output = *input;
  const std::size_t at = normal_axis(call, *axis, input->size() + 1);
  output.insert(output.begin() + static_cast<std::ptrdiff_t>(at), 1);
  set_view(call, std::move(output));
}

void identity(Call& call) {
  // A constant gets its content into its state when it is first read.
  static_cast<void>(followed_content(call, 0));
  call.set_state(0, call.input_state(0));
}

}  // namespace jouletree::model
