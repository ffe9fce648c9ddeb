#include "model/operators/value_math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/operators/moves.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

/// A binary floating-point format with subnormal numbers.
struct Format {
  int digits;        ///< Of the significand, with the hidden one.
  int min_exponent;  ///< Of the smallest normal number, as frexp counts it.
  int max_exponent;  ///< Of the largest number.
};
constexpr Format kHalf{11, -13, 16};
constexpr Format kBrain{8, -125, 128};

double round_to(double value, const Format& format) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int shift = format.digits - std::max(exponent, format.min_exponent);
  const double result = std::ldexp(std::nearbyint(std::ldexp(value, shift)), -shift);
  std::frexp(result, &exponent);
  if (exponent <= format.max_exponent) return result;
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

bool is_signed(DataType type) {
  switch (type) {
    case DataType::Int2:
    case DataType::Int4:
    case DataType::Int8:
    case DataType::Int16:
    case DataType::Int32:
    case DataType::Int64: return true;
    default: return false;
  }
}

std::int64_t wrapped(std::int64_t value, DataType type) {
  const int spare = 64 - bits_of(type).value_or(64);
  const auto shifted = static_cast<std::uint64_t>(value) << spare;
  if (is_signed(type)) return static_cast<std::int64_t>(shifted) >> spare;
  return static_cast<std::int64_t>(shifted >> spare);
}

/// What lies outside the integer type, machines convert in different ways.
Scalar integer_of(double value, DataType type) {
  const int magnitude_bits = bits_of(type).value_or(64) - (is_signed(type) ? 1 : 0);
  const double limit = std::ldexp(1.0, magnitude_bits);
  const double whole = std::trunc(value);
  if (!(whole < limit) || whole < (is_signed(type) ? -limit : 0.0)) return {};
  if (whole < std::ldexp(1.0, 63)) return Scalar::integer(static_cast<std::int64_t>(whole));
  return Scalar::integer(static_cast<std::int64_t>(static_cast<std::uint64_t>(whole)));
}

double real_of(const Scalar& value, DataType type) {
  if (type == DataType::UInt64 && value.is_integer())
    return static_cast<double>(static_cast<std::uint64_t>(value.as_integer()));
  return value.as_real();
}

Scalar rounded_real(double value, DataType type) {
  switch (type) {
    case DataType::Float16:
    case DataType::BFloat16:
    case DataType::Float32:
    case DataType::Float64: return Scalar::real(rounded(value, type));
    default: return {};
  }
}

/// Large uint64 numbers are negative as Scalars; arithmetic on them is not followed.
bool computable(const Scalar& value, DataType type) {
  return value.known() && (type != DataType::UInt64 || value.as_integer() >= 0);
}

/// Before opset 7 an attribute named the axis along which the second operand was stretched.
bool stretches_second(const Call& call) {
  return call.opset() < 7 && call.has_attribute("broadcast");
}

/// More real numbers than this are weights, and reading them would be wasted.
constexpr std::int64_t kMaxReals = 4096;
/// Contents that steer shapes are small; folding many large ones would only cost time.
constexpr std::int64_t kMaxFolded = 4 * kMaxElements;

}  // namespace

double rounded(double value, DataType type) {
  switch (type) {
    case DataType::Float16: return round_to(value, kHalf);
    case DataType::BFloat16: return round_to(value, kBrain);
    case DataType::Float32: return static_cast<double>(static_cast<float>(value));
    default: return value;
  }
}

Scalar converted(const Scalar& value, DataType from, DataType to) {
  if (!value.known()) return {};
  // Sizes and positions, which most contents are: they need no conversion.
  if (to == DataType::Int64 && value.is_integer()) return value;
  if (to == DataType::Bool)
    return Scalar::boolean(value.is_real() ? value.as_real() != 0 : value.as_integer() != 0);
  if (is_floating(to)) return rounded_real(real_of(value, from), to);
  if (!is_integer(to)) return {};
  if (value.is_real()) return integer_of(value.as_real(), to);
  return Scalar::integer(wrapped(value.as_integer(), to));
}

Scalar rounded(const Scalar& value, DataType type) { return converted(value, type, type); }

std::optional<Elements> spread_content(const Call& call, std::size_t position, const Dims& output) {
  const Dims* dims = call.dims(position);
  const Count total = elements_of(output);
  if (dims == nullptr || dims->size() > output.size() || !call.has_content(position))
    return std::nullopt;
  const std::int64_t most = is_floating(call.type(position)) ? kMaxReals : kMaxElements;
  if (!total.known() || total.value() > most) return std::nullopt;
  if (total.value() == 0) return Elements{};
  const Elements* content = call.content(position);
  const Count stored = elements_of(*dims);
  if (content == nullptr || stored != Count(static_cast<std::int64_t>(content->size())))
    return std::nullopt;
  if (*dims == output) return *content;

  const std::size_t offset = output.size() - dims->size();
  const std::vector<std::int64_t> stored_strides = strides_of(*dims);
  std::vector<std::int64_t> strides(output.size(), 0);
  for (std::size_t i = 0; i < dims->size(); ++i) {
    const bool same = (*dims)[i] == output[offset + i];
    if (!same && (*dims)[i] != 1) return std::nullopt;
    if (same) strides[offset + i] = stored_strides[i];
  }
  return picked(*content, output, 0, strides);
}

std::optional<Elements> fold_contents(const Call& call, std::size_t count,
                                      const BinaryFunction& function) {
  const Dims* output = call.output_dims(0);
  if (output == nullptr || count == 0 || stretches_second(call)) return std::nullopt;
  const Count total = elements_of(*output);
  if (!total.known() || total.value() > kMaxFolded / static_cast<std::int64_t>(count))
    return std::nullopt;
  for (std::size_t i = 0; i < count; ++i)
    if (!call.has_content(i)) return std::nullopt;

  auto result = spread_content(call, 0, *output);
  const DataType type = call.output(0).type;
  for (std::size_t i = 1; i < count && result; ++i) {
    const auto next = spread_content(call, i, *output);
    if (!next) return std::nullopt;
    for (std::size_t at = 0; at < result->size(); ++at) {
      Scalar& left = (*result)[at];
      const Scalar& right = (*next)[at];
      const bool both = computable(left, call.type(0)) && computable(right, call.type(i));
      left = both ? rounded(function(left, right), type) : Scalar();
    }
  }
  return result;
}

void evaluate(Call& call, const UnaryFunction& function) {
  const Dims* output = call.output_dims(0);
  if (output == nullptr) return;
  auto result = spread_content(call, 0, *output);
  if (!result) return;
  for (Scalar& element : *result) {
    const bool known = computable(element, call.type(0));
    element = known ? rounded(function(element), call.output(0).type) : Scalar();
  }
  set_known(call, std::move(*result));
}

void evaluate(Call& call, const BinaryFunction& function) {
  if (auto result = fold_contents(call, 2, function)) set_known(call, std::move(*result));
}

void set_known(Call& call, Elements elements) {
  const bool any = std::any_of(elements.begin(), elements.end(),
                               [](const Scalar& element) { return element.known(); });
  if (any || elements.empty()) call.set_content(0, std::move(elements));
}

void set_broadcast(Call& call, std::size_t count, DataType type) {
  auto dims = broadcast_inputs(call, 0, stretches_second(call) ? 1 : count);
  if (dims) return call.set(0, type, std::move(*dims));
  call.set_unknown(0, type);
}

DataType shared_type(const Call& call, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i)
    if (call.type(i) != DataType::Undefined) return call.type(i);
  return DataType::Undefined;
}

}  // namespace jouletree::model
