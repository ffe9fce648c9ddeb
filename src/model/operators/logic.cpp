#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "model/operators/common_facts.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/shape_math.hpp"
#include "model/operators/type_attribute.hpp"
#include "model/operators/value_math.hpp"

namespace jouletree::model {
namespace {

template <class Relation>
void compare(Call& call) {
  set_broadcast(call, 2, DataType::Bool);
  const bool real = is_floating(shared_type(call, 0, 2));
  evaluate(call, [real](const Scalar& a, const Scalar& b) {
    return Scalar::boolean(real ? Relation()(a.as_real(), b.as_real())
                                : Relation()(a.as_integer(), b.as_integer()));
  });
}

bool both(bool a, bool b) { return a && b; }
bool either(bool a, bool b) { return a || b; }
bool one_only(bool a, bool b) { return a != b; }

template <bool (*Connective)(bool, bool)>
void connect(Call& call) {
  set_broadcast(call, 2, DataType::Bool);
  evaluate(call, [](const Scalar& a, const Scalar& b) {
    return Scalar::boolean(Connective(a.as_integer() != 0, b.as_integer() != 0));
  });
}

void set_bool_like_input(Call& call) {
  if (const Dims* dims = call.dims(0)) return call.set(0, DataType::Bool, *dims);
  call.set_unknown(0, DataType::Bool);
}

void negate(Call& call) {
  set_bool_like_input(call);
  evaluate(call, [](const Scalar& a) { return Scalar::boolean(a.as_integer() == 0); });
}

void is_nan(Call& call) {
  set_bool_like_input(call);
  evaluate(call, [](const Scalar& a) { return Scalar::boolean(std::isnan(a.as_real())); });
}

void is_inf(Call& call) {
  set_bool_like_input(call);
  const bool negative = call.attribute("detect_negative", std::int64_t{1}) != 0;
  const bool positive = call.attribute("detect_positive", std::int64_t{1}) != 0;
  evaluate(call, [negative, positive](const Scalar& a) {
    return Scalar::boolean(std::isinf(a.as_real()) && (a.as_real() < 0 ? negative : positive));
  });
}

Scalar chosen(const Scalar& condition, const Scalar& yes, const Scalar& no) {
  if (condition.known()) return condition.as_integer() != 0 ? yes : no;
  return yes == no ? yes : Scalar();
}

void choose_content(Call& call) {
  const Dims* output = call.output_dims(0);
  if (output == nullptr || !call.has_content(0)) return;
  if (!call.has_content(1) && !call.has_content(2)) return;
  auto result = spread_content(call, 0, *output);
  if (!result) return;
  const Elements unknown(result->size());
  const Elements yes = spread_content(call, 1, *output).value_or(unknown);
  const Elements no = spread_content(call, 2, *output).value_or(unknown);
  for (std::size_t i = 0; i < result->size(); ++i)
    (*result)[i] = chosen((*result)[i], yes[i], no[i]);
  set_known(call, std::move(*result));
}

void where(Call& call) {
  set_broadcast(call, 3, shared_type(call, 1, 3));
  choose_content(call);
}

void set_cast(Call& call, DataType to) {
  const DataType from = call.type(0);
  const Dims* dims = call.dims(0);
  if (dims == nullptr) return call.set_unknown(0, to);
  call.set(0, to, *dims);
  auto content = spread_content(call, 0, *dims);
  if (!content) return;
  for (Scalar& element : *content) element = converted(element, from, to);
  set_known(call, std::move(*content));
}

void cast(Call& call) {
  if (!call.has_attribute("to")) call.fail("it lacks its attribute 'to'");
  set_cast(call, type_attribute(call, "to", DataType::Undefined));
}

void cast_like(Call& call) { set_cast(call, call.type(1)); }

void bit_cast(Call& call) {
  if (!call.has_attribute("to")) call.fail("it lacks its attribute 'to'");
  const DataType from = call.type(0);
  const DataType to = type_attribute(call, "to", DataType::Undefined);
  const auto bits = bits_of(from);
  if (bits && bits != bits_of(to))
    call.fail(fmt::format("cannot read the bits of {} as {}", name_of(from), name_of(to)));
  // Between integers of one width a cast keeps the bits.
  if (is_integer(from) && is_integer(to)) return set_cast(call, to);
  if (const Dims* dims = call.dims(0)) return call.set(0, to, *dims);
  call.set_unknown(0, to);
}

/// Of the second input only the type counts.
OperatorWork moves_first(const Call& call) { return {0, 0, call.input(0).bytes()}; }

constexpr CostRule kOneComparison = per_output_element<1>;
constexpr ConstantRoles kCondition{.settings = slots(0)};
constexpr ConstantRoles kForwards{.forwarded = slots(0)};
constexpr ConstantRoles kForwardsFirst{.settings = slots(1), .forwarded = slots(0)};

/// In place where both types take the same bytes.
constexpr OperatorFacts kCasts = {
    .overwrites = slots(0), .keeps_values = true, .axes = AxisFlow::Same};
constexpr OperatorFacts kOtherType = {.view = true};

constexpr OperatorRow kLogicRows[] = {
    {kOnnx, "And", connect<both>, kOneComparison, {}, kBroadcasts},
    {kOnnx, "Or", connect<either>, kOneComparison, {}, kBroadcasts},
    {kOnnx, "Xor", connect<one_only>, kOneComparison, {}, kBroadcasts},
    {kOnnx, "Not", negate, kOneComparison, {}, kKeepsAxes},
    {kOnnx, "Equal", compare<std::equal_to<>>, kOneComparison, {}, kBroadcasts},
    {kOnnx, "Greater", compare<std::greater<>>, kOneComparison, {}, kBroadcasts},
    {kOnnx, "GreaterOrEqual", compare<std::greater_equal<>>, kOneComparison, {}, kBroadcasts},
    {kOnnx, "Less", compare<std::less<>>, kOneComparison, {}, kBroadcasts},
    {kOnnx, "LessOrEqual", compare<std::less_equal<>>, kOneComparison, {}, kBroadcasts},
    {kOnnx, "IsNaN", is_nan, kOneComparison, {}, kKeepsAxes},
    {kOnnx, "IsInf", is_inf, kOneComparison, {}, kKeepsAxes},
    {kOnnx, "Where", where, only_moves, kCondition},
    {kOnnx, "Cast", cast, only_moves, kForwards, kCasts},
    {kOnnx, "CastLike", cast_like, moves_first, kForwardsFirst, kCasts},
    {kOnnx, "BitCast", bit_cast, only_moves, kForwards, kOtherType},
};

}  // namespace

std::span<const OperatorRow> logic_rows() { return kLogicRows; }

}  // namespace jouletree::model
