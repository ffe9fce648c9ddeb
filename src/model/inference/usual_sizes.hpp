#pragma once

#include <string>
#include <vector>

#include "model/inference/input_facts.hpp"
#include "model/inference/inputs.hpp"

namespace jouletree::model {

struct UsualSizes {
  std::vector<Dim> sizes;  ///< Best first; never empty.
  std::string reason;      ///< What they are usual for: " of images".
};
/// `with_state`: the model carries a state from call to call.
[[nodiscard]] UsualSizes usual_sizes(AxisKind kind, bool with_state);

/// Whether the model has several inputs of real numbers, as those have that carry a state.
[[nodiscard]] bool has_state(const Graph& graph);

/// How the size of an open dimension is chosen.
struct SizePlan {
  SizeChoice first;  ///< What to begin with.
  UsualSizes usual;  ///< What to try next.
  /// Dimensions with the same text are tried with the same size before each has its own.
  std::string family;
  bool batch = false;  ///< The first axis of an input, where nothing says otherwise.
};

/// Facts about the inputs that have open dimensions.
using FactsByInput = std::map<ValueId, InputFacts>;

/// One plan for each of the open dimensions of `inputs`, which were settled without choices.
[[nodiscard]] std::vector<SizePlan> plan_sizes(const Graph& graph, const InputStates& inputs,
                                               const FactsByInput& facts);

/// What the file itself says about the sizes of its open dimensions, by symbol.
[[nodiscard]] SizeChoices hinted_sizes(const Graph& graph);

/// The axis of a cache along which it grows, if the input is the cache of a decoder.
[[nodiscard]] std::optional<std::size_t> cache_length_axis(const GraphValue& input);

}  // namespace jouletree::model
