#include "model/operators/range.hpp"

#include <cmath>

#include "model/operators/number_operation.hpp"
#include "model/operators/value_math.hpp"

namespace jouletree::model {
namespace {

/// The only element of an input; unknown where it depends on data.
Scalar single(const Call& call, std::size_t position, const char* what) {
  const Count count = call.input(position).elements();
  if (count.known() && count.value() != 1)
    call.fail(std::string("its ") + what + " should be a single number");
  if (!call.has_content(position)) return {};
  const Elements* content = call.content(position);
  return content == nullptr || content->empty() ? Scalar() : content->front();
}

/// As the engines count: the difference of real numbers in their own type, the quotient as a
/// double. Nothing where the type does not count.
std::optional<std::int64_t> length_of(const Call& call, const Scalar& start, const Scalar& limit,
                                      const Scalar& delta, DataType type) {
  Scalar difference = kSub(limit, start, type);
  if (is_floating(type)) difference = rounded(difference, type);
  if (!difference.known()) return std::nullopt;
  const double steps = std::ceil(difference.as_real() / delta.as_real());
  if (!(steps < 9.0e18)) call.fail("it would count without end");
  return steps <= 0 ? 0 : static_cast<std::int64_t>(steps);
}

void set_range_content(Call& call, Scalar value, const Scalar& delta, std::int64_t length) {
  if (length > kMaxElements) return;
  const DataType type = call.output(0).type;
  Elements elements;
  elements.reserve(static_cast<std::size_t>(length));
  for (std::int64_t i = 0; i < length; ++i) {
    elements.push_back(value);
    // Added up step by step, as the engines do: real numbers gather the same rounding errors.
    value = rounded(kAdd(value, delta, type), type);
  }
  set_known(call, std::move(elements));
}

}  // namespace

void range(Call& call) {
  const DataType type = shared_type(call, 0, 3);
  call.set(0, type, {kUnknownDim});
  const Scalar start = single(call, 0, "start");
  const Scalar limit = single(call, 1, "limit");
  const Scalar delta =
      call.has_input(2) ? single(call, 2, "delta") : rounded(Scalar::integer(1), type);
  if (!start.known() || !limit.known() || !delta.known()) return;
  if (delta.as_real() == 0) call.fail("its delta is zero");
  const auto length = length_of(call, start, limit, delta, type);
  if (!length) return;
  call.set(0, type, {*length});
  set_range_content(call, rounded(start, type), delta, *length);
}

}  // namespace jouletree::model
