#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "jouletree/predict.hpp"

namespace jouletree::predict {

/// Where the training data end: the sizes that each group of operators had in them.
class TrainedRanges {
 public:
  TrainedRanges() = default;
  explicit TrainedRanges(const std::vector<TreeRun>& runs);

  /// Of each node, whether it is an operator unlike those of the training data, or holds one.
  /// Without `sizes` only its group counts.
  [[nodiscard]] std::vector<char> beyond(const TreeRun& run, bool sizes) const;
  /// What the other has seen counts as seen, too.
  void add(const TrainedRanges& other);
  [[nodiscard]] std::vector<FeatureRange> list() const;
  [[nodiscard]] nlohmann::ordered_json to_json() const;
  [[nodiscard]] static TrainedRanges from_json(const nlohmann::ordered_json& json);

 private:
  struct Sizes {
    Range mflops;
    Range mebibytes;
  };
  std::map<std::string, Sizes, std::less<>> groups_;
};

}  // namespace jouletree::predict
