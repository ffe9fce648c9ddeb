#include <optional>

#include "model/operators/activation_flops.hpp"
#include "model/operators/attention_math.hpp"
#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/recorded_shape.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

constexpr OperatorWork kUnknownWork = {Count::unknown(), Count::unknown()};

Count last_dim(const Call& call, std::size_t position) {
  const Dims* dims = call.dims(position);
  return dims == nullptr || dims->empty() ? Count::unknown() : count_of(dims->back());
}

/// Rows of an input: its elements without the last dimension.
Count rows_of(const Call& call, std::size_t position) {
  const Dims* dims = call.dims(position);
  if (dims == nullptr || dims->empty()) return Count::unknown();
  return elements_of(*dims, 0, dims->size() - 1);
}

/// Inputs: gradient, input, weights. One product as large as the forward one for the gradient of
/// the input and one for that of the weights; that of the bias is a sum.
OperatorWork convolution_grad_work(const Call& call) {
  const Dims* weight = call.dims(2);
  if (weight == nullptr || weight->empty()) return kUnknownWork;
  const bool transposed = call.attribute("transposed", std::int64_t{0}) != 0;
  const Count products = call.attribute("products", std::int64_t{2});
  const Count sums = call.attribute("bias", std::int64_t{0});
  const Count places = call.input(transposed ? 1 : 0).elements();
  return multiply_accumulates(places * elements_of(*weight, 1, weight->size()) * products,
                              call.input(0).elements() * sums);
}

/// Queries, keys and values from position `first` on, of batch x heads x tokens x size, or with
/// tokens before heads. Nothing where sequences of different lengths stand one behind the other.
std::optional<AttentionSizes> head_sizes(const Call& call, std::size_t first) {
  const Dims* query = call.dims(first);
  const Dims* key = call.dims(first + 1);
  const Dims* value = call.dims(first + 2);
  if (query == nullptr || key == nullptr || value == nullptr || query->size() != 4 ||
      key->size() != 4 || value->size() != 4)
    return std::nullopt;
  const auto heads = static_cast<std::size_t>(call.attribute("heads_axis", std::int64_t{1}));
  const std::size_t tokens = heads == 1 ? 2 : 1;
  AttentionSizes sizes;
  sizes.batch = count_of((*query)[0]);
  sizes.heads = count_of((*query)[heads]);
  sizes.kv_heads = count_of((*key)[heads]);
  sizes.queries = count_of((*query)[tokens]);
  sizes.keys = count_of((*key)[tokens]);
  sizes.head_size = count_of((*query)[3]);
  sizes.value_head_size = count_of((*value)[3]);
  return sizes;
}

OperatorWork head_attention_work(const Call& call) {
  const auto sizes = head_sizes(call, 0);
  if (!sizes) return kUnknownWork;
  return attention_work(*sizes, sizes->scores(), {.biased = call.has_input(3)});
}

/// Inputs: gradient, queries, keys, values. The scores are computed again; then the gradients of
/// scores, values, queries and keys are a product each.
OperatorWork attention_grad_work(const Call& call) {
  const auto sizes = head_sizes(call, 1);
  if (!sizes) return kUnknownWork;
  const Count macs =
      sizes->scores() * (sizes->head_size * Count(3) + sizes->value_head_size * Count(2));
  constexpr std::int64_t kPerScore = kSoftmaxFlops + 1 + 4;  // Scaled again, and the gradient.
  return multiply_accumulates(macs, sizes->scores() * Count(kPerScore));
}

/// One product per group of rows, or of columns: all groups together are one product.
OperatorWork grouped_product_work(const Call& call) {
  const Dims* a = call.dims(0);
  const Dims* b = call.dims(1);
  if (a == nullptr || b == nullptr || a->size() < 2 || b->size() < 2) return kUnknownWork;
  const bool batched = a->size() == 3 && b->size() == 3;
  const Count groups = batched ? count_of(a->front()) : Count(1);
  return multiply_accumulates(groups * count_of((*a)[a->size() - 2]) * count_of(a->back()) *
                              count_of(b->back()));
}

/// Weights may be packed, so that only the outputs tell how large the product is.
OperatorWork packed_product_work(const Call& call) {
  return multiply_accumulates(call.output(0).elements() * last_dim(call, 0));
}

/// Inputs: values, then all weights. Every step multiplies with every matrix; biases are added.
/// `times` is 1 forward and 2 backward, for the gradients of inputs and of weights.
template <std::int64_t Times>
OperatorWork recurrent_stack_work(const Call& call) {
  // An activation for every gate, and its part in the new state.
  constexpr std::int64_t kPerGate = kSigmoidFlops + 2;
  const Count steps = rows_of(call, 0);
  Count macs = 0;
  Count gates = 0;
  Count biases = 0;
  const auto weights = static_cast<std::size_t>(call.attribute("weights", std::int64_t{0}));
  for (std::size_t i = 1; i <= weights && i < call.input_count(); ++i) {
    const Dims* dims = call.dims(i);
    if (dims == nullptr) continue;
    if (dims->size() == 2) {
      macs += elements_of(*dims);
      gates += count_of(dims->front());
    } else {
      biases += elements_of(*dims);
    }
  }
  // Both matrices of a layer, for input and state, have a row for every gate.
  const Count others = steps * (gates / Count(2) * Count(kPerGate) + biases);
  return multiply_accumulates(steps * macs * Count(Times), others * Count(Times));
}

/// Gates that were multiplied already: sums with biases, activations, the new cell and state.
template <std::int64_t FlopsPerUnit, std::size_t Unit>
OperatorWork cell_work(const Call& call) {
  return {0, call.input(Unit).elements() * Count(FlopsPerUnit)};
}
constexpr std::int64_t kLstmCellFlops =
    std::int64_t{4} * 3 + 3 * kSigmoidFlops + 2 * kTanhFlops + 4;
constexpr std::int64_t kGruCellFlops = std::int64_t{3} * 3 + 2 * kSigmoidFlops + kTanhFlops + 5;

/// Inputs: tokens, weights of the projections to queries, keys and values, of the output, and those
/// of a feed-forward block where there is one.
OperatorWork whole_attention_work(const Call& call) {
  const Dims* tokens = call.dims(0);
  if (tokens == nullptr || tokens->size() != 3) return kUnknownWork;
  const Count heads = call.attribute("heads", std::int64_t{1});
  AttentionSizes sizes;
  sizes.batch = count_of((*tokens)[0]);
  sizes.heads = heads;
  sizes.queries = sizes.keys = count_of((*tokens)[1]);
  sizes.head_size = sizes.value_head_size = count_of((*tokens)[2]) / heads;
  Count projections = 0;
  Count others = 0;
  const Count rows = rows_of(call, 0);
  for (std::size_t i = 1; i < call.input_count(); ++i) {
    const Dims* dims = call.dims(i);
    if (dims == nullptr || dims->empty() || dims->size() > 2) continue;
    const bool matrix = dims->size() == 2;
    (matrix ? projections : others) += rows * elements_of(*dims);
  }
  return attention_work(sizes, sizes.scores(), {}, projections, others);
}

/// Every pair of rows: a difference, its power, a sum.
OperatorWork distances_work(const Call& call) {
  return {0, call.output(0).elements() * last_dim(call, 0) * Count(3)};
}

/// Three factors for every output, both inputs and all weights, and a sum.
OperatorWork trilinear_work(const Call& call) {
  const Dims* input = call.dims(0);
  if (input == nullptr || input->empty()) return kUnknownWork;
  return {0, count_of(input->front()) * call.input(1).elements() * Count(3)};
}

/// Sums of `length` products.
OperatorWork contraction_work(const Call& call) {
  const std::int64_t length = call.attribute("length", std::int64_t{0});
  if (length <= 0) return kUnknownWork;
  return multiply_accumulates(call.output(0).elements() * Count(length));
}

/// Inputs: two times rows, weights and a bias. Three factors for every pair of elements and every
/// output, and a sum.
OperatorWork bilinear_work(const Call& call) {
  const Count bias = call.has_input(3) ? call.output(0).elements() : Count(0);
  return {0, rows_of(call, 0) * call.input(2).elements() * Count(3) + bias};
}

/// Products and sums of two tensors and of each with itself, along one dimension.
OperatorWork similarity_work(const Call& call) { return {0, call.input(0).elements() * Count(6)}; }

constexpr OperatorFacts kTorchConvolves = {.work = WorkKind::Convolution, .windows = true};
constexpr OperatorFacts kTorchRecurs = {.work = WorkKind::WeightedProduct, .recurs = true};
constexpr OperatorFacts kTorchAttends = {.work = WorkKind::Attention};
constexpr ConstantRoles kTorchWeights = {.weights = slots(0, 1, 2)};
constexpr ConstantRoles kBehindValues = {.weights = kAllSlots & ~slots(0)};

constexpr OperatorRow kTorchProductRows[] = {
    {kTorch, "ConvGrad", as_recorded, convolution_grad_work, {}, kTorchConvolves},
    {kTorch, "HeadAttention", as_recorded, head_attention_work, {}, kTorchAttends},
    {kTorch, "AttentionGrad", as_recorded, attention_grad_work, {}, kTorchAttends},
    {kTorch, "TransformerLayer", as_recorded, whole_attention_work, {}, kTorchAttends},
    {kTorch, "GroupedMatMul", as_recorded, grouped_product_work, kTorchWeights, kWeightedProducts},
    {kTorch, "PackedMatMul", as_recorded, packed_product_work, kTorchWeights, kWeightedProducts},
    {kTorch, "RecurrentStack", as_recorded, recurrent_stack_work<1>, kBehindValues, kTorchRecurs},
    {kTorch, "RecurrentStackGrad", as_recorded, recurrent_stack_work<2>, {}, kTorchRecurs},
    {kTorch, "LstmCell", as_recorded, cell_work<kLstmCellFlops, 2>},
    {kTorch, "LstmCellGrad", as_recorded, cell_work<kLstmCellFlops, 0>},
    {kTorch, "GruCell", as_recorded, cell_work<kGruCellFlops, 2>},
    {kTorch, "GruCellGrad", as_recorded, cell_work<kGruCellFlops, 0>},
    {kTorch, "Distances", as_recorded, distances_work},
    {kTorch, "Trilinear", as_recorded, trilinear_work},
    {kTorch, "Bilinear", as_recorded, bilinear_work, {.weights = slots(2, 3)}},
    {kTorch, "Contraction", as_recorded, contraction_work, kTorchWeights, kWeightedProducts},
    {kTorch, "Similarity", as_recorded, similarity_work},
};

}  // namespace

std::span<const OperatorRow> torch_product_rows() { return kTorchProductRows; }

}  // namespace jouletree::model
