#pragma once

// What ONNX Runtime 1.30 does to a graph even with optimisation off, found by trying:
// - Kernels run in the engine's own topological order, not in file order. Nodes of If, Loop and
//   Scan bodies come before their parent, once per iteration; branches not taken do not appear.
// - Constant nodes become initializers and never run. Of a Cast that feeds a Cast both may vanish.
//   Nodes whose result nobody uses do run.
// - Operators that the engine knows only by their definition (HardSwish, CastLike, the losses) and
//   calls of model-local functions are replaced by their body. A body node is named
//   "_inlfunc_<function>_..." if it had a name and "<Op>_<number>" if not.
// - A DequantizeLinear with several readers is copied: "n7/duplicated", "n7/duplicated_token_1".
// - Float16 kernels that the CPU lacks run as float between Casts that are named
//   "InsertedPrecisionFreeCast_<tensor>".
// - Shape lists skip absent optional inputs and outputs, sequences and optionals, so positions
//   shift; what a body reads from outside is no input of its If, Loop or Scan.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine_inputs.hpp"
#include "rename_nodes.hpp"

namespace jouletree::test {

/// "float", "int64", ... as the engine spells it, and the dimensions at run time.
struct TensorShapeType {
  std::string type;
  std::vector<std::int64_t> dims;

  bool operator==(const TensorShapeType&) const = default;
};

/// One kernel call.
struct KernelRun {
  std::string node;  ///< As rename_nodes() names it, or a name that the engine made up.
  std::string op;
  std::vector<TensorShapeType> inputs;
  std::vector<TensorShapeType> outputs;
};

/// Runs a model once in ONNX Runtime on the CPU, one thread, graph optimisation off, and returns
/// its kernel calls. Throws std::runtime_error if the engine refuses the model or the inputs.
std::vector<KernelRun> run_profiled(const std::filesystem::path& model,
                                    const std::vector<EngineInput>& inputs);

/// One output of a model, as far as a test wants to know it.
struct EngineOutput {
  std::string name;
  std::vector<std::int64_t> dims;
  bool finite = true;    ///< No infinity and no NaN.
  bool constant = true;  ///< All elements are equal.
};

/// Runs a model once as a user would, with all of the engine's optimisations. Its outputs must be
/// float32. Throws std::runtime_error if the engine refuses the model or the inputs.
std::vector<EngineOutput> run_optimised(const std::filesystem::path& model,
                                        const std::vector<EngineInput>& inputs);

/// The name that rename_nodes() gave the node behind a kernel; copies that the engine made lead to
/// their original. Nothing for kernels that stand for no node of the model.
std::optional<std::string> model_node(const KernelRun& run);

}  // namespace jouletree::test
