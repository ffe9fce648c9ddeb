#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace jouletree::model {

/// A set of input positions.
using Slots = std::uint32_t;
template <class... Position>
[[nodiscard]] constexpr Slots slots(Position... position) {
  return ((Slots{1} << position) | ... | Slots{0});
}
inline constexpr Slots kAllSlots = ~Slots{0};
[[nodiscard]] constexpr bool has_slot(Slots set, std::size_t position) {
  return position < std::numeric_limits<Slots>::digits && ((set >> position) & 1U) != 0;
}

/// An input that picks rows of another one by their numbers.
struct Lookup {
  std::size_t indices = 0;  ///< Position of the input that holds the numbers.
  std::size_t table = 0;    ///< Position of the input that they pick from.
  std::string_view axis_attribute = "";
  std::int64_t usual_axis = 0;  ///< Where the attribute is not there.
};

/// What the costs of an operator go by.
enum class WorkKind : std::uint8_t {
  Elementwise,      ///< Moves elements and computes a little on the way.
  Rows,             ///< The same, row by row along the last dimension: normalisation.
  Scores,           ///< The same for softmax, which follows the products of attention.
  Product,          ///< Of two matrices, stored or not.
  WeightedProduct,  ///< Of a matrix and stored weights.
  Convolution,      ///< Of windows and stored weights.
  Attention,        ///< Products with their softmax in between.
};
[[nodiscard]] constexpr bool is_product_kind(WorkKind kind) { return kind >= WorkKind::Product; }

/// How the axes of the first input show in the first output. Where stored weights fix the size of
/// an axis, they are the first weights behind that input.
enum class AxisFlow : std::uint8_t {
  Lost,                ///< They cannot be told apart in the output.
  Same,                ///< All of them, with their sizes.
  Resized,             ///< All of them; some may have other sizes.
  Cut,                 ///< All of them; inputs 1 to 3 hold begins, ends and the axes that are cut.
  Broadcast,           ///< As numpy has it: all inputs count from the last axis.
  Parts,               ///< Every output has all of them; one is cut.
  Joined,              ///< Of any input, but for the one that `axis` names.
  Permuted,            ///< In the order of `perm`.
  Added,               ///< New ones of size 1 stand between them.
  Removed,             ///< Without some of size 1.
  ScaledChannels,      ///< The same; the second is as long as the weights.
  ScaledLast,          ///< The same; the last is as long as the weights.
  Product,             ///< The last meets the rows of the weights; `transA` and `transB` turn them.
  Convolution,         ///< The second holds the channels: weights are [made, taken ÷ group, …].
  ConvolutionBack,     ///< The same, with weights [taken, made ÷ group, …].
  Recurrence,          ///< Inputs: sequence, [directions, made, taken] for it and for the states.
  RecurrenceOfTurned,  ///< The same, with weights [directions, taken, made].
};

/// What all who measure or predict an operator need to know about it.
struct OperatorFacts {
  bool view = false;  ///< The first output shares the memory of the first input; nothing moves.
  /// Inputs whose memory the first output may take over if nobody reads them later.
  Slots overwrites = 0;
  /// The first output holds elements of the first input and no others; so does every view.
  bool keeps_values = false;
  bool random = false;  ///< The outputs differ from run to run.
  std::span<const Lookup> lookups = {};
  WorkKind work = WorkKind::Elementwise;
  /// The operator that this one extends by a little work, such as a bias: both cost the same.
  std::string_view costs_like = {};
  AxisFlow axes = AxisFlow::Lost;
  /// Slides windows over its first input; `kernel_shape`, `strides` and `pads` describe them.
  bool windows = false;
  bool picks = false;       ///< Reads only those elements of an input that others pick.
  bool names = false;       ///< The output is the input under another name.
  bool sizes_only = false;  ///< Looks at the sizes of its input, not at its content.
  bool chooses = false;     ///< Runs one of its blocks, as its first input says.
  bool repeats = false;     ///< Runs its block as often as its first two inputs say.
  bool recurs = false;      ///< Step by step, each with the state of the one before it.
  bool searches = false;    ///< Sorts or looks for something: what it finds decides its cost.
  bool narrow = false;      ///< Multiplies numbers of at most 8 bits, in kernels of their own.
  /// The output that is the scale of the first one; 0 where there is none.
  std::size_t scale_output = 0;
};

/// Of stored or computed weights with windows, in any direction and layout.
[[nodiscard]] constexpr bool is_convolution(const OperatorFacts& facts) {
  return facts.windows && is_product_kind(facts.work);
}

}  // namespace jouletree::model
