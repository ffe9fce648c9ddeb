#pragma once

#include <string>

#include "jouletree/tree_run.hpp"
#include "predict/kernel.hpp"

namespace jouletree::predict {

/// What limits an operator decides which terms its cost is made of.
enum class WorkClass {
  WeightedProduct,  ///< Products with stored weights: linear layers, convolutions.
  Product,          ///< Products of two activations, as in attention.
  Memory,           ///< Everything else: moves data and computes a little on the way.
};
inline constexpr std::size_t kWorkClasses = 3;
[[nodiscard]] std::string_view name_of(WorkClass work_class);
/// Memory for what is no name of a class.
[[nodiscard]] WorkClass class_from_name(std::string_view name);

/// What an operator has to do, from its shapes or, where a file has none, from what its counts tell
/// about them.
struct OperatorLoad {
  WorkClass work_class = WorkClass::Memory;
  std::string group;   ///< Operators that share coefficients: the type and its variant.
  bool known = false;  ///< False where FLOPs or bytes are missing: nothing can be said.
  double mflops = 0;
  double mebibytes = 0;
  /// Products: so many of (rows × depth) · (depth × columns).
  double batches = 1;
  double rows = 0;
  double columns = 0;
  double depth = 0;
  /// Memory: so many rows of so many elements, where the operator works by rows.
  double vectors = 0;
  double vector_length = 0;
  /// Where the engine's kernels are known.
  KernelWork kernel;
};

[[nodiscard]] OperatorLoad load_of(const TreeRun& run, const RunNode& node);

/// The group that a rare variant leans on: "conv/pointwise" for "conv/pointwise unaligned". Empty
/// for a group that stands for itself.
[[nodiscard]] std::string common_group(const std::string& group);

/// Lower case: files differ in "MatMul" and "matmul".
[[nodiscard]] std::string type_key(const std::string& type);

}  // namespace jouletree::predict
