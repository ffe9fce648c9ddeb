#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace jouletree::model {

// Operations per element of the activations, alone or inside another operator.
inline constexpr std::int64_t kReluFlops = 1;
inline constexpr std::int64_t kLeakyReluFlops = 2;  ///< Compare, multiply.
inline constexpr std::int64_t kEluFlops = 4;        ///< Compare, exp, subtract, multiply.
inline constexpr std::int64_t kSeluFlops = 5;       ///< Elu, multiply.
inline constexpr std::int64_t kCeluFlops = 7;  ///< Divide, exp, subtract, multiply, min, max, add.
inline constexpr std::int64_t kSigmoidFlops = 4;      ///< Negate, exp, add, divide.
inline constexpr std::int64_t kHardSigmoidFlops = 4;  ///< Multiply, add, max, min.
inline constexpr std::int64_t kHardSwishFlops = kHardSigmoidFlops + 1;
inline constexpr std::int64_t kSiluFlops = kSigmoidFlops + 1;
inline constexpr std::int64_t kTanhFlops = 1;
inline constexpr std::int64_t kScaledTanhFlops = kTanhFlops + 2;
inline constexpr std::int64_t kSoftplusFlops = 3;  ///< Exp, add, log.
inline constexpr std::int64_t kParametricSoftplusFlops = kSoftplusFlops + 2;
inline constexpr std::int64_t kSoftsignFlops = 3;  ///< Absolute, add, divide.
inline constexpr std::int64_t kMishFlops = kSoftplusFlops + kTanhFlops + 1;
inline constexpr std::int64_t kErfGeluFlops = 5;  ///< Divide, erf, add, two multiplications.
inline constexpr std::int64_t kTanhGeluFlops =
    8;  ///< Pow, tanh, two additions, four multiplications.
inline constexpr std::int64_t kQuickGeluFlops = kSiluFlops + 1;
inline constexpr std::int64_t kShrinkFlops = 3;  ///< Two comparisons, add.
inline constexpr std::int64_t kClipFlops = 2;
inline constexpr std::int64_t kAffineFlops = 2;
inline constexpr std::int64_t kSoftmaxFlops = 5;  ///< Max, subtract, exp, sum, divide.

/// Of an activation that a fused operator names in an attribute; 0 for "none" and unknown names.
[[nodiscard]] constexpr std::int64_t fused_activation_flops(std::string_view name) {
  struct Named {
    std::string_view name;
    std::int64_t flops;
  };
  constexpr std::array kNamed = {
      Named{"relu", kReluFlops},
      Named{"leakyrelu", kLeakyReluFlops},
      Named{"thresholdedrelu", kReluFlops},
      Named{"elu", kEluFlops},
      Named{"sigmoid", kSigmoidFlops},
      Named{"hardsigmoid", kHardSigmoidFlops},
      Named{"hardswish", kHardSwishFlops},
      Named{"silu", kSiluFlops},
      Named{"swish", kSiluFlops},
      Named{"swiglu", kSiluFlops + 1},
      Named{"tanh", kTanhFlops},
      Named{"scaledtanh", kScaledTanhFlops},
      Named{"softplus", kSoftplusFlops},
      Named{"softsign", kSoftsignFlops},
      Named{"gelu", kErfGeluFlops},
      Named{"fastgelu", kTanhGeluFlops},
      Named{"quickgelu", kQuickGeluFlops},
      Named{"clip", kClipFlops},
      Named{"affine", kAffineFlops},
      Named{"softmax", kSoftmaxFlops},
  };
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  };
  for (const Named& known : kNamed) {
    bool same = known.name.size() == name.size();
    for (std::size_t i = 0; same && i < name.size(); ++i) same = known.name[i] == lower(name[i]);
    if (same) return known.flops;
  }
  return 0;
}

}  // namespace jouletree::model
