#include <cmath>

#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/number_operation.hpp"
#include "model/operators/shape_math.hpp"
#include "model/operators/value_math.hpp"

namespace jouletree::model {
namespace {

using Integer = std::int64_t;

Scalar bit_and(Integer a, Integer b) { return Scalar::integer(a & b); }
Scalar bit_or(Integer a, Integer b) { return Scalar::integer(a | b); }
Scalar bit_xor(Integer a, Integer b) { return Scalar::integer(a ^ b); }
Scalar invert(Integer a) { return Scalar::integer(~a); }
Scalar negate(Integer a) { return number::sub(0, a); }
Scalar magnitude(Integer a) { return a < 0 ? negate(a) : Scalar::integer(a); }
Scalar sign(Integer a) { return Scalar::integer(a > 0 ? 1 : a < 0 ? -1 : 0); }

double negate(double a) { return -a; }
double magnitude(double a) { return std::fabs(a); }
double sign(double a) { return a > 0 ? 1 : a < 0 ? -1 : a; }
double reciprocal(double a) { return 1 / a; }

/// The sign of the rest is that of the dividend.
Scalar cut_mod(Integer a, Integer b) {
  if (b == 0) return {};
  return Scalar::integer(b == -1 ? 0 : a % b);
}
/// The sign of the rest is that of the divisor.
Scalar floor_mod(Integer a, Integer b) {
  const Scalar rest = cut_mod(a, b);
  if (!rest.known() || rest.as_integer() == 0 || (rest.as_integer() < 0) == (b < 0)) return rest;
  return number::add(rest.as_integer(), b);
}
double real_mod(double a, double b) { return std::fmod(a, b); }

constexpr NumberOperation kBitAnd{bit_and};
constexpr NumberOperation kBitOr{bit_or};
constexpr NumberOperation kBitXor{bit_xor};
constexpr NumberOperation kCutMod{cut_mod, real_mod};
constexpr NumberOperation kFloorMod{floor_mod, real_mod};

/// An operation of the operator's operands, which all have the type of its result.
BinaryFunction on_operands(const NumberOperation& operation, DataType type) {
  return [&operation, type](const Scalar& a, const Scalar& b) { return operation(a, b, type); };
}

using OnInteger = Scalar (*)(Integer);
using OnReal = double (*)(double);

void apply(Call& call, OnReal on_real, OnInteger on_integer) {
  same_as_input(call);
  const bool is_real = is_floating(call.type(0));
  evaluate(call, [=](const Scalar& a) {
    if (is_real) return on_real == nullptr ? Scalar() : Scalar::real(on_real(a.as_real()));
    return on_integer == nullptr ? Scalar() : on_integer(a.as_integer());
  });
}

template <OnReal Real, OnInteger Whole = nullptr>
void unary(Call& call) {
  apply(call, Real, Whole);
}

template <const NumberOperation& Operation>
void binary(Call& call) {
  set_broadcast(call, 2, shared_type(call, 0, 2));
  evaluate(call, on_operands(Operation, call.output(0).type));
}

std::optional<Elements> folded(Call& call, const NumberOperation& operation) {
  const std::size_t count = call.input_count();
  set_broadcast(call, count, shared_type(call, 0, count));
  return fold_contents(call, count, on_operands(operation, call.output(0).type));
}

template <const NumberOperation& Operation>
void variadic(Call& call) {
  if (auto content = folded(call, Operation)) set_known(call, std::move(*content));
}

void mean(Call& call) {
  auto content = folded(call, kAdd);
  if (!content || !is_floating(call.output(0).type)) return;
  for (Scalar& element : *content) {
    if (!element.known()) continue;
    const double share = element.as_real() / static_cast<double>(call.input_count());
    element = rounded(Scalar::real(share), call.output(0).type);
  }
  set_known(call, std::move(*content));
}

void mod(Call& call) {
  set_broadcast(call, 2, shared_type(call, 0, 2));
  const bool cut = call.attribute("fmod", std::int64_t{0}) != 0;
  evaluate(call, on_operands(cut ? kCutMod : kFloorMod, call.output(0).type));
}

void pow(Call& call) {
  set_broadcast(call, 2, call.type(0));
  // Also integers are raised as real numbers by the engines; below 2^53 that is exact.
  evaluate(call, [](const Scalar& a, const Scalar& b) {
    return Scalar::real(std::pow(a.as_real(), b.as_real()));
  });
}

void bit_shift(Call& call) {
  set_broadcast(call, 2, shared_type(call, 0, 2));
  const std::string_view direction = call.attribute("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    call.fail("its attribute 'direction' should be LEFT or RIGHT");
  const int width = bits_of(call.output(0).type).value_or(0);
  const bool left = direction == "LEFT";
  evaluate(call, [width, left](const Scalar& a, const Scalar& b) {
    const Integer distance = b.as_integer();
    if (distance < 0 || distance >= width) return Scalar();
    const auto bits = static_cast<std::uint64_t>(a.as_integer());
    return Scalar::integer(static_cast<Integer>(left ? bits << distance : bits >> distance));
  });
}

/// Combining n operands takes n-1 operations per element, and `Extra` afterwards.
template <std::int64_t Extra>
OperatorWork per_operand(const Call& call) {
  const Count operations = Count(static_cast<std::int64_t>(call.input_count())) + Count(Extra - 1);
  return {0, call.output(0).elements() * operations};
}

constexpr CostRule kOne = per_output_element<1>;

constexpr OperatorRow kArithmeticRows[] = {
    {kOnnx, "Add", binary<kAdd>, kOne, {}, kInPlaceOfAny},
    {kOnnx, "Sub", binary<kSub>, kOne, {}, kInPlaceOfAny},
    {kOnnx, "Mul", binary<kMul>, kOne, {}, kInPlaceOfAny},
    {kOnnx, "Div", binary<kDiv>, kOne, {}, kInPlaceOfAny},
    {kOnnx, "Mod", mod, kOne, {}, kBroadcasts},
    {kOnnx, "Pow", pow, kOne, {}, kBroadcasts},
    {kOnnx, "Neg", unary<negate, negate>, kOne, {}, kInPlace},
    {kOnnx, "Abs", unary<magnitude, magnitude>, kOne, {}, kInPlace},
    {kOnnx, "Sign", unary<sign, sign>, kOne, {}, kKeepsAxes},
    {kOnnx, "Floor", unary<std::floor>, kOne, {}, kKeepsAxes},
    {kOnnx, "Ceil", unary<std::ceil>, kOne, {}, kKeepsAxes},
    {kOnnx, "Round", unary<std::nearbyint>, kOne, {}, kKeepsAxes},
    {kOnnx, "Sqrt", unary<std::sqrt>, kOne, {}, kInPlace},
    {kOnnx, "Exp", unary<std::exp>, kOne, {}, kInPlace},
    {kOnnx, "Log", unary<std::log>, kOne, {}, kInPlace},
    {kOnnx, "Reciprocal", unary<reciprocal>, kOne, {}, kInPlace},
    {kOnnx, "Erf", unary<std::erf>, kOne, {}, kInPlace},
    {kOnnx, "Sin", unary<std::sin>, kOne, {}, kKeepsAxes},
    {kOnnx, "Cos", unary<std::cos>, kOne, {}, kKeepsAxes},
    {kOnnx, "Tan", unary<std::tan>, kOne, {}, kKeepsAxes},
    {kOnnx, "Asin", unary<std::asin>, kOne, {}, kKeepsAxes},
    {kOnnx, "Acos", unary<std::acos>, kOne, {}, kKeepsAxes},
    {kOnnx, "Atan", unary<std::atan>, kOne, {}, kKeepsAxes},
    {kOnnx, "Sinh", unary<std::sinh>, kOne, {}, kKeepsAxes},
    {kOnnx, "Cosh", unary<std::cosh>, kOne, {}, kKeepsAxes},
    {kOnnx, "Asinh", unary<std::asinh>, kOne, {}, kKeepsAxes},
    {kOnnx, "Acosh", unary<std::acosh>, kOne, {}, kKeepsAxes},
    {kOnnx, "Atanh", unary<std::atanh>, kOne, {}, kKeepsAxes},
    {kOnnx, "Sum", variadic<kAdd>, per_operand<0>, {}, kBroadcasts},
    {kOnnx, "Mean", mean, per_operand<1>, {}, kBroadcasts},
    {kOnnx, "Min", variadic<kMin>, per_operand<0>, {}, kBroadcasts},
    {kOnnx, "Max", variadic<kMax>, per_operand<0>, {}, kBroadcasts},
    {kOnnx, "BitShift", bit_shift, kOne, {}, kBroadcasts},
    {kOnnx, "BitwiseAnd", binary<kBitAnd>, kOne, {}, kBroadcasts},
    {kOnnx, "BitwiseOr", binary<kBitOr>, kOne, {}, kBroadcasts},
    {kOnnx, "BitwiseXor", binary<kBitXor>, kOne, {}, kBroadcasts},
    {kOnnx, "BitwiseNot", unary<nullptr, invert>, kOne, {}, kKeepsAxes},
};

}  // namespace

std::span<const OperatorRow> arithmetic_rows() { return kArithmeticRows; }

}  // namespace jouletree::model
