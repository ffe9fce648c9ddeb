#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "model/operators/call.hpp"

namespace jouletree::model {

/// The number as a tensor of type `to` holds it when a Cast brings it there from a tensor of type
/// `from`: integers wrap, real numbers are rounded or cut. Unknown where it has no such number or
/// where machines disagree about it.
[[nodiscard]] Scalar converted(const Scalar& value, DataType from, DataType to);
/// The same for the result of an operation that stays within integers or within real numbers.
[[nodiscard]] Scalar rounded(const Scalar& value, DataType type);
[[nodiscard]] double rounded(double value, DataType type);

/// The content of an input, broadcast to `output`. Nothing where it is unknown or too large.
[[nodiscard]] std::optional<Elements> spread_content(const Call& call, std::size_t position,
                                                     const Dims& output);

using UnaryFunction = std::function<Scalar(const Scalar&)>;
using BinaryFunction = std::function<Scalar(const Scalar&, const Scalar&)>;

/// Computes the content of the first output from that of the first input, element by element, and
/// rounds it to the output's type. Of an unknown element the result is unknown.
void evaluate(Call& call, const UnaryFunction& function);
/// The same for two broadcast inputs.
void evaluate(Call& call, const BinaryFunction& function);
/// The first `count` inputs folded from the left; nothing where a content is unknown.
[[nodiscard]] std::optional<Elements> fold_contents(const Call& call, std::size_t count,
                                                    const BinaryFunction& function);
/// Sets the content of the first output unless all of it is unknown.
void set_known(Call& call, Elements elements);

/// Sets the first output to the broadcast shape of the first `count` inputs and to `type`.
void set_broadcast(Call& call, std::size_t count, DataType type);
/// The type that the inputs in [first, last) share, as far as one of them tells it.
[[nodiscard]] DataType shared_type(const Call& call, std::size_t first, std::size_t last);

}  // namespace jouletree::model
