#include <algorithm>
#include <bit>
#include <cmath>

#include "model/operators/activation_flops.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/recorded_shape.hpp"

namespace jouletree::model {
namespace {

Count addend_flops(const Call& call) {
  return call.has_input(2) ? call.output(0).elements() : Count(0);
}

/// Every output element is a sum over the last dimension of the first input.
OperatorWork inner_product_work(const Call& call) {
  const Dims* input = call.dims(0);
  if (input == nullptr || input->empty()) return {Count::unknown(), Count::unknown()};
  return multiply_accumulates(call.output(0).elements() * count_of(input->back()),
                              addend_flops(call));
}

/// Half of the input is squashed and multiplied with the other half.
OperatorWork gated_work(const Call& call) {
  return {0, call.output(0).elements() * Count(kSigmoidFlops + 1)};
}

/// A comparison sort.
OperatorWork sort_work(const Call& call) {
  const Count elements = call.input(0).elements();
  if (!elements.known()) return {0, Count::unknown()};
  const auto steps = std::bit_width(static_cast<std::uint64_t>(elements.value()));
  return {0, elements * Count(static_cast<std::int64_t>(steps))};
}

/// Fast Fourier transforms over some dimensions, of `length` points together: 5 N log2 N each, and
/// half of that where one side is real.
OperatorWork fourier_work(const Call& call) {
  const std::int64_t length = call.attribute("length", std::int64_t{0});
  const Count in = call.input(0).elements();
  const Count out = call.output(0).elements();
  if (length <= 0 || !in.known() || !out.known()) return {0, Count::unknown()};
  const double points = static_cast<double>(std::max(in.value(), out.value()));
  const double per_point = call.attribute("real", std::int64_t{0}) != 0 ? 2.5 : 5.0;
  return {0, static_cast<std::int64_t>(
                 std::round(points * per_point * std::log2(static_cast<double>(length))))};
}

/// Rows of a table are added up, each weighed where there are weights.
OperatorWork bag_work(const Call& call) {
  const Dims* table = call.dims(0);
  if (table == nullptr || table->size() != 2) return {0, Count::unknown()};
  const Count picked = call.input(1).elements() * count_of(table->back());
  const Count width = bits_of(call.type(0)).value_or(0) / 8;
  return {0, picked * Count(call.has_input(3) ? 2 : 1), picked * width + call.input(1).bytes()};
}

/// A binary search of every value.
OperatorWork search_work(const Call& call) {
  const Count edges = call.input(0).elements();
  if (!edges.known()) return {0, Count::unknown()};
  const auto steps = std::bit_width(static_cast<std::uint64_t>(edges.value()));
  return {0, call.output(0).elements() * Count(static_cast<std::int64_t>(steps))};
}

OperatorWork copy_work(const Call& call) { return {0, 0, call.input(1).bytes()}; }
OperatorWork fill_work(const Call& /*call*/) { return {0, 0, Count(0)}; }

// Mean, then difference, square and sum.
constexpr std::int64_t kTorchVarianceFlops = 4;

constexpr ConstantRoles kScale = {.weights = slots(1)};
constexpr OperatorFacts kPicksRows = {.picks = true};
constexpr OperatorFacts kRandom = {.random = true};
constexpr OperatorFacts kNormalizesRows = {.work = WorkKind::Rows};
constexpr ConstantRoles kOperands = {.weights = slots(0, 1, 2)};

constexpr OperatorRow kTorchRows[] = {
    {kTorch, "Linear", as_recorded, inner_product_work, kOperands, kWeightedProducts},
    {kTorch, "AddMatMul", as_recorded, inner_product_work, kOperands, kWeightedProducts},
    {kTorch, "Rsqrt", as_recorded, per_output_element<2>},
    {kTorch, "Addcmul", as_recorded, per_output_element<3>},
    {kTorch, "Addcdiv", as_recorded, per_output_element<3>},
    {kTorch, "Lerp", as_recorded, per_output_element<3>},
    {kTorch, "Glu", as_recorded, gated_work},
    {kTorch, "LogSigmoid", as_recorded, per_output_element<kSoftplusFlops + 2>},
    {kTorch, "AdaptiveAveragePool", as_recorded, per_input_element<1>},
    {kTorch, "AdaptiveMaxPool", as_recorded, per_input_element<1>},
    {kTorch, "Variance", as_recorded, per_input_element<kTorchVarianceFlops>},
    {kTorch, "Sort", as_recorded, sort_work, {}, kSearches},
    {kTorch, "Roll", as_recorded, only_moves, {}, kKeepsValues},
    {kTorch, "Flip", as_recorded, only_moves, {}, kKeepsValues},
    {kTorch, "ChannelShuffle", as_recorded, only_moves, {}, kKeepsValues},
    {kTorch, "Copy", as_recorded, copy_work},
    {kTorch, "Fourier", as_recorded, fourier_work},
    {kTorch, "EmbeddingBag", as_recorded, bag_work, kOperands, kPicksRows},
    {kTorch, "Search", as_recorded, search_work, {}, kSearches},
    {kTorch, "Histogram", as_recorded, per_input_element<3>},
    {kTorch, "Sample", as_recorded, per_input_element<2>, {}, kRandom},
    // Draw, compare, multiply twice.
    {kTorch, "RandomDropout", as_recorded, per_output_element<4>, {}, kRandom},
    {kTorch, "Polar", as_recorded, per_input_element<4>},
    {kTorch, "Unary", as_recorded, per_output_element<1>},
    {kTorch, "Binary", as_recorded, per_output_element<1>},
    {kTorch, "Special", as_recorded, per_output_element<8>},
    {kTorch, "Select", as_recorded, per_input_element<2>},
    {kTorch, "WeightNorm", as_recorded, per_output_element<4>},
    {kTorch, "RmsNorm", as_recorded, per_output_element<4>, kScale, kNormalizesRows},
    // Normalisation in several calls, over several devices.
    {kTorch, "BatchStatistics", as_recorded, per_input_element<kTorchVarianceFlops>},
    {kTorch, "BatchScale", as_recorded, per_output_element<4>},
    {kTorch, "FakeQuantize", as_recorded, per_output_element<6>},
    {kTorch, "Fill", as_recorded, fill_work},
};

}  // namespace

std::span<const OperatorRow> torch_rows() { return kTorchRows; }

}  // namespace jouletree::model
