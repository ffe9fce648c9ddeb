#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "model/operators/activation_flops.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/einsum.hpp"
#include "model/operators/families.hpp"
#include "model/operators/mixture_of_experts.hpp"
#include "model/operators/packed_weights.hpp"
#include "model/operators/quantization_flops.hpp"
#include "model/operators/shape_math.hpp"
#include "model/operators/type_attribute.hpp"

namespace jouletree::model {
namespace {

bool flag(const Call& call, const char* name) { return call.attribute(name, std::int64_t{0}) != 0; }

/// The operand as the product sees it. Vectors stay as they are.
Dims arranged(Dims dims, bool transposed, bool batch_transposed) {
  if (batch_transposed && dims.size() > 2)
    std::rotate(dims.begin(), dims.begin() + 1, dims.end() - 1);
  if (transposed && dims.size() > 1) std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
  return dims;
}

/// Nothing where a rank is unknown.
using Product = std::optional<MatmulDims>;

template <std::size_t A, std::size_t B>
Product product(const Call& call) {
  if (call.dims(A) == nullptr || call.dims(B) == nullptr) return std::nullopt;
  return matmul_dims(call, *call.dims(A), *call.dims(B));
}

Product fused_product(const Call& call) {
  if (call.dims(0) == nullptr || call.dims(1) == nullptr) return std::nullopt;
  return matmul_dims(call, arranged(*call.dims(0), flag(call, "transA"), flag(call, "transBatchA")),
                     arranged(*call.dims(1), flag(call, "transB"), flag(call, "transBatchB")));
}

template <std::size_t A, std::size_t B>
Product gemm_product(const Call& call) {
  for (const std::size_t i : {A, B}) {
    if (call.dims(i) == nullptr) return std::nullopt;
    if (call.dims(i)->size() != 2) {
      call.fail(
          fmt::format("it multiplies matrices, but an input is {}", to_string(*call.dims(i))));
    }
  }
  return matmul_dims(call, arranged(*call.dims(A), flag(call, "transA"), false),
                     arranged(*call.dims(B), flag(call, "transB"), false));
}

void set_product(Call& call, const Product& product, DataType type) {
  if (!product) return call.set_unknown(0, type);
  call.set(0, type, product->output);
}

/// `extra` operations on each element of the output.
OperatorWork product_work(const Product& product, std::int64_t extra, Count others = 0) {
  if (!product) return {Count::unknown(), Count::unknown()};
  const Count outputs = elements_of(product->output);
  return multiply_accumulates(outputs * count_of(product->inner), outputs * Count(extra) + others);
}

void matmul(Call& call) { set_product(call, product<0, 1>(call), call.type(0)); }
OperatorWork matmul_work(const Call& call) { return product_work(product<0, 1>(call), 0); }

void fused_matmul(Call& call) { set_product(call, fused_product(call), call.type(0)); }

OperatorWork fused_matmul_work(const Call& call) {
  const int scaling = call.attribute("alpha", 1.0) != 1.0 ? 1 : 0;
  return product_work(fused_product(call),
                      scaling + fused_activation_flops(call.attribute("activation", "")));
}

/// Until opset 6 an attribute said how the addend is broadcast.
void check_addend(const Call& call, const Dims& output, const Dims& addend) {
  if (call.node().domain.empty() && call.opset() < 7) return;
  const Dims sum = broadcast(call, output, addend);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (sum.size() != output.size() || (output[i] != kUnknownDim && sum[i] != output[i]))
      call.fail(fmt::format("cannot add {} to {}", to_string(addend), to_string(output)));
  }
}

void gemm(Call& call) {
  const Product dims = gemm_product<0, 1>(call);
  if (dims && call.dims(2) != nullptr) check_addend(call, dims->output, *call.dims(2));
  set_product(call, dims, call.type(0));
}

OperatorWork gemm_work(const Call& call) {
  const int scaling = call.attribute("alpha", 1.0) != 1.0 ? 1 : 0;
  const double beta = call.attribute("beta", 1.0);
  const bool adds = call.has_input(2) && beta != 0.0;
  const bool scales_addend = adds && beta != 1.0;
  return product_work(
      gemm_product<0, 1>(call),
      scaling + (adds ? 1 : 0) + fused_activation_flops(call.attribute("activation", "")),
      scales_addend ? call.input(2).elements() : Count(0));
}

void gemm_float8(Call& call) {
  set_product(call, gemm_product<0, 1>(call), type_attribute(call, "dtype", DataType::Float32));
}

void quantized_gemm(Call& call) {
  const bool quantized = call.has_input(7) && call.has_input(8);
  set_product(call, gemm_product<0, 3>(call), quantized ? call.type(8) : DataType::Float32);
}

OperatorWork quantized_gemm_work(const Call& call) {
  const std::int64_t conversion = call.has_input(7) ? kQuantizeFlops : 1;
  return product_work(gemm_product<0, 3>(call), conversion + (call.has_input(6) ? 1 : 0));
}

OperatorWork gelu_gemm_work(const Call& call) {
  return product_work(product<0, 1>(call), kTanhGeluFlops + (call.has_input(2) ? 1 : 0));
}

void integer_matmul(Call& call) { set_product(call, product<0, 1>(call), DataType::Int32); }

void short_integer_matmul(Call& call) {
  const bool is_unsigned = call.type(0) == DataType::UInt16 && call.type(1) == DataType::UInt16;
  set_product(call, product<0, 1>(call), is_unsigned ? DataType::UInt32 : DataType::Int32);
}

void quantized_matmul(Call& call) { set_product(call, product<0, 3>(call), call.type(7)); }

OperatorWork quantized_matmul_work(const Call& call) {
  return product_work(product<0, 3>(call), kQuantizeFlops);
}

void integer_to_float_matmul(Call& call) { set_product(call, product<0, 1>(call), call.type(2)); }

OperatorWork integer_to_float_matmul_work(const Call& call) {
  return product_work(product<0, 1>(call), call.has_input(6) ? 2 : 1);
}

OperatorWork dynamic_quantize_matmul_work(const Call& call) {
  return product_work(product<0, 1>(call), call.has_input(4) ? 2 : 1,
                      call.input(0).elements() * Count(kDynamicQuantizeFlops));
}

void ordered_matmul(Call& call) { set_product(call, product<0, 2>(call), call.type(0)); }

OperatorWork ordered_matmul_work(const Call& call) {
  return product_work(product<0, 2>(call),
                      kQuantizeFlops + (call.has_input(5) ? 1 : 0) + (call.has_input(6) ? 2 : 0));
}

void sparse_matmul(Call& call) { set_product(call, fused_product(call), call.type(1)); }

/// How many elements a sparse matrix has is not part of its type.
OperatorWork sparse_matmul_work(const Call& call) {
  if (call.input(0).kind == ValueKind::SparseTensor) return {Count::unknown(), Count::unknown()};
  return fused_matmul_work(call);
}

/// The side of square matrices and how many there are.
struct Squares {
  Count side = Count::unknown();
  Count number = Count::unknown();
};

Squares squares(const Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return {};
  if (dims->size() < 2) call.fail(fmt::format("its input {} is not a matrix", to_string(*dims)));
  const Dim side = same_dim(call, dims->back(), (*dims)[dims->size() - 2], "rows and columns");
  return {count_of(side), elements_of(*dims, 0, dims->size() - 2)};
}

void determinant(Call& call) {
  (void)squares(call);
  ValueType type = call.input(0);
  if (type.dims) type.dims->resize(type.dims->size() - 2);
  call.set(0, std::move(type));
}

/// An LU decomposition.
OperatorWork determinant_work(const Call& call) {
  const auto [side, number] = squares(call);
  return {0, number * (side * side * side * Count(2) / Count(3))};
}

void inverse(Call& call) {
  (void)squares(call);
  same_as_input(call);
}

OperatorWork inverse_work(const Call& call) {
  const auto [side, number] = squares(call);
  return {0, number * side * side * side * Count(2)};
}

/// Rows against rows: a product whose terms are differences.
Product distances(const Call& call) {
  if (call.dims(0) == nullptr || call.dims(1) == nullptr) return std::nullopt;
  return matmul_dims(call, *call.dims(0), arranged(*call.dims(1), true, false));
}

void pairwise_distance(Call& call) { set_product(call, distances(call), call.type(0)); }

OperatorWork pairwise_distance_work(const Call& call) {
  const Product pairs = distances(call);
  if (!pairs) return {Count::unknown(), Count::unknown()};
  const bool root = call.attribute("metric", "sqeuclidean") == "euclidean";
  return product_work(pairs, root ? 1 : 0, elements_of(pairs->output) * count_of(pairs->inner));
}

constexpr ConstantRoles kFactors = {.weights = slots(0, 1)};
constexpr ConstantRoles kGemm = {.weights = slots(0, 1, 2)};
constexpr ConstantRoles kIntegerOperands = {.weights = slots(0, 1), .settings = slots(2, 3)};
constexpr ConstantRoles kQuantizedOperands = {.weights = slots(0, 3),
                                              .settings = slots(1, 2, 4, 5, 6, 7)};
constexpr ConstantRoles kFloat8Gemm = {.weights = slots(0, 1, 2), .settings = slots(3, 4, 5)};
constexpr ConstantRoles kQuantizedGemm = {.weights = slots(0, 3, 6),
                                          .settings = slots(1, 2, 4, 5, 7, 8)};
constexpr ConstantRoles kScaledIntegers = {.weights = slots(0, 1, 6),
                                           .settings = slots(2, 3, 4, 5)};
constexpr ConstantRoles kDynamic = {.weights = slots(1, 4), .settings = slots(2, 3)};
constexpr ConstantRoles kOrdered = {.weights = slots(0, 2, 5), .settings = slots(1, 3, 4, 7)};
constexpr ConstantRoles kFewBits = {.weights = slots(1, 5), .settings = slots(2, 3, 4)};
constexpr ConstantRoles kPacked = {.weights = slots(1), .settings = slots(2)};
constexpr ConstantRoles kFloat8Weights = {.weights = slots(1, 4), .settings = slots(2, 3)};
constexpr ConstantRoles kGatheredProduct = {.weights = slots(0), .settings = slots(2, 3)};
constexpr ConstantRoles kExperts = {.weights = slots(2, 3, 4, 5, 6, 7)};
constexpr ConstantRoles kQuantizedExperts = {
    .weights = slots(2, 4, 5, 7, 8, 10),
    .settings = slots(3, 6, 9, 11, 12, 13, 15, 16, 17, 18, 19, 20)};

constexpr ParameterRules kMatrixOfAttributes = {attribute_matrix_parameters};
constexpr ParameterRules kBlob = {blob_parameters};
constexpr ParameterRules kFloat4 = {float4_parameters};
constexpr ParameterRules kPackedRows = {gathered_parameters};
constexpr ParameterRules kPackedExperts = {expert_parameters};

constexpr OperatorFacts kFusedMatMul = {
    .work = WorkKind::Product, .costs_like = "MatMul", .axes = AxisFlow::Product};
constexpr OperatorFacts kFusedGemm = {
    .work = WorkKind::WeightedProduct, .costs_like = "Gemm", .axes = AxisFlow::Product};
/// Of an input and a matrix that lies as in the definition of the product.
constexpr OperatorFacts kPlainProduct = {.work = WorkKind::Product, .axes = AxisFlow::Product};
constexpr OperatorFacts kPlainLayer = {.work = WorkKind::WeightedProduct,
                                       .axes = AxisFlow::Product};
constexpr OperatorFacts kNarrowProduct = {
    .work = WorkKind::Product, .axes = AxisFlow::Product, .narrow = true};
constexpr OperatorFacts kNarrowLayer = {
    .work = WorkKind::WeightedProduct, .axes = AxisFlow::Product, .narrow = true};
constexpr OperatorFacts kNarrowOtherwise = {.work = WorkKind::Product, .narrow = true};
/// Weights of few bits, packed.
constexpr OperatorFacts kNarrowWeights = {.work = WorkKind::WeightedProduct, .narrow = true};
constexpr OperatorFacts kExpertsInPlace = {.overwrites = slots(0),
                                           .work = WorkKind::WeightedProduct};
constexpr Lookup kQuantizedRows[] = {{.indices = 1, .table = 0, .axis_attribute = "gather_axis"}};
constexpr OperatorFacts kPicksBlocks = {.lookups = kQuantizedRows, .picks = true};

constexpr OperatorRow kMatmulRows[] = {
    {kOnnx, "MatMul", matmul, matmul_work, kFactors, kPlainProduct},
    {kOnnx, "Gemm", gemm, gemm_work, kGemm, kPlainLayer},
    {kOnnx, "MatMulInteger", integer_matmul, matmul_work, kIntegerOperands, kNarrowProduct},
    {kOnnx, "QLinearMatMul", quantized_matmul, quantized_matmul_work, kQuantizedOperands,
     kNarrowProduct},
    {kOnnx, "Einsum", einsum, einsum_work, {.weights = kAllSlots}, kProducts},
    {kOnnx, "Det", determinant, determinant_work},

    {kMicrosoft, "FusedMatMul", fused_matmul, fused_matmul_work, kFactors, kFusedMatMul},
    {kMicrosoft, "TransposeMatMul", fused_matmul, fused_matmul_work, kFactors, kFusedMatMul},
    {kMicrosoft, "FusedMatMulActivation", fused_matmul, fused_matmul_work, kFactors, kFusedMatMul},
    {kMicrosoft, "FusedGemm", gemm, gemm_work, kGemm, kFusedGemm},
    {kMicrosoft, "GemmFastGelu", matmul, gelu_gemm_work, kGemm, kPlainLayer},
    {kMicrosoft, "GemmFloat8", gemm_float8, gemm_work, kFloat8Gemm, kNarrowLayer},
    {kMicrosoft, "QGemm", quantized_gemm, quantized_gemm_work, kQuantizedGemm, kNarrowLayer},
    {kMicrosoft, "MatMulInteger16", short_integer_matmul, matmul_work, kFactors, kPlainProduct},
    {kMicrosoft, "MatMulIntegerToFloat", integer_to_float_matmul, integer_to_float_matmul_work,
     kScaledIntegers, kNarrowProduct},
    {kMicrosoft, "DynamicQuantizeMatMul", matmul, dynamic_quantize_matmul_work, kDynamic,
     kNarrowProduct},
    {kMicrosoft, "QOrderedMatMul", ordered_matmul, ordered_matmul_work, kOrdered, kNarrowOtherwise},
    {kMicrosoft, "SparseToDenseMatMul", sparse_matmul, sparse_matmul_work, kFactors, kProducts},
    {kMicrosoft, "Inverse", inverse, inverse_work},
    {kMicrosoft, "CDist", pairwise_distance, pairwise_distance_work, {}, kProducts},

    {kMicrosoft, "MatMulNBits", few_bits_matmul, few_bits_matmul_work, kFewBits, kNarrowWeights,
     kMatrixOfAttributes},
    {kMicrosoft, "MatMulBnb4", four_bit_matmul, four_bit_matmul_work, kPacked, kNarrowWeights,
     kMatrixOfAttributes},
    {kMicrosoft, "MatMulFpQ4", blob_matmul, blob_matmul_work, kPacked, kNarrowWeights, kBlob},
    {kMicrosoft, "MatMulBlockQuantizedFp4Weight", float4_matmul, float4_matmul_work, kFewBits,
     kNarrowWeights, kFloat4},
    {kMicrosoft, "MatMulBlockQuantizedFp8Weight", float8_matmul, float8_matmul_work, kFloat8Weights,
     kNarrowWeights},
    {kMicrosoft, "GatherBlockQuantized", gather_blocks, gather_blocks_work, kGatheredProduct,
     kPicksBlocks, kPackedRows},

    {kMicrosoft, "MoE", experts, experts_work, kExperts, kExpertsInPlace},
    {kMicrosoft, "QMoE", experts, quantized_experts_work, kQuantizedExperts, kNarrowWeights,
     kPackedExperts},
};

}  // namespace

std::span<const OperatorRow> matmul_rows() { return kMatmulRows; }

}  // namespace jouletree::model
