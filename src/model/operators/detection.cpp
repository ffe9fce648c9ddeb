#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"

namespace jouletree::model {
namespace {

/// How many boxes are kept depends on the scores; only that none are can be known before.
bool keeps_nothing(const Call& call) {
  const auto is_empty = [&](std::size_t input) { return call.input(input).elements() == Count(0); };
  if (is_empty(0) || is_empty(1) || !call.has_input(2)) return true;
  const auto per_class = call.integer(2);
  return per_class && *per_class <= 0;
}

void non_max_suppression(Call& call) {
  call.set(0, DataType::Int64, {keeps_nothing(call) ? 0 : kUnknownDim, 3});
}

OperatorWork suppression_cost(const Call& call) {
  return {0, keeps_nothing(call) ? Count(0) : Count::unknown()};
}

void image_decoder(Call& call) {
  const bool gray = call.attribute("pixel_format", "RGB") == "Grayscale";
  call.set(0, DataType::UInt8, {kUnknownDim, kUnknownDim, gray ? 1 : 3});
}

constexpr OperatorRow kDetectionRows[] = {
    {kOnnx,
     "NonMaxSuppression",
     non_max_suppression,
     suppression_cost,
     {.settings = slots(2, 3, 4)}},
    {kOnnx, "ImageDecoder", image_decoder, nullptr},
};

}  // namespace

std::span<const OperatorRow> detection_rows() { return kDetectionRows; }

}  // namespace jouletree::model
