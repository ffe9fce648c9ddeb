#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine_inputs.hpp"
#include "jouletree/inference.hpp"

namespace jouletree::test {

/// What one run of the engine says about the shapes that were inferred without it.
struct Comparison {
  std::int64_t kernels = 0;
  std::int64_t equal_shapes = 0;
  std::vector<std::string> differences;  ///< One sentence each.
  /// By operator: outputs with a dimension that inference left open.
  std::map<std::string, std::int64_t> open;
  /// By operator: nodes without a row in the operator table.
  std::map<std::string, std::int64_t> without_rule;
  /// By operator: nodes that the engine replaced or removed before it ran.
  std::map<std::string, std::int64_t> not_reported;
};

/// How much of the inputs' content inference may use.
enum class Knowledge {
  Shapes,    ///< What a user gives on the command line: shapes, and values the manifest names.
  Contents,  ///< Also the content of small inputs, which stand for the shapes in a test of one
             ///< operator.
};

/// What inference is told about inputs that an engine is fed with.
[[nodiscard]] InputSettings settings_for(const std::vector<EngineInput>& inputs,
                                         const std::map<std::string, std::vector<double>>& values,
                                         Knowledge knowledge);

/// Runs the model in the engine and compares every kernel's outputs. Throws std::runtime_error if
/// the engine refuses the model.
[[nodiscard]] Comparison compare_with_engine(
    const std::filesystem::path& model, const std::vector<EngineInput>& inputs,
    const std::map<std::string, std::vector<double>>& values, Knowledge knowledge);

}  // namespace jouletree::test
