#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "jouletree/inference.hpp"

namespace jouletree::test {

/// How much of the multiply-adds lies in the same modules before and after the engine's fusions,
/// for modules of one depth; 1 are the children of the root.
struct DepthShare {
  std::size_t depth = 0;
  std::size_t modules = 0;  ///< With multiply-adds in the file.
  double macs = 0;          ///< Σ min(file, engine) ÷ Σ file.
  std::string worst;        ///< The module that differs most, in words.
};

struct ScopeShares {
  std::vector<DepthShare> depths;  ///< Those with multiply-adds.
  /// Bytes of operators outside of all modules, as a share of all that the engine moves. Changes of
  /// layout, which no file holds, are left out.
  double root_bytes_in_file = 0;
  double root_bytes_in_engine = 0;
  std::size_t nodes = 0;                 ///< That the engine runs.
  std::vector<std::string> misplaced;    ///< Those that stand elsewhere than their names say.
  std::vector<std::string> at_the_root;  ///< These operators of the engine, largest first.
};

/// Lets the engine optimise the model, and compares the modules of its operators with those that
/// `inspect` finds in the file.
[[nodiscard]] ScopeShares scope_shares(const std::filesystem::path& model,
                                       const InputSettings& settings);

}  // namespace jouletree::test
