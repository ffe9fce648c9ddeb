#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/operators/call.hpp"

namespace jouletree::model {

/// An index into an axis of `size` elements, counted from the front. Nothing where it is unknown.
/// Fails the call where it is outside.
[[nodiscard]] std::optional<std::int64_t> normal_index(const Call& call, const Scalar& index,
                                                       std::int64_t size);

/// How the tuples of a GatherND or ScatterND address slices of `data`.
struct TupleIndexing {
  std::size_t batch_axes = 0;  ///< Leading axes that data and indices share.
  std::size_t tuple_size = 0;  ///< Axes that a tuple addresses.
  std::int64_t tuples = 0;
  std::int64_t slice_size = 0;  ///< Elements.
};
/// Where the slice of every tuple starts; nothing for a tuple that has an unknown index. Only for
/// data and indices of known shapes with at least one tuple and data that are not empty.
[[nodiscard]] std::vector<std::optional<std::int64_t>> slice_starts(const Call& call,
                                                                    const TupleIndexing& indexing,
                                                                    const Dims& data,
                                                                    const Elements& indices);

}  // namespace jouletree::model
