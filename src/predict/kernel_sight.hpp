#pragma once

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "jouletree/tree_run.hpp"
#include "model/operators/table.hpp"
#include "predict/kernel.hpp"

namespace jouletree::predict {

using Shape = std::vector<double>;

inline constexpr double kFloatMebibytes = 4.0 / 1024 / 1024;  ///< Of one element.
/// Channels that kernels of blocked maps work on at a time.
inline constexpr double kChannelBlock = 16;

[[nodiscard]] inline double elements_of(const Shape& shape, std::size_t begin, std::size_t end) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(begin),
                         shape.begin() + static_cast<std::ptrdiff_t>(end), 1.0,
                         std::multiplies<>());
}
[[nodiscard]] inline double elements_of(const Shape& shape) {
  return elements_of(shape, 0, shape.size());
}
/// Up to the next multiple.
[[nodiscard]] inline double filled_up(double size, double step) {
  return std::ceil(size / step) * step;
}
/// For sizes that may be 0.
[[nodiscard]] inline double log_of(double size) { return std::log(std::max(size, 1e-6)); }

/// What the rules of kernels see of an operator.
struct KernelSight {
  const RunNode& node;
  const model::OperatorRow* row = nullptr;  ///< Null for an operator that the table does not know.
  std::string type;                         ///< In lower case.
  bool is_blocked = false;
  double weights = 0;      ///< MiB, of this operator.
  double all_weights = 0;  ///< MiB, of the whole model.
  double inputs = 0;       ///< MiB that others computed.
  double outputs = 0;      ///< MiB.

  /// Null where there is no such input or nothing is known of it.
  [[nodiscard]] const Shape* input(std::size_t index) const {
    return index < node.input_shapes.size() && !node.input_shapes[index].empty()
               ? &node.input_shapes[index]
               : nullptr;
  }
  [[nodiscard]] const Shape* output() const {
    return node.output_shapes.empty() || node.output_shapes[0].empty() ? nullptr
                                                                       : &node.output_shapes[0];
  }
  [[nodiscard]] double macs() const { return node.macs.value_or(0); }
  /// MFLOP beside multiply-adds.
  [[nodiscard]] double other_mflops() const {
    return std::max(0.0, node.mflops.value_or(0) - 2e-6 * macs());
  }
};

/// Signs of the narrow matrices that are multiplied: "us" for unsigned by signed.
[[nodiscard]] std::string narrow_signs(const KernelSight& sight);
/// The last terms of kernels with weights.
void put_weights(const KernelSight& sight, std::size_t first, KernelWork& work);

// Each leaves the kernel unknown where the shapes are not those of such an operator.
void see_convolution(const KernelSight& sight, KernelWork& work);
void see_byte_convolution(const KernelSight& sight, KernelWork& work);
void see_product(const KernelSight& sight, KernelWork& work);
void see_recurrence(const KernelSight& sight, KernelWork& work);
void see_streaming(const KernelSight& sight, KernelWork& work);

}  // namespace jouletree::predict
