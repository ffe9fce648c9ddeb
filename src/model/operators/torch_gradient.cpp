#include "model/operators/activation_flops.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/recorded_shape.hpp"

namespace jouletree::model {
namespace {

// What the calls of a backward pass do to every element of the gradient that they are given, their
// first input. Products of matrices stand in torch_product.cpp.

/// Compare; the rest is a choice.
constexpr std::int64_t kReluGradFlops = 1;
constexpr std::int64_t kLeakyReluGradFlops = kReluGradFlops + 1;
/// Of the output: compare, add, multiply by the slope and by the gradient.
constexpr std::int64_t kEluGradFlops = 4;
/// Multiply by the output and by what it lacks to 1.
constexpr std::int64_t kSigmoidGradFlops = 3;
constexpr std::int64_t kTanhGradFlops = 3;  ///< Square, subtract, multiply.
/// The sigmoid, and grad * s * (1 + x * (1 - s)).
constexpr std::int64_t kSiluGradFlops = kSigmoidFlops + 5;
/// The cumulative distribution 4, the density 4, their sum 2, the gradient 1.
constexpr std::int64_t kErfGeluGradFlops = 11;
/// The hyperbolic tangent 5, both factors and their derivatives 11, their sum and the gradient 2.
constexpr std::int64_t kTanhGeluGradFlops = 18;
constexpr std::int64_t kHardTanhGradFlops = 2;
constexpr std::int64_t kHardSigmoidGradFlops = 3;
constexpr std::int64_t kHardSwishGradFlops = 5;  ///< Two comparisons, divide, add, multiply.
constexpr std::int64_t kSoftplusGradFlops = 5;   ///< Compare, exp, add, divide, multiply.
/// Softplus, tanh, a sigmoid, and six to join them.
constexpr std::int64_t kMishGradFlops = kSoftplusFlops + kTanhFlops + kSigmoidFlops + 6;
constexpr std::int64_t kGluGradFlops = kSigmoidFlops + 5;
constexpr std::int64_t kPReluGradFlops = 4;  ///< Compare, two products, a sum.
/// y * (g - sum(g * y)) and g - exp(y) * sum(g).
constexpr std::int64_t kSoftmaxGradFlops = 4;
/// Standardise 2; gradients of scale and shift 3; scale, two sums, and what they correct 8.
constexpr std::int64_t kNormGradFlops = 13;
/// As above, but nothing is shifted and there is one sum only.
constexpr std::int64_t kRootMeanSquareGradFlops = 9;
constexpr std::int64_t kDropoutGradFlops = 2;
/// The norm 2, its product with the gradient 2, and what it corrects 3.
constexpr std::int64_t kWeightNormGradFlops = 7;
/// Bilinear weights 4 and sums 4; bicubic ones 16 of each and their polynomials.
constexpr std::int64_t kLinearResizeGradFlops = 8;
constexpr std::int64_t kCubicResizeGradFlops = 40;
/// Four neighbours, for the image and for both coordinates.
constexpr std::int64_t kGridSampleGradFlops = 28;

OperatorWork gelu_grad_work(const Call& call) {
  const bool tanh = call.attribute("approximate", "none") == "tanh";
  return {0, call.input(0).elements() * Count(tanh ? kTanhGeluGradFlops : kErfGeluGradFlops)};
}

/// Every gradient is added to all the places of its window.
OperatorWork average_pool_grad_work(const Call& call) {
  Count window = 1;
  if (const auto sizes = call.attribute_integers("kernel_shape"))
    for (const std::int64_t size : *sizes) window = window * Count(size);
  return {0, call.input(0).elements() * window};
}

/// The gradient lands in memory that is otherwise filled with zeros.
OperatorWork scattered_work(const Call& /*call*/) { return {0, 0}; }

constexpr OperatorFacts kWindowGradient = {.windows = true};
constexpr OperatorFacts kGradientOfScores = {.work = WorkKind::Scores};
constexpr OperatorFacts kGradientByRows = {.work = WorkKind::Rows};

constexpr OperatorRow kTorchGradientRows[] = {
    {kTorch, "ReluGrad", as_recorded, per_input_element<kReluGradFlops>},
    {kTorch, "LeakyReluGrad", as_recorded, per_input_element<kLeakyReluGradFlops>},
    {kTorch, "PReluGrad", as_recorded, per_input_element<kPReluGradFlops>},
    {kTorch, "EluGrad", as_recorded, per_input_element<kEluGradFlops>},
    {kTorch, "SigmoidGrad", as_recorded, per_input_element<kSigmoidGradFlops>},
    {kTorch, "TanhGrad", as_recorded, per_input_element<kTanhGradFlops>},
    {kTorch, "SwishGrad", as_recorded, per_input_element<kSiluGradFlops>},
    {kTorch, "GeluGrad", as_recorded, gelu_grad_work},
    {kTorch, "HardTanhGrad", as_recorded, per_input_element<kHardTanhGradFlops>},
    {kTorch, "HardSigmoidGrad", as_recorded, per_input_element<kHardSigmoidGradFlops>},
    {kTorch, "HardSwishGrad", as_recorded, per_input_element<kHardSwishGradFlops>},
    {kTorch, "ShrinkGrad", as_recorded, per_input_element<kHardTanhGradFlops>},
    {kTorch, "SoftplusGrad", as_recorded, per_input_element<kSoftplusGradFlops>},
    {kTorch, "LogSigmoidGrad", as_recorded, per_input_element<kSoftplusGradFlops>},
    {kTorch, "MishGrad", as_recorded, per_input_element<kMishGradFlops>},
    {kTorch, "GluGrad", as_recorded, per_input_element<kGluGradFlops>},
    {kTorch, "LogitGrad", as_recorded, per_input_element<kSigmoidGradFlops>},
    {kTorch,
     "SoftmaxGrad",
     as_recorded,
     per_input_element<kSoftmaxGradFlops>,
     {},
     kGradientOfScores},
    {kTorch,
     "LogSoftmaxGrad",
     as_recorded,
     per_input_element<kSoftmaxGradFlops>,
     {},
     kGradientOfScores},
    {kTorch, "LayerNormGrad", as_recorded, per_input_element<kNormGradFlops>, {}, kGradientByRows},
    {kTorch, "GroupNormGrad", as_recorded, per_input_element<kNormGradFlops>, {}, kGradientByRows},
    {kTorch, "BatchNormGrad", as_recorded, per_input_element<kNormGradFlops>},
    {kTorch,
     "RmsNormGrad",
     as_recorded,
     per_input_element<kRootMeanSquareGradFlops>,
     {},
     kGradientByRows},
    {kTorch, "WeightNormGrad", as_recorded, per_input_element<kWeightNormGradFlops>},
    {kTorch, "DropoutGrad", as_recorded, per_input_element<kDropoutGradFlops>},
    {kTorch, "EmbeddingGrad", as_recorded, per_input_element<1>},
    {kTorch, "GatherGrad", as_recorded, per_input_element<1>},
    {kTorch, "SliceGrad", as_recorded, scattered_work},
    {kTorch, "PadGrad", as_recorded, per_input_element<1>},
    {kTorch, "MaxPoolGrad", as_recorded, per_input_element<1>, {}, kWindowGradient},
    {kTorch, "AveragePoolGrad", as_recorded, average_pool_grad_work, {}, kWindowGradient},
    {kTorch, "AdaptiveAveragePoolGrad", as_recorded, per_output_element<2>},
    {kTorch, "NearestResizeGrad", as_recorded, per_input_element<1>},
    {kTorch, "LinearResizeGrad", as_recorded, per_input_element<kLinearResizeGradFlops>},
    {kTorch, "CubicResizeGrad", as_recorded, per_input_element<kCubicResizeGradFlops>},
    {kTorch, "GridSampleGrad", as_recorded, per_input_element<kGridSampleGradFlops>},
};

}  // namespace

std::span<const OperatorRow> torch_gradient_rows() { return kTorchGradientRows; }

}  // namespace jouletree::model
