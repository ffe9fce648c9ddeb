#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace jouletree::predict {

/// One physical reason why an operator costs something.
struct CostTerm {
  std::string_view name;
  std::string_view unit;  ///< Of what the coefficient is per: "MFLOP", "MiB", "call".
};

inline constexpr std::size_t kMostTerms = 22;
using TermValues = std::array<double, kMostTerms>;

/// Kernels of ONNX Runtime on a CPU, by what their time goes by.
enum class Kernel {
  Unknown,             ///< Of another engine: nothing is known but the class of the work.
  BlockedConvolution,  ///< Maps in blocks of 16 channels.
  BlockedDepthwise,    ///< The same, each channel by itself.
  Convolution,         ///< Windows are copied into a matrix, which is multiplied.
  ByteConvolution,     ///< Numbers of 8 bits.
  Product,
  Recurrence,
  Streaming,  ///< Moves elements and computes a little on the way.
};
inline constexpr std::size_t kKernels = 8;
[[nodiscard]] std::string_view name_of(Kernel kernel);
/// Unknown for what is no name of a kernel.
[[nodiscard]] Kernel kernel_from_name(std::string_view name);
/// None for Unknown.
[[nodiscard]] std::span<const CostTerm> terms_of(Kernel kernel);

inline constexpr std::size_t kMostSizes = 7;

/// What a known kernel has to do.
struct KernelWork {
  Kernel kernel = Kernel::Unknown;
  std::string group;  ///< Operators that share coefficients: "conv/pointwise".
  std::string pool;   ///< Groups that are alike; those with few operators lean on it.
  TermValues terms{};
  /// Logarithms of sizes: operators are alike where these are near each other.
  std::array<double, kMostSizes> sizes{};
};

}  // namespace jouletree::predict
