#pragma once

#include "model/onnx/model_parts.hpp"

namespace jouletree::onnx {

/// Inputs of a cut-out model with the types and shapes that they have when the whole model runs.
using CutInputs = std::map<std::string, ValueType, std::less<>>;

/// Copies of a node, or of a few nodes, in one model. They take turns at several sets of weights
/// and of each input; of a single set all have the original.
struct Copies {
  int count = 1;
  int weight_sets = 1;
  std::map<std::string, int, std::less<>> input_sets{};  ///< By name; one of those left out.
  /// Outputs are kept until they are so many bytes together, so that copies write to memory of that
  /// size in turns. Nothing: until the run ends.
  std::optional<std::int64_t> output_bytes = 0;

  [[nodiscard]] int sets_of(std::string_view input) const {
    const auto sets = input_sets.find(input);
    return sets == input_sets.end() ? 1 : sets->second;
  }
};

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

}  // namespace jouletree::onnx
