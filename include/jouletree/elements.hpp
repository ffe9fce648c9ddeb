#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace jouletree {

/// One element of a tensor whose content is known before the model runs. Integers and booleans are
/// exact; real numbers are doubles.
class Scalar {
 public:
  Scalar() = default;  ///< Unknown.
  [[nodiscard]] static Scalar integer(std::int64_t value) { return {value, Kind::Integer}; }
  [[nodiscard]] static Scalar boolean(bool value) { return integer(value ? 1 : 0); }
  [[nodiscard]] static Scalar real(double value) {
    return {std::bit_cast<std::int64_t>(value), Kind::Real};
  }

  [[nodiscard]] bool known() const { return kind_ != Kind::Unknown; }
  [[nodiscard]] bool is_integer() const { return kind_ == Kind::Integer; }
  [[nodiscard]] bool is_real() const { return kind_ == Kind::Real; }
  /// Only where known. A real number is cut towards zero and kept within 64 bits; NaN is 0.
  [[nodiscard]] std::int64_t as_integer() const;
  [[nodiscard]] double as_real() const {
    return kind_ == Kind::Real ? std::bit_cast<double>(bits_) : static_cast<double>(bits_);
  }

  friend bool operator==(const Scalar& a, const Scalar& b) {
    if (a.kind_ != b.kind_) return false;
    return a.kind_ == Kind::Real ? a.as_real() == b.as_real() : a.bits_ == b.bits_;
  }

 private:
  enum class Kind : std::uint8_t { Unknown, Integer, Real };
  Scalar(std::int64_t bits, Kind kind) : bits_(bits), kind_(kind) {}

  std::int64_t bits_ = 0;  ///< The integer, or the bits of the double.
  Kind kind_ = Kind::Unknown;
};

/// The content of a tensor in row-major order; its dimensions stand in its ValueType.
using Elements = std::vector<Scalar>;

/// Larger tensors are not followed: they are data, not shapes.
inline constexpr std::int64_t kMaxElements = 65536;

}  // namespace jouletree
