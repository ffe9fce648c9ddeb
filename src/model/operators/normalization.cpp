#include <algorithm>

#include <fmt/format.h>

#include "model/operators/activation_flops.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/quantization_flops.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

// Operations per element, beside a few for every mean that are not worth counting. The mean takes
// an addition; the variance a subtraction, a square and an addition.
constexpr std::int64_t kMeanFlops = 1;
constexpr std::int64_t kVarianceFlops = 3;
constexpr std::int64_t kDivideFlops = 1;
constexpr std::int64_t kStandardizeFlops = kMeanFlops + kVarianceFlops + kDivideFlops;
constexpr std::int64_t kScaleFlops = 1;
constexpr std::int64_t kShiftFlops = 1;
constexpr std::int64_t kLayerNormFlops = kStandardizeFlops + kScaleFlops + kShiftFlops;
/// Square, addition, division.
constexpr std::int64_t kLengthFlops = 3;
constexpr std::int64_t kRootMeanSquareFlops = kLengthFlops + kScaleFlops;

/// The type and shape of the input, but with one element where statistics are taken.
ValueType statistics_type(const Call& call, std::int64_t first_axis, DataType type) {
  ValueType result;
  result.type = type;
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return result;
  result.dims = *dims;
  if (dims->empty()) return result;
  const auto first = static_cast<std::ptrdiff_t>(normal_axis(call, first_axis, dims->size()));
  std::fill(result.dims->begin() + first, result.dims->end(), 1);
  return result;
}

ValueType statistics_of_axis(const Call& call) {
  const DataType type = data_type_from_number(call.attribute("stash_type", std::int64_t{1}));
  return statistics_type(call, call.attribute("axis", std::int64_t{-1}), type);
}

void layer_norm(Call& call) {
  same_as_input(call);
  const ValueType statistics = statistics_of_axis(call);
  call.set(1, statistics);
  call.set(2, statistics);
}

/// The scale may have more precision than the input; then so has the output.
void rms_norm(Call& call) {
  ValueType type = call.input(0);
  if (call.has_input(1)) type.type = call.type(1);
  call.set(0, std::move(type));
  call.set(1, statistics_of_axis(call));
}

void skip_layer_norm(Call& call) {
  same_as_input(call);
  const ValueType statistics = statistics_type(call, -1, DataType::Float32);
  call.set(1, statistics);
  call.set(2, statistics);
  call.set(3, call.input(0));
}

void skip_group_norm(Call& call) {
  same_as_input(call);
  call.set(1, call.input(0));
}

/// Means and variances come out in the shape in which they went in.
void batch_norm(Call& call) {
  same_as_input(call);
  for (std::size_t i = 1; i < call.output_count(); ++i) call.set(i, call.input(i % 2 == 1 ? 3 : 4));
}

void embed_layer_norm(Call& call, DataType type) {
  ValueType result;
  result.type = type;
  ValueType mask_index;
  mask_index.type = DataType::Int32;
  if (const Dims* ids = call.dims(0); ids != nullptr) {
    if (ids->size() != 2)
      call.fail(fmt::format("its ids should have 2 dimensions, but are {}", to_string(*ids)));
    result.dims = *ids;
    result.dims->push_back(dim_at(call, 2, -1));
    mask_index.dims = Dims{ids->front()};
  }
  call.set(0, result);
  call.set(1, std::move(mask_index));
  call.set(2, std::move(result));
}

void embed(Call& call) { embed_layer_norm(call, call.type(2)); }
void embed_quantized(Call& call) { embed_layer_norm(call, DataType::Float32); }

Count per_element(const Call& call, std::int64_t flops) {
  return call.output(0).elements() * Count(flops);
}

OperatorWork layer_norm_work(const Call& call) {
  return {0, per_element(call, kLayerNormFlops - (call.has_input(2) ? 0 : kShiftFlops))};
}

/// The first addition is that of the skip connection.
OperatorWork skip_layer_norm_work(const Call& call) {
  const std::int64_t shift = call.has_input(3) ? kShiftFlops : 0;
  const std::int64_t bias = call.has_input(4) ? 1 : 0;
  return {0, per_element(call, 1 + bias + kLayerNormFlops - kShiftFlops + shift)};
}

OperatorWork skip_rms_norm_work(const Call& call) {
  return {0, per_element(call, 1 + (call.has_input(3) ? 1 : 0) + kRootMeanSquareFlops)};
}

/// Statistics are taken only in training; running ones are updated by two products and a sum.
OperatorWork batch_norm_work(const Call& call) {
  constexpr std::int64_t kGivenFlops = 1 + kDivideFlops + kScaleFlops + kShiftFlops;
  const bool training = call.opset() >= 14 ? call.attribute("training_mode", std::int64_t{0}) != 0
                                           : call.has_output(1);
  if (!training) return {0, per_element(call, kGivenFlops)};
  Count updates = 0;
  for (const std::size_t running : {3U, 4U})
    if (call.has_input(running)) updates += call.input(running).elements() * Count(3);
  return {0, per_element(call, kLayerNormFlops) + updates};
}

OperatorWork group_norm_work(const Call& call) {
  const bool activates = call.attribute("activation", std::int64_t{0}) != 0;
  return {0, per_element(call, kLayerNormFlops + (activates ? kSiluFlops : 0))};
}

OperatorWork skip_group_norm_work(const Call& call) {
  const OperatorWork norm = group_norm_work(call);
  return {0, norm.flops + per_element(call, call.has_input(4) ? 2 : 1)};
}

/// Square, sum over neighbouring channels, scale, add, power, divide.
OperatorWork local_response_work(const Call& call) {
  const std::int64_t size = call.attribute("size", std::int64_t{1});
  if (size <= 0) call.fail("its attribute 'size' should be positive");
  return {0, call.output(0).elements() * (Count(size) + 4)};
}

/// Only the rows that the ids name are read, not the tables.
OperatorWork embed_work(const Call& call, std::int64_t row_flops, Count other_bytes) {
  const ValueType& output = call.output(0);
  const bool segments = call.has_input(1) && call.has_input(4);
  const int tables = segments ? 3 : 2;
  ValueType rows = output;
  rows.type = call.type(2);
  Count read = rows.bytes() * Count(tables) + other_bytes;
  for (const std::size_t slot : {0U, 1U, 5U, 6U, 7U})
    if (call.has_input(slot)) read += call.input(slot).bytes();
  const Count mask = call.has_input(7) ? call.input(7).elements() : Count(0);
  const std::int64_t flops = tables - 1 + tables * row_flops + kLayerNormFlops;
  return {0, output.elements() * Count(flops) + mask, read};
}

OperatorWork embed_plain_work(const Call& call) {
  return embed_work(call, 0, call.has_input(8) ? call.input(8).bytes() : Count(0));
}

OperatorWork embed_quantized_work(const Call& call) {
  return embed_work(call, kDequantizeFlops, 0);
}

constexpr ConstantRoles kBatchNormRoles = {.weights = slots(1, 2), .statistics = slots(3, 4)};
constexpr ConstantRoles kAffineRoles = {.weights = slots(1, 2)};
constexpr ConstantRoles kScaleRoles = {.weights = slots(1)};
constexpr ConstantRoles kSkipRoles = {.weights = slots(2, 3, 4)};
constexpr ConstantRoles kSkipGroupRoles = {.weights = slots(1, 2, 4)};
constexpr ConstantRoles kEmbedRoles = {.weights = slots(2, 3, 4, 5, 6)};
constexpr ConstantRoles kQuantizedEmbedRoles = {
    .weights = slots(2, 3, 4, 5, 6), .settings = slots(8, 9, 10, 11, 12, 13, 14, 15, 16, 17)};
constexpr ConstantRoles kOrderedRoles = {.weights = slots(2, 3), .settings = slots(1, 4)};

constexpr OperatorFacts kByRows = {.work = WorkKind::Rows, .axes = AxisFlow::Same};
constexpr OperatorFacts kScalesRows = {.work = WorkKind::Rows, .axes = AxisFlow::ScaledLast};
constexpr OperatorFacts kScalesChannels = {.axes = AxisFlow::ScaledChannels};
constexpr Lookup kEmbeddings[] = {
    {.indices = 0, .table = 2}, {.indices = 1, .table = 4}, {.indices = 7, .table = 3}};
constexpr OperatorFacts kEmbeds = {.lookups = kEmbeddings};
/// Positions are counted, not looked up by an input.
constexpr OperatorFacts kEmbedsQuantized = {.lookups = std::span(kEmbeddings).first(2)};

constexpr OperatorRow kNormalizationRows[] = {
    {kOnnx, "BatchNormalization", batch_norm, batch_norm_work, kBatchNormRoles, kScalesChannels},
    {kOnnx, "InstanceNormalization", same_shape, per_output_element<kLayerNormFlops>, kAffineRoles,
     kScalesChannels},
    {kOnnx, "GroupNormalization", same_shape, per_output_element<kLayerNormFlops>, kAffineRoles,
     kByRows},
    {kOnnx, "LayerNormalization", layer_norm, layer_norm_work, kAffineRoles, kScalesRows},
    {kOnnx, "RMSNormalization", rms_norm, per_output_element<kRootMeanSquareFlops>, kScaleRoles,
     kScalesRows},
    {kOnnx, "SimplifiedLayerNormalization", rms_norm, per_output_element<kRootMeanSquareFlops>,
     kScaleRoles, kScalesRows},
    {kOnnx,
     "MeanVarianceNormalization",
     same_shape,
     per_output_element<kStandardizeFlops>,
     {},
     kKeepsAxes},
    {kOnnx, "LpNormalization", same_shape, per_output_element<kLengthFlops>, {}, kKeepsAxes},
    {kOnnx, "LRN", same_shape, local_response_work, {}, kKeepsAxes},
    {kMicrosoft, "BatchNormInternal", batch_norm, per_output_element<kLayerNormFlops>,
     kBatchNormRoles, kScalesChannels},
    {kMicrosoft, "LayerNormalization", layer_norm, layer_norm_work, kAffineRoles, kScalesRows},
    {kMicrosoft, "SimplifiedLayerNormalization", rms_norm, per_output_element<kRootMeanSquareFlops>,
     kScaleRoles, kScalesRows},
    {kMicrosoft, "SkipLayerNormalization", skip_layer_norm, skip_layer_norm_work, kSkipRoles,
     kScalesRows},
    {kMicrosoft, "SkipSimplifiedLayerNormalization", skip_layer_norm, skip_rms_norm_work,
     kSkipRoles, kScalesRows},
    {kMicrosoft, "EmbedLayerNormalization", embed, embed_plain_work, kEmbedRoles, kEmbeds},
    {kMicrosoft, "QEmbedLayerNormalization", embed_quantized, embed_quantized_work,
     kQuantizedEmbedRoles, kEmbedsQuantized},
    {kMicrosoft, "QOrderedLayerNormalization", same_shape,
     per_output_element<kDequantizeFlops + kLayerNormFlops + kQuantizeFlops>, kOrderedRoles,
     kScalesRows},
    {kMicrosoft, "GroupNorm", same_shape, group_norm_work, kAffineRoles, kByRows},
    {kMicrosoft, "SkipGroupNorm", skip_group_norm, skip_group_norm_work, kSkipGroupRoles, kByRows},
    {kMicrosoft, "GatedRMSNorm", same_shape,
     per_output_element<kRootMeanSquareFlops + kSiluFlops + 1>, kScaleRoles, kByRows},
};

}  // namespace

std::span<const OperatorRow> normalization_rows() { return kNormalizationRows; }

}  // namespace jouletree::model
