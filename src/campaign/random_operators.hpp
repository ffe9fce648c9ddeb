#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "zoo/single_operator.hpp"

namespace jouletree::campaign {

/// A size that may depend on what is drawn: "channels", "3", "4*width", "channels/groups".
using SizeText = std::string;

/// Operators of one type whose sizes are drawn at random.
struct RandomOperators {
  struct NamedAttribute {
    enum class Kind : std::uint8_t { Text, Size, Sizes, Real };
    std::string name;
    Kind kind = Kind::Size;
    std::vector<std::string> texts{};  ///< One text, one size, or a list of sizes.
    double real = 0;
  };

  std::string op;
  std::int64_t count = 1;
  std::uint64_t seed = 1;
  std::string place;  ///< For errors.
  std::map<std::string, std::vector<std::int64_t>> draw;
  std::vector<std::vector<SizeText>> inputs;
  std::vector<std::vector<SizeText>> weights;
  std::vector<NamedAttribute> attributes;
};

/// An operator with what was drawn for it.
struct DrawnOperator {
  zoo::SingleOperator one;
  std::string label;  ///< "Conv channels=8 kernel=3".
};

/// As many different ones as asked for, the same for the same seed on every machine. Draws that
/// give no operator (a kernel larger than its image) are drawn again. Throws Error(BadInput) where
/// the ranges do not hold so many.
[[nodiscard]] std::vector<DrawnOperator> draw_operators(const RandomOperators& wanted);

}  // namespace jouletree::campaign
