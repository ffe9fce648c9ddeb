#include <algorithm>
#include <type_traits>

#include <fmt/format.h>

#include "model/inference/constants.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/range.hpp"
#include "model/operators/shape_math.hpp"
#include "model/operators/type_attribute.hpp"
#include "model/operators/value_math.hpp"

namespace jouletree::model {
namespace {

/// More dimensions than any engine has; a rank beyond is not spelt out.
constexpr Dim kMaxRank = 1024;

void require_sizes(const Call& call, const Dims& dims) {
  if (std::any_of(dims.begin(), dims.end(), [](Dim dim) { return dim < 0; }))
    call.fail("it would create a tensor with a negative size");
}

const StoredTensor* tensor_attribute(const Call& call, std::string_view name) {
  const Attribute* found = call.node().attribute(name);
  return found == nullptr || found->tensors.empty() ? nullptr : &found->tensors.front();
}

std::optional<Elements> content_of(const StoredTensor& tensor) {
  // Attributes have no data outside the model file.
  return tensor.external ? std::nullopt : load_content(tensor, {});
}

template <class Number>
void set_list(Call& call, DataType type, Dims dims, const std::vector<Number>& list) {
  call.set(0, type, std::move(dims));
  if (list.size() > static_cast<std::size_t>(kMaxElements)) return;
  Elements elements;
  elements.reserve(list.size());
  for (const Number number : list) {
    if constexpr (std::is_integral_v<Number>) {
      elements.push_back(Scalar::integer(number));
    } else {
      elements.push_back(Scalar::real(number));
    }
  }
  call.set_content(0, std::move(elements));
}

bool set_plain_constant(Call& call, const Attribute& given) {
  const auto length = [](const auto& list) { return Dims{static_cast<Dim>(list.size())}; };
  if (given.name == "value_int") {
    set_list<std::int64_t>(call, DataType::Int64, {}, {given.integer});
  } else if (given.name == "value_ints") {
    set_list(call, DataType::Int64, length(given.integers), given.integers);
  } else if (given.name == "value_float") {
    set_list<float>(call, DataType::Float32, {}, {given.real});
  } else if (given.name == "value_floats") {
    set_list(call, DataType::Float32, length(given.reals), given.reals);
  } else if (given.name == "value_string") {
    call.set(0, DataType::String, {});
  } else if (given.name == "value_strings") {
    call.set(0, DataType::String, length(given.texts));
  } else {
    return false;
  }
  return true;
}

void constant(Call& call) {
  for (const char* name : {"value", "sparse_value"}) {
    const StoredTensor* tensor = tensor_attribute(call, name);
    if (tensor == nullptr) continue;
    call.set(0, tensor->type, tensor->dims);
    if (auto content = content_of(*tensor)) call.set_content(0, std::move(*content));
    return;
  }
  for (const Attribute& given : call.node().attributes)
    if (set_plain_constant(call, given)) return;
  call.fail("it has no value");
}

/// The shape that the first input holds; single sizes may be unknown.
std::optional<Dims> wanted_dims(const Call& call) {
  if (const Elements* sizes = call.content(0)) {
    Dims dims;
    for (const Scalar& size : *sizes) {
      dims.push_back(size.known() ? size.as_integer() : kUnknownDim);
      if (size.known() && dims.back() < 0) require_sizes(call, dims);
    }
    return dims;
  }
  const Dims* dims = call.dims(0);
  if (dims == nullptr || dims->size() != 1) return std::nullopt;
  if (dims->front() == kUnknownDim || dims->front() > kMaxRank) return std::nullopt;
  return Dims(static_cast<std::size_t>(dims->front()), kUnknownDim);
}

void constant_of_shape(Call& call) {
  DataType type = DataType::Float32;
  Scalar fill = Scalar::real(0);
  if (const StoredTensor* value = tensor_attribute(call, "value")) {
    type = value->type;
    const auto content = content_of(*value);
    fill = content && !content->empty() ? content->front() : Scalar();
  }
  auto dims = wanted_dims(call);
  if (!dims) return call.set_unknown(0, type);
  call.set(0, type, std::move(*dims));
  const Count count = call.output(0).elements();
  if (count.known() && count.value() <= kMaxElements)
    set_known(call, Elements(static_cast<std::size_t>(count.value()), fill));
}

void eye_like(Call& call) {
  const DataType type = type_attribute(call, "dtype", call.type(0));
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set(0, type, {kUnknownDim, kUnknownDim});
  if (dims->size() != 2)
    call.fail(fmt::format("it needs a matrix, but its input is {}", to_string(*dims)));
  call.set(0, type, *dims);
}

void set_one_hot_content(Call& call, std::size_t axis, std::int64_t depth) {
  const Count total = call.output(0).elements();
  if (!total.known() || total.value() > kMaxElements) return;
  if (!call.has_content(0) || !call.has_content(2)) return;
  const Elements* indices = call.content(0);
  const Elements* values = call.content(2);
  if (indices == nullptr || values == nullptr || values->size() != 2) return;
  const Dims& dims = *call.dims(0);
  const std::int64_t inner = elements_of(dims, axis, dims.size()).value_or(0);
  Elements result;
  result.reserve(static_cast<std::size_t>(total.value()));
  for (std::int64_t flat = 0; flat < total.value(); ++flat) {
    const std::int64_t level = flat / inner % depth;
    const auto at = static_cast<std::size_t>(flat / inner / depth * inner + flat % inner);
    const Scalar index = at < indices->size() ? (*indices)[at] : Scalar();
    const std::int64_t wanted = index.known() ? index.as_integer() : 0;
    const bool hot = wanted == level || (wanted < 0 && wanted + depth == level);
    result.push_back(index.known() ? (*values)[hot ? 1 : 0] : Scalar());
  }
  set_known(call, std::move(result));
}

void one_hot(Call& call) {
  const Dims* indices = call.dims(0);
  const auto depth = call.integer(1);
  if (depth && *depth <= 0) call.fail(fmt::format("its depth is {}", *depth));
  if (indices == nullptr) return call.set_unknown(0, call.type(2));
  Dims dims = *indices;
  const std::size_t axis =
      normal_axis(call, call.attribute("axis", std::int64_t{-1}), dims.size() + 1);
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), depth.value_or(kUnknownDim));
  call.set(0, call.type(2), std::move(dims));
  if (depth) set_one_hot_content(call, axis, *depth);
}

void random_of_shape(Call& call) {
  auto shape = call.attribute_integers("shape");
  if (!shape) call.fail("it lacks its attribute 'shape'");
  require_sizes(call, *shape);
  call.set(0, type_attribute(call, "dtype", DataType::Float32), std::move(*shape));
}

void random_like(Call& call) {
  const DataType type = type_attribute(call, "dtype", call.type(0));
  if (const Dims* dims = call.dims(0)) return call.set(0, type, *dims);
  call.set_unknown(0, type);
}

void multinomial(Call& call) {
  const DataType type = type_attribute(call, "dtype", DataType::Int32);
  const std::int64_t samples = call.attribute("sample_size", std::int64_t{1});
  if (samples < 0) call.fail(fmt::format("it cannot draw {} samples", samples));
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set(0, type, {kUnknownDim, samples});
  if (dims->size() != 2)
    call.fail(fmt::format("it needs a batch of classes, but its input is {}", to_string(*dims)));
  call.set(0, type, {dims->front(), samples});
}

/// Only the shape of the input counts.
template <std::int64_t FlopsPerElement>
OperatorWork reads_nothing(const Call& call) {
  return {0, call.output(0).elements() * Count(FlopsPerElement), Count(0)};
}

/// Per class: find the maximum, subtract it, raise, add up. Per sample: draw and scale.
OperatorWork multinomial_work(const Call& call) {
  return {0, call.input(0).elements() * Count(4) + call.output(0).elements() * Count(2)};
}

/// Draw, scale and shift.
constexpr std::int64_t kPerRandom = 3;
constexpr ConstantRoles kSettings{.settings = kAllSlots};
constexpr ConstantRoles kDepthAndValues{.settings = slots(1, 2)};

constexpr OperatorFacts kRandomValues = {.random = true};

constexpr OperatorRow kCreationRows[] = {
    {kOnnx, "Constant", constant, no_work},
    {kOnnx, "ConstantOfShape", constant_of_shape, only_moves, kSettings},
    {kOnnx, "Range", range, per_output_element<1>, kSettings},
    {kMicrosoft, "Range", range, per_output_element<1>, kSettings},
    {kOnnx, "EyeLike", eye_like, reads_nothing<0>, kSettings},
    {kOnnx, "OneHot", one_hot, only_moves, kDepthAndValues},
    {kOnnx, "RandomNormal", random_of_shape, per_output_element<kPerRandom>, {}, kRandomValues},
    {kOnnx, "RandomUniform", random_of_shape, per_output_element<kPerRandom>, {}, kRandomValues},
    {kOnnx, "RandomNormalLike", random_like, reads_nothing<kPerRandom>, kSettings, kRandomValues},
    {kOnnx, "RandomUniformLike", random_like, reads_nothing<kPerRandom>, kSettings, kRandomValues},
    {kOnnx, "Bernoulli", random_like, per_output_element<2>, {}, kRandomValues},
    {kOnnx, "Multinomial", multinomial, multinomial_work, {}, kRandomValues},
};

}  // namespace

std::span<const OperatorRow> creation_rows() { return kCreationRows; }

}  // namespace jouletree::model
