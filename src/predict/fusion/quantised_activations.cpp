#include <limits>

#include "predict/fusion/quantisation.hpp"
#include "predict/fusion/rules.hpp"

namespace jouletree::predict {
namespace {

struct Range {
  double low = 0;
  double high = 0;
};

/// The whole numbers of a type.
std::optional<Range> numbers_of(DataType type) {
  switch (type) {
    case DataType::Int8: return Range{-128, 127};
    case DataType::UInt8: return Range{0, 255};
    case DataType::Int16: return Range{-32768, 32767};
    case DataType::UInt16: return Range{0, 65535};
    default: return std::nullopt;
  }
}

/// What is beyond cannot be told apart once it is quantised.
std::optional<Range> range_of(const GraphEdit& edit, const Node& quantise) {
  const Quantisation quantisation = quantisation_of(quantise);
  const auto scale = edit.scalar(quantisation.scale);
  const auto zero = edit.scalar(quantisation.zero);
  const auto numbers = numbers_of(stored_type(edit, quantise));
  if (!scale || !zero || !numbers) return std::nullopt;
  return Range{*scale * (numbers->low - *zero), *scale * (numbers->high - *zero)};
}

/// Of a Clip with stored bounds.
std::optional<Range> bounds_of(const GraphEdit& edit, const Node& clip) {
  Range bounds{std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max()};
  if (const Attribute* const low = clip.attribute("min")) bounds.low = low->real;
  if (const Attribute* const high = clip.attribute("max")) bounds.high = high->real;
  for (const std::size_t input : {1, 2}) {
    const ValueId bound = input_of(clip, input);
    if (bound == kNoValue) continue;
    const auto number = edit.scalar(bound);
    if (!number) return std::nullopt;
    (input == 1 ? bounds.low : bounds.high) = *number;
  }
  return bounds;
}

bool changes_nothing(const GraphEdit& edit, const Node& activation, const Node& quantise) {
  const auto range = range_of(edit, quantise);
  if (!range) return false;
  if (activation.op == "Relu") return range->low >= 0;
  const auto bounds = bounds_of(edit, activation);
  constexpr double kTolerance = std::numeric_limits<float>::epsilon();
  return bounds && bounds->low - range->low <= kTolerance &&
         range->high - bounds->high <= kTolerance;
}

}  // namespace

void drop_quantised_activations(GraphEdit& edit) {
  for (Node* const node : edit.nodes()) {
    if (edit.is_removed(*node) || (!is_op(node, "Relu") && !is_op(node, "Clip"))) continue;
    const Node* const quantise = edit.only_reader(node->outputs[0], "QuantizeLinear");
    if (quantise != nullptr && changes_nothing(edit, *node, *quantise)) edit.bypass(*node);
  }
}

}  // namespace jouletree::predict
