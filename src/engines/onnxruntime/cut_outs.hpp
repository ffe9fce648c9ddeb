#pragma once

#include "engines/copies.hpp"
#include "engines/onnxruntime/model_parts.hpp"

namespace jouletree::engines {

/// Inputs of a cut-out model with the types and shapes that they have when the whole model runs.
using CutInputs = std::map<std::string, ValueType, std::less<>>;

/// How an input is named in one of several sets.
[[nodiscard]] std::string copied_name(std::string_view name, int set);

/// Where a few nodes of a model meet the others.
struct Borders {
  std::set<std::string_view> made;         ///< Values that one of them makes.
  std::set<std::string_view> read_inside;  ///< Of these, what one of them reads.
  std::set<std::string_view> wanted;       ///< Of these, what others read or the model returns.
  /// What leaves them: all that is made but not only read inside, in the order of the nodes.
  std::vector<std::string_view> outputs;
};
[[nodiscard]] Borders borders_of(const ModelParts& parts, const std::vector<std::size_t>& nodes);

/// A model of an operator, or of the nodes of a module, several times. What none of the nodes makes
/// is an input; `types` must know every input that is no weight.
[[nodiscard]] std::string repeated(const ModelParts& parts, const std::vector<std::size_t>& nodes,
                                   const Copies& copies, const CutInputs& types);

}  // namespace jouletree::engines
