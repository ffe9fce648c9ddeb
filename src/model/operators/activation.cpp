#include <optional>

#include <fmt/format.h>

#include "model/operators/activation_flops.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/shape_math.hpp"
#include "model/operators/value_math.hpp"

namespace jouletree::model {
namespace {

void along_axis(Call& call) {
  const std::int64_t axis = call.attribute("axis", std::int64_t{call.opset() < 13 ? 1 : -1});
  const Dims* dims = call.dims(0);
  if (dims != nullptr && !dims->empty()) (void)normal_axis(call, axis, dims->size());
  same_as_input(call);
}

OperatorWork gelu_work(const Call& call) {
  const bool tanh = call.attribute("approximate", "none") == "tanh";
  return {0, call.output(0).elements() * Count(tanh ? kTanhGeluFlops : kErfGeluFlops)};
}

OperatorWork swish_work(const Call& call) {
  const bool scaled = call.attribute("alpha", 1.0) != 1.0;
  return {0, call.output(0).elements() * Count(kSiluFlops + (scaled ? 1 : 0))};
}

OperatorWork fast_gelu_work(const Call& call) {
  return {0, call.output(0).elements() * Count(kTanhGeluFlops + (call.has_input(1) ? 1 : 0))};
}

/// A bound of Clip: an attribute before opset 11, an input since.
struct Bound {
  bool given = false;
  Scalar value;
};

bool has_bound(const Call& call, const char* name, std::size_t position) {
  return call.has_attribute(name) || call.has_input(position);
}

Bound bound(const Call& call, const char* name, std::size_t position) {
  if (call.has_attribute(name)) return {true, Scalar::real(call.attribute(name, 0.0))};
  if (!call.has_input(position)) return {};
  const Elements* content = call.content(position);
  return {true, content == nullptr || content->empty() ? Scalar() : content->front()};
}

bool less(const Scalar& a, const Scalar& b) {
  if (a.is_integer() && b.is_integer()) return a.as_integer() < b.as_integer();
  return a.as_real() < b.as_real();
}

void clip(Call& call) {
  same_as_input(call);
  if (!call.has_content(0)) return;
  const Bound low = bound(call, "min", 1);
  const Bound high = bound(call, "max", 2);
  if ((low.given && !low.value.known()) || (high.given && !high.value.known())) return;
  evaluate(call, [&](const Scalar& element) {
    Scalar result = element;
    if (low.given && less(result, low.value)) result = low.value;
    if (high.given && less(high.value, result)) result = high.value;
    return result;
  });
}

OperatorWork clip_work(const Call& call) {
  const int bounds = (has_bound(call, "min", 1) ? 1 : 0) + (has_bound(call, "max", 2) ? 1 : 0);
  return {0, call.output(0).elements() * Count(bounds)};
}

/// Nothing where the mode depends on data.
std::optional<bool> trains(const Call& call, std::size_t position) {
  if (!call.has_input(position)) return false;
  const auto mode = call.integer(position);
  return mode ? std::optional(*mode != 0) : std::nullopt;
}

void dropout(Call& call) {
  if (trains(call, 2) == false) {
    call.set_state(0, call.input_state(0));
  } else {
    same_as_input(call);
  }
  ValueType mask = call.input(0);
  if (call.opset() >= 10) mask.type = DataType::Bool;
  call.set(1, std::move(mask));
}

void dropout_with_bias(Call& call) {
  same_as_input(call);
  ValueType mask = call.input(0);
  mask.type = DataType::Bool;
  call.set(1, std::move(mask));
}

void dropout_with_bits(Call& call) {
  same_as_input(call);
  constexpr int kBitsPerWord = 32;
  const Count words = (call.input(0).elements() + Count(kBitsPerWord - 1)) / Count(kBitsPerWord);
  call.set(1, DataType::UInt32, {dim_of(words)});
}

/// Only training drops elements: it draws, compares and scales each.
Count drop_flops(const Call& call, std::size_t mode_position) {
  const auto training = trains(call, mode_position);
  if (!training) return Count::unknown();
  return *training ? call.output(0).elements() * Count(2) : Count(0);
}

OperatorWork dropout_work(const Call& call) { return {0, drop_flops(call, 2)}; }

OperatorWork dropout_with_bias_work(const Call& call) {
  const int additions = call.has_input(2) ? 2 : 1;
  return {0, call.output(0).elements() * Count(additions) + drop_flops(call, 4)};
}

void bias_split_gelu(Call& call) {
  ValueType type = call.input(0);
  if (type.dims) {
    if (type.dims->empty()) call.fail("it cannot split a scalar");
    type.dims->back() = dim_of(count_of(type.dims->back()) / Count(2));
  }
  call.set(0, std::move(type));
}

void crop(Call& call) {
  const auto border = call.attribute_integers("border");
  const auto scale = call.attribute_integers("scale");
  ValueType type = call.input(0);
  if (!border || border->size() != 4) call.fail("its attribute 'border' should have 4 elements");
  if (scale && !scale->empty() && scale->size() != 2)
    call.fail("its attribute 'scale' should have 2 elements");
  if (type.dims) {
    if (type.dims->size() != 4) {
      call.fail(
          fmt::format("its input should have 4 dimensions, but is {}", to_string(*type.dims)));
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const Count inner =
          count_of((*type.dims)[2 + i]) - Count((*border)[1 - i]) - Count((*border)[3 - i]);
      const bool given = scale && !scale->empty();
      const Count size = given ? Count((*scale)[i]) : inner;
      if (size.known() && size.value() < 0) call.fail("it crops more than its input has");
      (*type.dims)[2 + i] = dim_of(size);
    }
  }
  call.set(0, std::move(type));
}

constexpr ConstantRoles kBias = {.weights = slots(1)};
constexpr ConstantRoles kDropout = {.settings = slots(1, 2), .forwarded = slots(0)};
constexpr ConstantRoles kBiasDropout = {.weights = slots(1), .settings = slots(3, 4)};
constexpr ConstantRoles kRatioAndMode = {.settings = slots(1, 2)};

constexpr OperatorFacts kScoresInPlace = {
    .overwrites = slots(0), .work = WorkKind::Scores, .axes = AxisFlow::Same};
constexpr OperatorFacts kDrops = {.view = true, .keeps_values = true, .axes = AxisFlow::Same};
constexpr OperatorFacts kBiasedGelu = {.costs_like = "Gelu", .axes = AxisFlow::Broadcast};

constexpr OperatorRow kActivationRows[] = {
    {kOnnx, "Relu", same_shape, per_output_element<kReluFlops>, {}, kInPlace},
    {kOnnx, "LeakyRelu", same_shape, per_output_element<kLeakyReluFlops>, {}, kInPlace},
    {kOnnx,
     "PRelu",
     same_shape,
     per_output_element<kLeakyReluFlops>,
     {.weights = slots(1)},
     kKeepsAxes},
    {kOnnx, "ThresholdedRelu", same_shape, per_output_element<kReluFlops>, {}, kInPlace},
    {kOnnx, "Elu", same_shape, per_output_element<kEluFlops>, {}, kInPlace},
    {kOnnx, "Selu", same_shape, per_output_element<kSeluFlops>, {}, kInPlace},
    {kOnnx, "Celu", same_shape, per_output_element<kCeluFlops>, {}, kInPlace},
    {kOnnx, "Sigmoid", same_shape, per_output_element<kSigmoidFlops>, {}, kInPlace},
    {kOnnx, "HardSigmoid", same_shape, per_output_element<kHardSigmoidFlops>, {}, kInPlace},
    {kOnnx, "HardSwish", same_shape, per_output_element<kHardSwishFlops>, {}, kInPlace},
    {kOnnx, "Swish", same_shape, swish_work, {}, kKeepsAxes},
    {kOnnx, "Tanh", same_shape, per_output_element<kTanhFlops>, {}, kInPlace},
    {kOnnx, "Softplus", same_shape, per_output_element<kSoftplusFlops>, {}, kInPlace},
    {kOnnx, "Softsign", same_shape, per_output_element<kSoftsignFlops>, {}, kInPlace},
    {kOnnx, "Mish", same_shape, per_output_element<kMishFlops>, {}, kKeepsAxes},
    {kOnnx, "Gelu", same_shape, gelu_work, {}, kInPlace},
    {kOnnx, "Shrink", same_shape, per_output_element<kShrinkFlops>, {}, kInPlace},
    {kOnnx, "Clip", clip, clip_work, {.settings = slots(1, 2)}, kInPlace},
    {kOnnx, "Softmax", along_axis, per_output_element<kSoftmaxFlops>, {}, kScoresInPlace},
    {kOnnx, "LogSoftmax", along_axis, per_output_element<kSoftmaxFlops>, {}, kScoresInPlace},
    {kOnnx, "Hardmax", along_axis, per_output_element<1>, {}, kKeepsAxes},
    {kOnnx, "Dropout", dropout, dropout_work, kDropout, kDrops},

    // Experimental operators that old models still use.
    {kOnnx, "ScaledTanh", same_shape, per_output_element<kScaledTanhFlops>, {}, kInPlace},
    {kOnnx,
     "ParametricSoftplus",
     same_shape,
     per_output_element<kParametricSoftplusFlops>,
     {},
     kInPlace},
    {kOnnx, "Affine", same_shape, per_output_element<kAffineFlops>, {}, kKeepsAxes},
    {kOnnx, "ImageScaler", same_shape, per_output_element<kAffineFlops>, {}, kKeepsAxes},
    {kOnnx, "Crop", crop, only_moves},

    {kMicrosoft, "Gelu", same_shape, per_output_element<kErfGeluFlops>, {}, kInPlace},
    {kMicrosoft, "FastGelu", same_shape, fast_gelu_work, kBias, kBroadcasts},
    {kMicrosoft, "BiasGelu", same_shape, per_output_element<kErfGeluFlops + 1>, kBias, kBiasedGelu},
    {kMicrosoft, "QuickGelu", same_shape, per_output_element<kQuickGeluFlops>, {}, kInPlace},
    {kMicrosoft, "BiasAdd", same_shape, per_output_element<2>, kBias},
    // Bias on both halves, Gelu of one, multiplied with the other.
    {kMicrosoft, "BiasSplitGelu", bias_split_gelu, per_output_element<kErfGeluFlops + 3>, kBias},
    {kMicrosoft, "BiasSoftmax", same_shape, per_output_element<kSoftmaxFlops + 1>, {}, kScores},
    {kMicrosoft, "BiasDropout", dropout_with_bias, dropout_with_bias_work, kBiasDropout},
    {kMicrosoft, "BitmaskDropout", dropout_with_bits, dropout_work, kRatioAndMode},
    {kMicrosoft, "BitmaskBiasDropout", dropout_with_bits, dropout_with_bias_work, kBiasDropout},
};

}  // namespace

std::span<const OperatorRow> activation_rows() { return kActivationRows; }

}  // namespace jouletree::model
