#pragma once

#include <cstdint>
#include <vector>

#include <nlohmann/json.hpp>

namespace jouletree::predict {

struct ForestSample {
  std::vector<double> features;
  double value = 0;
};

struct ForestSettings {
  int trees = 50;
  int smallest_leaf = 2;
  std::uint64_t seed = 1;
};

/// How a forest came to a prediction: the sum of all numbers.
struct ForestPath {
  double typical = 0;              ///< Where it started.
  std::vector<double> by_feature;  ///< What each feature changed on the way.
};

/// A random forest for one number: trees on random draws of the samples, each split chosen among a
/// random third of the features; the prediction is their mean. The same seed gives the same forest.
class RegressionForest {
 public:
  [[nodiscard]] static RegressionForest fit(const std::vector<ForestSample>& samples,
                                            const ForestSettings& settings);
  [[nodiscard]] double predict(const std::vector<double>& features) const;
  [[nodiscard]] ForestPath path(const std::vector<double>& features) const;
  /// Share of each feature in the splits; one half counts for a split as much as for the two below.
  [[nodiscard]] std::vector<double> importance() const;
  [[nodiscard]] nlohmann::ordered_json to_json() const;
  [[nodiscard]] static RegressionForest from_json(const nlohmann::ordered_json& json,
                                                  std::size_t features);

  struct Node {
    int feature = -1;  ///< −1 in a leaf.
    double value = 0;  ///< Of the leaf, or the threshold: features up to it go left.
    std::uint32_t left = 0;
    std::uint32_t right = 0;
  };
  using Tree = std::vector<Node>;

 private:
  std::vector<Tree> trees_;
};

}  // namespace jouletree::predict
