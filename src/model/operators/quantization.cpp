#include <algorithm>

#include <fmt/format.h>

#include "model/operators/activation_flops.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/quantization_flops.hpp"
#include "model/operators/shape_math.hpp"
#include "model/operators/type_attribute.hpp"

namespace jouletree::model {
namespace {

void set_type_on_input_shape(Call& call, std::size_t output, DataType type) {
  ValueType result = call.input(0);
  result.type = type;
  call.set(output, std::move(result));
}

/// Files may spell out the default, 0, which names no type.
DataType output_type(const Call& call, DataType fallback) {
  if (call.attribute("output_dtype", std::int64_t{0}) == 0) return fallback;
  return type_attribute(call, "output_dtype", fallback);
}

void quantize(Call& call) {
  const DataType type = call.has_input(2) ? call.type(2) : output_type(call, DataType::UInt8);
  set_type_on_input_shape(call, 0, type);
}

void dequantize(Call& call) { set_type_on_input_shape(call, 0, output_type(call, call.type(1))); }

void dynamic_quantize(Call& call) {
  set_type_on_input_shape(call, 0, DataType::UInt8);
  call.set(1, DataType::Float32, {});
  call.set(2, DataType::UInt8, {});
}

void quantize_with_order(Call& call) { set_type_on_input_shape(call, 0, DataType::Int8); }

void dequantize_with_order(Call& call) {
  set_type_on_input_shape(call, 0, type_attribute(call, "to", DataType::Float32));
}

void quantize_blocks(Call& call) {
  // The number of bytes is up to the block format, which the operator's definition leaves open.
  call.set(0, DataType::UInt8, {kUnknownDim});
  const Dims* dims = call.dims(0);
  const Dim rank = dims == nullptr ? kUnknownDim : static_cast<Dim>(dims->size());
  call.set(1, DataType::Int64, {rank});
  call.set(2, DataType::Int64, {rank});
  if (dims == nullptr) return;
  Elements sizes;
  for (const Dim dim : *dims) sizes.push_back(dim == kUnknownDim ? Scalar() : Scalar::integer(dim));
  call.set_content(1, std::move(sizes));
}

void dequantize_blocks(Call& call) {
  const DataType type = type_attribute(call, "dtype", DataType::Float32);
  const auto dims = call.integers(1);
  if (!dims) return call.set_unknown(0, type);
  if (std::any_of(dims->begin(), dims->end(), [](Dim dim) { return dim < 0; }))
    call.fail(fmt::format("its input 'shape' is {}", to_string(*dims)));
  call.set(0, type, *dims);
}

/// The operands stand between their scales and zero points.
template <std::size_t... Operand>
void broadcast_operands(Call& call, DataType type) {
  Dims dims;
  for (const std::size_t operand : {Operand...}) {
    if (call.dims(operand) == nullptr) return call.set_unknown(0, type);
    dims = broadcast(call, dims, *call.dims(operand));
  }
  call.set(0, type, std::move(dims));
}

void quantized_binary(Call& call) { broadcast_operands<0, 3>(call, call.type(0)); }
void quantized_where(Call& call) { broadcast_operands<0, 1, 4>(call, call.type(1)); }
void multiply_integers(Call& call) { broadcast_operands<0, 2>(call, DataType::Int32); }

constexpr std::size_t kFirstConcatenated = 2;
constexpr std::size_t kInputsPerConcatenated = 3;

void quantized_concat(Call& call) {
  const DataType type = call.type(1);
  if (call.input_count() <= kFirstConcatenated) call.fail("it has nothing to concatenate");
  const Dims* first = call.dims(kFirstConcatenated);
  if (first == nullptr) return call.set_unknown(0, type);
  Dims result = *first;
  const std::size_t axis =
      normal_axis(call, call.attribute("axis", std::int64_t{0}), first->size());
  Count length = 0;
  for (std::size_t i = kFirstConcatenated; i < call.input_count(); i += kInputsPerConcatenated) {
    const Dims* dims = call.dims(i);
    if (dims == nullptr) {
      length = Count::unknown();
      continue;
    }
    if (dims->size() != result.size()) call.fail("its inputs have different numbers of dimensions");
    for (std::size_t d = 0; d < dims->size(); ++d)
      if (d != axis) result[d] = same_dim(call, result[d], (*dims)[d], "the other dimensions");
    length += count_of((*dims)[axis]);
  }
  result[axis] = dim_of(length);
  call.set(0, type, std::move(result));
}

void reduce(Call& call, DataType type) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, type);
  const bool keep = call.attribute("keepdims", std::int64_t{1}) != 0;
  const auto given = call.attribute_integers("axes");
  const bool all = !given || given->empty();
  const auto axes = all ? std::vector<std::size_t>() : normal_axes(call, *given, dims->size());
  Dims result;
  for (std::size_t i = 0; i < dims->size(); ++i) {
    const bool reduced = all || std::binary_search(axes.begin(), axes.end(), i);
    if (!reduced) result.push_back((*dims)[i]);
    if (reduced && keep) result.push_back(1);
  }
  call.set(0, type, std::move(result));
}

void quantized_mean(Call& call) { reduce(call, call.type(0)); }

void sum_integers(Call& call) {
  reduce(call, call.type(0) == DataType::UInt8 ? DataType::UInt32 : DataType::Int32);
}

OperatorWork quantized_mean_work(const Call& call) {
  return {0, call.input(0).elements() * Count(kDequantizeFlops + 1) +
                 call.output(0).elements() * Count(kQuantizeFlops + 1)};
}

/// Every tensor whose scale differs is brought to the scale of the output.
constexpr std::int64_t kRequantizeFlops = kDequantizeFlops + kQuantizeFlops;

constexpr Slots concatenated_slots() {
  Slots result = 0;
  for (std::size_t i = kFirstConcatenated; i < 32; i += kInputsPerConcatenated) result |= slots(i);
  return result;
}

constexpr ConstantRoles kQuantize = {.settings = slots(1, 2)};
constexpr ConstantRoles kDequantize = {.weights = slots(0), .settings = slots(1, 2)};
constexpr ConstantRoles kUnary = {.settings = slots(1, 2, 3, 4)};
constexpr ConstantRoles kBinary = {.weights = slots(0, 3), .settings = slots(1, 2, 4, 5, 6, 7)};
constexpr ConstantRoles kConcat = {.weights = concatenated_slots(),
                                   .settings = ~concatenated_slots()};
constexpr ConstantRoles kWhere = {.weights = slots(1, 4), .settings = slots(2, 3, 5, 6, 7, 8)};
constexpr ConstantRoles kProduct = {.weights = slots(0, 2), .settings = slots(1, 3)};

constexpr OperatorFacts kGivesScale = {.axes = AxisFlow::Same, .scale_output = 1};

constexpr OperatorRow kQuantizationRows[] = {
    {kOnnx, "QuantizeLinear", quantize, per_output_element<kQuantizeFlops>, kQuantize, kKeepsAxes},
    {kOnnx, "DequantizeLinear", dequantize, per_output_element<kDequantizeFlops>, kDequantize,
     kKeepsAxes},
    {kOnnx,
     "DynamicQuantizeLinear",
     dynamic_quantize,
     per_output_element<kDynamicQuantizeFlops>,
     {},
     kGivesScale},

    {kMicrosoft, "QuantizeLinear", quantize, per_output_element<kQuantizeFlops>, kQuantize,
     kKeepsAxes},
    {kMicrosoft, "DequantizeLinear", dequantize, per_output_element<kDequantizeFlops>, kDequantize,
     kKeepsAxes},
    {kMicrosoft, "QuantizeWithOrder", quantize_with_order, per_output_element<kQuantizeFlops>,
     kQuantize, kKeepsAxes},
    {kMicrosoft, "DequantizeWithOrder", dequantize_with_order, per_output_element<kDequantizeFlops>,
     kDequantize, kKeepsAxes},
    {kMicrosoft, "QuantizeBFP", quantize_blocks, per_input_element<kQuantizeFlops>},
    {kMicrosoft, "DequantizeBFP", dequantize_blocks, per_output_element<kDequantizeFlops>,
     kDequantize},

    {kMicrosoft, "QLinearAdd", quantized_binary,
     per_output_element<2 * kDequantizeFlops + 1 + kQuantizeFlops>, kBinary},
    {kMicrosoft, "QLinearMul", quantized_binary,
     per_output_element<2 * kDequantizeFlops + 1 + kQuantizeFlops>, kBinary},
    {kMicrosoft, "QLinearSigmoid", same_shape, per_output_element<kRequantizeFlops + kSigmoidFlops>,
     kUnary, kKeepsAxes},
    {kMicrosoft, "QLinearLeakyRelu", same_shape,
     per_output_element<kRequantizeFlops + kLeakyReluFlops>, kUnary, kKeepsAxes},
    {kMicrosoft, "QLinearSoftmax", same_shape, per_output_element<kRequantizeFlops + kSoftmaxFlops>,
     kUnary, kScores},
    {kMicrosoft, "QOrderedGelu", same_shape, per_output_element<kRequantizeFlops + kErfGeluFlops>,
     kQuantize, kKeepsAxes},
    {kMicrosoft, "QLinearConcat", quantized_concat, per_output_element<kRequantizeFlops>, kConcat},
    {kMicrosoft, "QLinearWhere", quantized_where, per_output_element<kRequantizeFlops>, kWhere},
    {kMicrosoft, "QLinearReduceMean", quantized_mean, quantized_mean_work, kUnary},
    {kMicrosoft, "MulInteger", multiply_integers, per_output_element<3>, kProduct},
    {kMicrosoft, "ReduceSumInteger", sum_integers, per_input_element<1>},
};

}  // namespace

std::span<const OperatorRow> quantization_rows() { return kQuantizationRows; }

}  // namespace jouletree::model
