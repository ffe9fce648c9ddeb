#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "jouletree/predict.hpp"

namespace jouletree::test {

/// Operators of one kind, with what they take in, on tensors of the same types: how many were
/// expected, and how many the engine made.
struct OperatorTally {
  int expected = 0;
  int made = 0;
  std::string names;  ///< Of a few of them, to look at.
};

/// How far the graph that was expected is from the one that the engine wrote.
struct ExpectedGraph {
  std::map<std::string, OperatorTally> kinds;   ///< By operator.
  std::map<std::string, OperatorTally> shapes;  ///< By operator and the types of its inputs.
  int expected = 0;
  int made = 0;

  /// Operators that stand on one side only; one expected in the place of another counts once.
  [[nodiscard]] int differing_kinds() const;
  [[nodiscard]] int differing_shapes() const;
};

/// Lets the engine optimise the model, and compares with what expected_tree() makes of it. Bodies
/// count, whether they run or not.
[[nodiscard]] ExpectedGraph compare_expected_graph(const std::filesystem::path& model,
                                                   const InputSettings& settings,
                                                   ChannelLayout layout = ChannelLayout::Blocked);

/// What differs, one line each.
[[nodiscard]] std::string differences_text(const ExpectedGraph& graph);

}  // namespace jouletree::test
