#include "model/operators/resize_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

enum class Policy : std::uint8_t { Stretch, NotLarger, NotSmaller };

Policy policy_of(const Call& call) {
  const std::string_view name = call.attribute("keep_aspect_ratio_policy", "stretch");
  if (name == "stretch") return Policy::Stretch;
  if (name == "not_larger") return Policy::NotLarger;
  if (name == "not_smaller") return Policy::NotSmaller;
  call.fail(fmt::format("its attribute 'keep_aspect_ratio_policy' is unknown: '{}'", name));
}

/// The axes that scales and sizes speak of, in their order; all where the attribute is absent.
std::vector<std::size_t> axes_of(const Call& call, std::size_t rank) {
  const auto given = call.attribute_integers("axes").value_or(std::vector<std::int64_t>());
  std::vector<std::size_t> axes;
  if (given.empty())
    for (std::size_t i = 0; i < rank; ++i) axes.push_back(i);
  for (const std::int64_t axis : given) axes.push_back(normal_axis(call, axis, rank));
  return axes;
}

void require_length(const Call& call, std::size_t length, std::size_t axes, const char* what) {
  if (length != axes) {
    call.fail(fmt::format("its {} should have {}, but have {}", what, number_of(axes, "element"),
                          length));
  }
}

Dim dim_from(const Call& call, float size) {
  constexpr float kLimit = 9.2e18F;
  if (!(size >= 0.0F) || size > kLimit)
    call.fail(fmt::format("its output would have the impossible size {}", size));
  return static_cast<Dim>(size);
}

Dims scaled(const Call& call, const Dims& dims, const std::vector<std::size_t>& axes,
            const std::vector<float>& scales) {
  require_length(call, scales.size(), axes.size(), "scales");
  Dims result = dims;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Dim dim = dims[axes[i]];
    if (!(scales[i] > 0.0F)) call.fail("its scales should be positive");
    if (dim != kUnknownDim)
      result[axes[i]] = dim_from(call, std::floor(scales[i] * static_cast<float>(dim)));
  }
  return result;
}

/// One factor for all axes: the smallest or the largest that the sizes ask for.
void keep_aspect_ratio(const Call& call, const Dims& dims, const std::vector<std::size_t>& axes,
                       Policy policy, Dims& result) {
  const bool smallest = policy == Policy::NotLarger;
  float factor = smallest ? std::numeric_limits<float>::max() : 0.0F;
  bool known = true;
  for (const std::size_t axis : axes) {
    known = known && dims[axis] != kUnknownDim && result[axis] != kUnknownDim;
    if (!known) break;
    const float scale =
        dims[axis] == 0 ? 1.0F : static_cast<float>(result[axis]) / static_cast<float>(dims[axis]);
    factor = smallest ? std::min(factor, scale) : std::max(factor, scale);
  }
  for (const std::size_t axis : axes) {
    result[axis] =
        known ? dim_from(call, std::round(factor * static_cast<float>(dims[axis]))) : kUnknownDim;
  }
}

Dims sized(const Call& call, const Dims& dims, const std::vector<std::size_t>& axes,
           std::size_t slot) {
  Dims result = dims;
  const Elements* sizes = call.content(slot);
  if (sizes != nullptr) require_length(call, sizes->size(), axes.size(), "sizes");
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool known = sizes != nullptr && (*sizes)[i].known();
    const Dim size = known ? (*sizes)[i].as_integer() : kUnknownDim;
    if (known && size < 0) call.fail(fmt::format("its output would have the size {}", size));
    result[axes[i]] = size;
  }
  const Policy policy = policy_of(call);
  if (policy != Policy::Stretch) keep_aspect_ratio(call, dims, axes, policy, result);
  return result;
}

/// An input that is there but has no elements counts as left out.
bool is_given(const Call& call, std::size_t slot) {
  if (!call.has_input(slot)) return false;
  const Count elements = call.input(slot).elements();
  return !elements.known() || elements.value() > 0;
}

}  // namespace

Dims resized_dims(const Call& call, const Dims& dims, const ResizeInputs& inputs) {
  const std::vector<std::size_t> axes = axes_of(call, dims.size());
  if (const Attribute* attribute = call.node().attribute("scales");
      attribute != nullptr && !call.has_input(inputs.scales)) {
    return scaled(call, dims, axes, attribute->reals);
  }
  if (is_given(call, inputs.scales)) {
    const auto scales = call.reals(inputs.scales);
    if (scales) {
      std::vector<float> single(scales->size());
      std::transform(scales->begin(), scales->end(), single.begin(),
                     [](double scale) { return static_cast<float>(scale); });
      return scaled(call, dims, axes, single);
    }
  }
  if (inputs.sizes != 0 && is_given(call, inputs.sizes))
    return sized(call, dims, axes, inputs.sizes);
  if (!is_given(call, inputs.scales)) call.fail("it has neither scales nor sizes");
  Dims result = dims;
  for (const std::size_t axis : axes) result[axis] = kUnknownDim;
  return result;
}

}  // namespace jouletree::model
