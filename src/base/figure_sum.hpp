#pragma once

#include "jouletree/figure.hpp"

namespace jouletree {

/// Adds up figures that were measured independently of each other: what they may be off adds in
/// quadrature, below and above the sum for itself.
class FigureSum {
 public:
  /// One figure that counts several times: all of its copies are off alike.
  void add(const Figure& part, double times);

  /// Nothing where there is no part, or one without a value. A bound that a part lacks is not known
  /// of the sum either.
  [[nodiscard]] Figure total() const;

 private:
  bool has_parts_ = false;
  std::optional<double> value_ = 0;
  std::optional<double> below_ = 0;  ///< Squares of what the parts may be less.
  std::optional<double> above_ = 0;
};

}  // namespace jouletree
