#pragma once

#include <array>
#include <vector>

#include "predict/ensemble.hpp"

namespace jouletree::predict {

/// True values and their predictions, by level of the tree.
class ErrorCollector {
 public:
  /// The truth is above zero.
  void add(NodeLevel level, double truth, double predicted);
  void add_all(const ErrorCollector& other);
  [[nodiscard]] LevelStatistics statistics() const;

 private:
  struct Pair {
    double truth;
    double predicted;
  };
  [[nodiscard]] static std::optional<ErrorStatistics> of(const std::vector<Pair>& pairs);

  std::array<std::vector<Pair>, kLevels> pairs_;
};

}  // namespace jouletree::predict
