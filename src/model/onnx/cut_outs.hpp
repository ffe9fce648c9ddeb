#pragma once

#include "model/onnx/model_parts.hpp"

namespace jouletree::onnx {

/// Inputs of a cut-out model with the types and shapes that they have when the whole model runs.
using CutInputs = std::map<std::string, ValueType, std::less<>>;

/// Copies of a node in one model. They take turns at several sets of weights and of each input; of
/// a single set all have the original.
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

/// A model of one node several times. `types` must know every input that is no weight.
[[nodiscard]] std::string repeated(const ModelParts& parts, std::size_t node, const Copies& copies,
                                   const CutInputs& types);

/// A model of several nodes. What none of them makes is an input; what others than they read is an
/// output.
[[nodiscard]] std::string cut_out(const ModelParts& parts, const std::vector<std::size_t>& nodes,
                                  const CutInputs& types);

}  // namespace jouletree::onnx
