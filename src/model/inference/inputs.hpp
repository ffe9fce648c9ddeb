#pragma once

#include <map>
#include <string>
#include <vector>

#include "jouletree/inference.hpp"
#include "model/operators/call.hpp"

namespace jouletree::model {

/// A size for an open dimension, and why it is that.
struct SizeChoice {
  Dim size = 1;
  SizeOrigin origin = SizeOrigin::Default;
  /// Of what is found from the graph, what demands it; of a usual size, how the sentence goes on:
  /// " of images".
  std::string reason;
};

/// By the key of the dimension.
using SizeChoices = std::map<std::string, SizeChoice, std::less<>>;

/// A dimension of the inputs that neither the file nor the settings fix.
struct OpenDim {
  struct Place {
    ValueId input = kNoValue;
    std::size_t axis = 0;
  };

  std::string key;            ///< Its symbol, or "x[2]" where it has none.
  bool named = false;         ///< It has a symbol.
  std::vector<Place> places;  ///< Where it stands alone; none if only within expressions.
};

struct InputStates {
  std::vector<ValueState> states;  ///< One per input of the main block; constants are left empty.
  std::vector<InputShape> shapes;  ///< Of those that are no constants.
  std::vector<OpenDim> open;       ///< In the order of the inputs.
  std::vector<std::string> notes;
  std::string choices;  ///< Says which sizes were not set, for errors; empty if all were.
  /// All sizes that the file states were kept, so the other shapes it states can be believed.
  bool as_declared = true;
};

/// Ranks of inputs that have no shape in the file.
using GuessedRanks = std::map<ValueId, std::size_t>;

/// Open dimensions without a choice count as 1. Throws Error(BadInput) for settings that do not fit
/// the inputs of the graph.
[[nodiscard]] InputStates settle_inputs(const Graph& graph, const InputSettings& settings,
                                        const SizeChoices& choices, const GuessedRanks& ranks);

/// What settings can name, for messages; each sorted.
struct SettableNames {
  std::vector<std::string> inputs;
  std::vector<std::string> symbols;
};
[[nodiscard]] SettableNames settable_names(const Graph& graph);

/// Whether a size of 0 makes sense: caches of decoders begin empty.
[[nodiscard]] bool is_cache_name(std::string_view name);

}  // namespace jouletree::model
