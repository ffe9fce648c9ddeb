#include "model/operators/packed_weights.hpp"

#include <array>

#include <fmt/format.h>

#include "model/operators/cost_math.hpp"
#include "model/operators/quantization_flops.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

/// The logical size of the weights: how many inputs each output is made from.
struct Matrix {
  Dim inner = kUnknownDim;
  Dim outer = kUnknownDim;

  [[nodiscard]] Count elements() const { return count_of(inner) * count_of(outer); }
};

Dim size_attribute(const Call& call, const char* name) {
  const std::int64_t size = call.attribute(name, std::int64_t{0});
  if (size <= 0) call.fail(fmt::format("its attribute '{}' should be positive", name));
  return size;
}

Matrix matrix_from_attributes(const Call& call) {
  return {size_attribute(call, "K"), size_attribute(call, "N")};
}

Matrix bnb4_matrix(const Call& call) {
  const Matrix matrix = matrix_from_attributes(call);
  const bool transposed = call.attribute("transB", std::int64_t{1}) != 0;
  return transposed ? matrix : Matrix{matrix.outer, matrix.inner};
}

Matrix matrix_from_rows(const Call& call, std::int64_t elements_per_stored) {
  const Dims* dims = call.dims(1);
  if (dims == nullptr) return {};
  if (dims->size() != 2)
    call.fail(fmt::format("its weights should be a matrix, but are {}", to_string(*dims)));
  return {dim_of(count_of((*dims)[1]) * Count(elements_per_stored)), (*dims)[0]};
}

void set_rows(Call& call, const Matrix& matrix) {
  ValueType type = call.input(0);
  if (type.dims) {
    if (type.dims->empty()) call.fail("a matrix product of a scalar");
    (void)same_dim(call, type.dims->back(), matrix.inner, "inputs and rows of weights");
    type.dims->back() = matrix.outer;
  }
  call.set(0, std::move(type));
}

OperatorWork rows_work(const Call& call, const Matrix& matrix, bool has_bias) {
  const Count outputs = call.output(0).elements();
  return multiply_accumulates(
      outputs * count_of(matrix.inner),
      matrix.elements() * Count(kDequantizeFlops) + (has_bias ? outputs : Count(0)));
}

/// Where MatMulFpQ4 says the shape of its weights.
std::optional<MatmulDims> blob_product(const Call& call) {
  const auto shape = call.integers(2);
  if (call.dims(0) == nullptr || !shape) return std::nullopt;
  for (const Dim dim : *shape)
    if (dim < 0) call.fail(fmt::format("its weights cannot have the size {}", dim));
  return matmul_dims(call, *call.dims(0), *shape);
}

/// Elements in one stored element of GatherBlockQuantized.
std::int64_t gathered_pack(const Call& call) {
  if (call.type(0) != DataType::UInt8) return 1;
  const std::int64_t bits = call.attribute("bits", std::int64_t{4});
  if (bits != 2 && bits != 4 && bits != 8)
    call.fail(fmt::format("its attribute 'bits' should be 2, 4 or 8, but is {}", bits));
  return 8 / bits;
}

std::int64_t integer_of(const Node& node, std::string_view name, std::int64_t fallback) {
  const Attribute* found = node.attribute(name);
  return found != nullptr && found->kind == AttributeKind::Int ? found->integer : fallback;
}

/// Whole bytes hold several elements; all other types hold one.
Count in_bytes(const StoredTensor& stored, std::int64_t bits) {
  const bool packs = stored.type == DataType::UInt8 && bits > 0;
  return packs ? stored.elements() * Count(8) / Count(bits) : stored.elements();
}

constexpr std::size_t kWeights = 1;

}  // namespace

void few_bits_matmul(Call& call) { set_rows(call, matrix_from_attributes(call)); }

OperatorWork few_bits_matmul_work(const Call& call) {
  return rows_work(call, matrix_from_attributes(call), call.has_input(5));
}

void four_bit_matmul(Call& call) { set_rows(call, bnb4_matrix(call)); }

OperatorWork four_bit_matmul_work(const Call& call) {
  return rows_work(call, bnb4_matrix(call), false);
}

void float4_matmul(Call& call) { set_rows(call, matrix_from_rows(call, 2)); }

OperatorWork float4_matmul_work(const Call& call) {
  return rows_work(call, matrix_from_rows(call, 2), call.has_input(5));
}

void float8_matmul(Call& call) { set_rows(call, matrix_from_rows(call, 1)); }

OperatorWork float8_matmul_work(const Call& call) {
  return rows_work(call, matrix_from_rows(call, 1), call.has_input(4));
}

void blob_matmul(Call& call) {
  const auto product = blob_product(call);
  if (!product) return call.set_unknown(0, call.type(0));
  call.set(0, call.type(0), product->output);
}

OperatorWork blob_matmul_work(const Call& call) {
  const auto product = blob_product(call);
  if (!product) return {Count::unknown(), Count::unknown()};
  Count weights = 1;
  for (const Dim dim : call.integers(2).value_or(Dims{})) weights = weights * Count(dim);
  return multiply_accumulates(elements_of(product->output) * count_of(product->inner),
                              weights * Count(kDequantizeFlops));
}

void gather_blocks(Call& call) {
  const Dims* data = call.dims(0);
  const Dims* indices = call.dims(1);
  if (data == nullptr || indices == nullptr) return call.set_unknown(0, call.type(2));
  const std::size_t axis =
      normal_axis(call, call.attribute("gather_axis", std::int64_t{0}), data->size());
  Dims unpacked = *data;
  unpacked.back() = dim_of(count_of(unpacked.back()) * Count(gathered_pack(call)));
  const auto split = unpacked.begin() + static_cast<std::ptrdiff_t>(axis);
  Dims result(unpacked.begin(), split);
  result.insert(result.end(), indices->begin(), indices->end());
  result.insert(result.end(), split + 1, unpacked.end());
  call.set(0, call.type(2), std::move(result));
}

OperatorWork gather_blocks_work(const Call& call) {
  const Count flops = call.output(0).elements() * Count(kDequantizeFlops);
  const Dim rows = dim_at(call, 0, call.attribute("gather_axis", std::int64_t{0}));
  Count tables = 0;
  for (const std::size_t i : {std::size_t{0}, std::size_t{2}, std::size_t{3}})
    if (call.has_input(i)) tables += call.input(i).bytes();
  const Count gathered = call.input(1).elements() * (tables / count_of(rows));
  return {0, flops, gathered + call.input(1).bytes()};
}

Count attribute_matrix_parameters(const Node& node, std::size_t position,
                                  const StoredTensor& stored) {
  const std::int64_t inner = integer_of(node, "K", 0);
  const std::int64_t outer = integer_of(node, "N", 0);
  if (position != kWeights || inner <= 0 || outer <= 0) return stored.elements();
  return Count(inner) * Count(outer);
}

Count blob_parameters(const Node& node, std::size_t /*position*/, const StoredTensor& stored) {
  // A block is a scale, for one type also an offset, and four bits per element.
  struct BlockType {
    std::int64_t elements;
    std::int64_t bytes;
  };
  constexpr std::array<BlockType, 3> kTypes = {{{32, 20}, {32, 21}, {64, 36}}};
  const std::int64_t number = integer_of(node, "blk_quant_type", 1);
  if (number < 0 || number >= static_cast<std::int64_t>(kTypes.size())) return stored.elements();
  const BlockType& type = kTypes.at(static_cast<std::size_t>(number));
  return stored.elements() / Count(type.bytes) * Count(type.elements);
}

Count float4_parameters(const Node& /*node*/, std::size_t position, const StoredTensor& stored) {
  return position == kWeights ? in_bytes(stored, 4) : stored.elements();
}

Count gathered_parameters(const Node& node, std::size_t /*position*/, const StoredTensor& stored) {
  return in_bytes(stored, integer_of(node, "bits", 4));
}

Count expert_parameters(const Node& node, std::size_t /*position*/, const StoredTensor& stored) {
  return in_bytes(stored, integer_of(node, "expert_weight_bits", 4));
}

}  // namespace jouletree::model
