#include "model/operators/attention_math.hpp"

#include <fmt/format.h>

#include "model/operators/activation_flops.hpp"
#include "model/operators/cost_math.hpp"
#include "model/operators/shape_math.hpp"

namespace jouletree::model {

OperatorWork attention_work(const AttentionSizes& sizes, Count scores, const ScoreSteps& steps,
                            Count projections, Count others) {
  const Count macs = projections + scores * (sizes.head_size + sizes.value_head_size);
  const std::int64_t per_score =
      kSoftmaxFlops + (steps.scaled ? 1 : 0) + (steps.biased ? 1 : 0) + (steps.capped ? 3 : 0);
  return multiply_accumulates(macs, scores * Count(per_score) + others);
}

std::int64_t positive_attribute(const Call& call, const char* name) {
  const std::int64_t value = call.attribute(name, std::int64_t{0});
  if (value <= 0) call.fail(fmt::format("its attribute '{}' should be positive", name));
  return value;
}

Count equal_part(const Call& call, Count size, std::int64_t parts, const char* what) {
  if (parts <= 0 || (size.known() && size.value() % parts != 0)) {
    call.fail(fmt::format("its {} of {} elements cannot be split into {} parts", what,
                          size.value_or(0), parts));
  }
  return size / Count(parts);
}

const Dims* ranked(const Call& call, std::size_t position, std::size_t rank,
                   std::size_t other_rank) {
  const Dims* dims = call.dims(position);
  if (dims == nullptr || dims->size() == rank || (other_rank > 0 && dims->size() == other_rank))
    return dims;
  call.fail(
      fmt::format("its input at position {} cannot have the shape {}", position, to_string(*dims)));
}

Count length_input(const Call& call, std::size_t position) {
  const auto length = call.integer(position);
  if (!length) return Count::unknown();
  if (*length < 0)
    call.fail(fmt::format("its input at position {} is the length {}", position, *length));
  return *length;
}

Count packed_pairs(const Call& call, std::size_t ends, std::size_t padded) {
  if (const auto known = call.integers(ends)) {
    Count pairs = 0;
    for (std::size_t i = 1; i < known->size(); ++i) {
      const Count length = Count((*known)[i]) - Count((*known)[i - 1]);
      pairs += length * length;
    }
    return pairs;
  }
  const Dims* dims = ranked(call, padded, 2);
  if (dims == nullptr) return Count::unknown();
  return count_of((*dims)[0]) * count_of((*dims)[1]) * count_of((*dims)[1]);
}

}  // namespace jouletree::model
