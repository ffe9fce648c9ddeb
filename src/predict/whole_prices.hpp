#pragma once

#include <unordered_map>

#include "predict/ledger.hpp"

namespace jouletree::predict {

/// Learns prices of operators from models (or modules) of which only the whole was measured: what
/// their operators cost must add up to it. Few different operators occur in many models, so each is
/// kept once, and a whole is how often it has which.
class WholePrices {
 public:
  /// Takes what was measured of a run that teaches_whole().
  void add(const TreeRun& run, std::size_t index, Target target);

  /// Fits prices of operators that `prices` does not have, and scales those that it has, to the
  /// used runs. Changes nothing without any.
  void fit(const RunMask& used, LedgerCoefficients& prices) const;

 private:
  struct Whole {
    std::size_t run = 0;
    NodeLevel level = NodeLevel::Model;
    double truth = 0;
    double operators = 0;
    double mebibytes = 0;
    std::vector<std::pair<std::size_t, double>> loads;  ///< Places in loads_, and how often.
  };

  [[nodiscard]] std::size_t place_of(const TreeRun& run, const RunNode& node);

  std::vector<Whole> wholes_;
  std::vector<OperatorLoad> loads_;  ///< Different ones.
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace jouletree::predict
