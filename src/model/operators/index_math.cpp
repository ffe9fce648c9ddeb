#include "model/operators/index_math.hpp"

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "model/operators/moves.hpp"

namespace jouletree::model {

std::optional<std::int64_t> normal_index(const Call& call, const Scalar& index, std::int64_t size) {
  if (!index.known()) return std::nullopt;
  const std::int64_t value = index.as_integer();
  if (value < -size || value >= size)
    call.fail(fmt::format("index {} is outside an axis of {}", value, number_of(size, "element")));
  return value < 0 ? value + size : value;
}

std::vector<std::optional<std::int64_t>> slice_starts(const Call& call,
                                                      const TupleIndexing& indexing,
                                                      const Dims& data, const Elements& indices) {
  const auto strides = content_strides(data);
  const std::int64_t batches = elements_of(data, 0, indexing.batch_axes).value();
  const std::int64_t batch_size = elements_of(data, indexing.batch_axes, data.size()).value();
  const std::int64_t tuples_per_batch = indexing.tuples / batches;
  std::vector<std::optional<std::int64_t>> starts;
  starts.reserve(static_cast<std::size_t>(indexing.tuples));
  for (std::int64_t tuple = 0; tuple < indexing.tuples; ++tuple) {
    std::optional<std::int64_t> start = tuple / tuples_per_batch * batch_size;
    for (std::size_t i = 0; i < indexing.tuple_size; ++i) {
      const std::size_t axis = indexing.batch_axes + i;
      const auto at = static_cast<std::size_t>(tuple) * indexing.tuple_size + i;
      const auto index = normal_index(call, indices[at], data[axis]);
      if (start && index) {
        *start += *index * strides[axis];
      } else {
        start.reset();
      }
    }
    starts.push_back(start);
  }
  return starts;
}

}  // namespace jouletree::model
