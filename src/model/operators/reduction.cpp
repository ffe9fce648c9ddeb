#include <algorithm>

#include <fmt/format.h>

#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/loss.hpp"
#include "model/operators/number_operation.hpp"
#include "model/operators/shape_math.hpp"
#include "model/operators/value_math.hpp"

namespace jouletree::model {
namespace {

/// Which dimensions are reduced; `keep` leaves them with size one.
struct Reduction {
  std::vector<bool> reduced;
  bool keep = true;
};

Dims reduced_dims(const Dims& input, const Reduction& reduction) {
  Dims result;
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (!reduction.reduced[i]) {
      result.push_back(input[i]);
    } else if (reduction.keep) {
      result.push_back(1);
    }
  }
  return result;
}

/// Nothing where the axes depend on data.
std::optional<Reduction> reduction_of(const Call& call, std::size_t rank) {
  Reduction result{std::vector<bool>(rank, false),
                   call.attribute("keepdims", std::int64_t{1}) != 0};
  // The engines let any axis pass on a scalar.
  if (rank == 0) return result;
  const AxesArgument argument = axes_argument(call, "axes", 1);
  if (!argument.known) return std::nullopt;
  if (argument.axes && !argument.axes->empty()) {
    for (const std::size_t axis : normal_axes(call, *argument.axes, rank))
      result.reduced[axis] = true;
  } else if (call.attribute("noop_with_empty_axes", std::int64_t{0}) == 0) {
    result.reduced.assign(rank, true);
  }
  return result;
}

std::optional<Reduction> set_reduced(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) {
    call.set_unknown(0, call.type(0));
    return std::nullopt;
  }
  auto reduction = reduction_of(call, dims->size());
  if (reduction) {
    call.set(0, call.type(0), reduced_dims(*dims, *reduction));
  } else if (call.attribute("keepdims", std::int64_t{1}) != 0) {
    Dims unknown = *dims;
    for (Dim& dim : unknown) dim = dim == 1 ? 1 : kUnknownDim;
    call.set(0, call.type(0), std::move(unknown));
  } else {
    call.set_unknown(0, call.type(0));
  }
  return reduction;
}

void reduce(Call& call) { static_cast<void>(set_reduced(call)); }

/// For every element of the input, the element of the output that it goes into.
std::vector<std::size_t> targets_of(const Dims& input, const Reduction& reduction) {
  std::vector<std::size_t> strides(input.size(), 0);
  std::size_t stride = 1;
  for (std::size_t i = input.size(); i-- > 0;) {
    if (reduction.reduced[i]) continue;
    strides[i] = stride;
    stride *= static_cast<std::size_t>(input[i]);
  }
  std::vector<std::size_t> targets{0};
  for (std::size_t i = 0; i < input.size(); ++i) {
    std::vector<std::size_t> deeper;
    deeper.reserve(targets.size() * static_cast<std::size_t>(input[i]));
    for (const std::size_t target : targets) {
      for (std::size_t at = 0; at < static_cast<std::size_t>(input[i]); ++at)
        deeper.push_back(target + at * strides[i]);
    }
    targets = std::move(deeper);
  }
  return targets;
}

std::optional<Elements> fold_reduced(const Call& call, const Reduction& reduction,
                                     const NumberOperation& operation) {
  const Dims* dims = call.dims(0);
  // Large uint64 numbers are negative as Scalars.
  if (dims == nullptr || call.type(0) == DataType::UInt64) return std::nullopt;
  const auto content = spread_content(call, 0, *dims);
  // What is left of nothing differs between the reductions and never steers a shape.
  if (!content || content->empty()) return std::nullopt;
  const std::vector<std::size_t> targets = targets_of(*dims, reduction);
  Elements result(*std::max_element(targets.begin(), targets.end()) + 1);
  std::vector<bool> begun(result.size(), false);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    Scalar& total = result[targets[i]];
    total = begun[targets[i]] ? operation(total, (*content)[i], call.type(0)) : (*content)[i];
    begun[targets[i]] = true;
  }
  return result;
}

template <const NumberOperation& Operation>
void reduce_content(Call& call) {
  const auto reduction = set_reduced(call);
  if (!reduction) return;
  const DataType type = call.output(0).type;
  auto result = fold_reduced(call, *reduction, Operation);
  if (!result) return;
  for (Scalar& element : *result) element = rounded(element, type);
  set_known(call, std::move(*result));
}

void reduce_mean(Call& call) {
  const auto reduction = set_reduced(call);
  if (!reduction) return;
  const DataType type = call.output(0).type;
  auto result = fold_reduced(call, *reduction, kAdd);
  if (!result) return;
  const std::int64_t share =
      call.input(0).elements().value() / static_cast<std::int64_t>(result->size());
  for (Scalar& element : *result) {
    if (!element.known()) continue;
    element = is_floating(type)
                  ? rounded(Scalar::real(element.as_real() / static_cast<double>(share)), type)
                  : Scalar::integer(element.as_integer() / share);
  }
  set_known(call, std::move(*result));
}

void arg_extreme(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, DataType::Int64);
  if (dims->empty()) return call.set(0, DataType::Int64, {});
  Reduction reduction{std::vector<bool>(dims->size(), false),
                      call.attribute("keepdims", std::int64_t{1}) != 0};
  reduction.reduced[normal_axis(call, call.attribute("axis", std::int64_t{0}), dims->size())] =
      true;
  call.set(0, DataType::Int64, reduced_dims(*dims, reduction));
}

/// Running results of `operation`, which `neutral` leaves as they are, along an axis of a tensor
/// that holds at least one element.
void accumulate_along(Elements& elements, const Dims& dims, std::size_t axis, const Call& call,
                      const NumberOperation& operation, const Scalar& neutral) {
  const bool exclusive = call.attribute("exclusive", std::int64_t{0}) != 0;
  const bool reverse = call.attribute("reverse", std::int64_t{0}) != 0;
  const auto length = static_cast<std::size_t>(dims[axis]);
  const auto step = static_cast<std::size_t>(strides_of(dims)[axis]);
  for (std::size_t first = 0; first < elements.size(); ++first) {
    if (first / step % length != 0) continue;
    Scalar total = neutral;
    for (std::size_t i = 0; i < length; ++i) {
      Scalar& element = elements[first + (reverse ? length - 1 - i : i) * step];
      const Scalar before = total;
      total = rounded(operation(total, element, call.type(0)), call.type(0));
      element = exclusive ? before : total;
    }
  }
}

template <const NumberOperation& Operation, std::int64_t Neutral>
void accumulate(Call& call) {
  same_as_input(call);
  const Dims* dims = call.dims(0);
  const auto axis = call.integer(1);
  if (dims == nullptr || dims->empty() || !axis) return;
  const std::size_t normal = normal_axis(call, *axis, dims->size());
  auto content = spread_content(call, 0, *dims);
  if (!content || content->empty()) return;
  const Scalar neutral = rounded(Scalar::integer(Neutral), call.type(0));
  accumulate_along(*content, *dims, normal, call, Operation, neutral);
  set_known(call, std::move(*content));
}

std::optional<std::int64_t> wanted_count(const Call& call) {
  if (call.has_attribute("k")) return call.attribute("k", std::int64_t{0});
  return call.integer(1);
}

void top_k(Call& call) {
  const Dims* dims = call.dims(0);
  if (dims == nullptr) {
    call.set_unknown(0, call.type(0));
    return call.set_unknown(1, DataType::Int64);
  }
  const std::size_t axis =
      normal_axis(call, call.attribute("axis", std::int64_t{-1}), dims->size());
  const auto count = wanted_count(call);
  const Dim available = (*dims)[axis];
  if (count && *count < 0) call.fail(fmt::format("cannot take the top {}", *count));
  if (count && available != kUnknownDim && *count > available)
    call.fail(fmt::format("cannot take the top {} of {}", *count, available));
  Dims result = *dims;
  result[axis] = count.value_or(kUnknownDim);
  const DataType type = call.type(0);
  call.set(0, type, result);
  call.set(1, DataType::Int64, std::move(result));
}

template <std::int64_t PerInput, std::int64_t PerOutput>
OperatorWork reduction_work(const Call& call) {
  return {
      0, call.input(0).elements() * Count(PerInput) + call.output(0).elements() * Count(PerOutput)};
}

constexpr CostRule kOnePerInput = per_input_element<1>;
constexpr ConstantRoles kAxes{.settings = slots(1)};

constexpr OperatorRow kReductionRows[] = {
    {kOnnx, "ReduceSum", reduce_content<kAdd>, kOnePerInput, kAxes},
    {kOnnx, "ReduceProd", reduce_content<kMul>, kOnePerInput, kAxes},
    {kOnnx, "ReduceMax", reduce_content<kMax>, kOnePerInput, kAxes},
    {kOnnx, "ReduceMin", reduce_content<kMin>, kOnePerInput, kAxes},
    {kOnnx, "ReduceMean", reduce_mean, reduction_work<1, 1>, kAxes},
    {kOnnx, "ReduceL1", reduce, reduction_work<2, 0>, kAxes},
    {kOnnx, "ReduceL2", reduce, reduction_work<2, 1>, kAxes},
    {kOnnx, "ReduceLogSum", reduce, reduction_work<1, 1>, kAxes},
    {kOnnx, "ReduceLogSumExp", reduce, reduction_work<2, 1>, kAxes},
    {kOnnx, "ReduceSumSquare", reduce, reduction_work<2, 0>, kAxes},
    {kOnnx, "ArgMax", arg_extreme, kOnePerInput},
    {kOnnx, "ArgMin", arg_extreme, kOnePerInput},
    {kOnnx, "CumSum", accumulate<kAdd, 0>, kOnePerInput, kAxes},
    {kOnnx, "CumProd", accumulate<kMul, 1>, kOnePerInput, kAxes},
    {kOnnx, "TopK", top_k, kOnePerInput, kAxes, kSearches},
    {kOnnx, "NegativeLogLikelihoodLoss", likelihood_loss, likelihood_loss_work, kClassWeights},
    {kOnnx, "SoftmaxCrossEntropyLoss", cross_entropy_loss, cross_entropy_loss_work, kClassWeights},
};

}  // namespace

std::span<const OperatorRow> reduction_rows() { return kReductionRows; }

}  // namespace jouletree::model
