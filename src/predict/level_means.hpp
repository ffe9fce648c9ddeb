#pragma once

#include <array>

#include "predict/ensemble.hpp"

namespace jouletree::predict {

/// Means by level of the tree.
class LevelMeans {
 public:
  void add(NodeLevel level, double value);
  /// Each mean as one value: the mean over folds.
  void add_means(const LevelErrors& means);
  /// All values of the other: the mean over nodes.
  void add_all(const LevelMeans& other);
  /// Nothing where there was no value.
  [[nodiscard]] LevelErrors means() const;

 private:
  std::array<double, kLevels> sums_{};
  std::array<double, kLevels> counts_{};
};

}  // namespace jouletree::predict
