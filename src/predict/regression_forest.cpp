#include "predict/regression_forest.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "jouletree/error.hpp"
#include "predict/stored_fits.hpp"

namespace jouletree::predict {
namespace {

using Json = nlohmann::ordered_json;
using ForestSamples = std::vector<ForestSample>;

struct Split {
  int feature = -1;
  double threshold = 0;
  double error = std::numeric_limits<double>::infinity();
};

/// Grows one tree; std::mt19937_64 gives the same numbers everywhere, distributions do not.
class TreeGrower {
 public:
  TreeGrower(const ForestSamples& samples, const ForestSettings& settings, std::mt19937_64& random)
      : samples_(samples), settings_(settings), random_(random) {}

  RegressionForest::Tree grow() {
    std::vector<std::size_t> drawn(samples_.size());
    for (std::size_t& place : drawn) place = random_() % samples_.size();
    grow_node(drawn);
    return std::move(tree_);
  }

 private:
  std::uint32_t grow_node(std::vector<std::size_t>& drawn) {
    const auto place = static_cast<std::uint32_t>(tree_.size());
    tree_.emplace_back();
    double sum = 0;
    for (const std::size_t i : drawn) sum += samples_[i].value;
    tree_[place].value = sum / static_cast<double>(drawn.size());
    const Split split = best_split(drawn);
    if (split.feature < 0) return place;
    std::vector<std::size_t> low;
    std::vector<std::size_t> high;
    for (const std::size_t i : drawn)
      (feature(i, split.feature) <= split.threshold ? low : high).push_back(i);
    if (low.empty() || high.empty()) return place;
    drawn.clear();
    const std::uint32_t left = grow_node(low);
    const std::uint32_t right = grow_node(high);
    tree_[place] = {split.feature, split.threshold, left, right};
    return place;
  }

  [[nodiscard]] double feature(std::size_t sample, int index) const {
    return samples_[sample].features[static_cast<std::size_t>(index)];
  }

  Split best_split(const std::vector<std::size_t>& drawn) {
    Split best;
    const auto smallest = static_cast<std::size_t>(settings_.smallest_leaf);
    if (drawn.size() < 2 * smallest) return best;
    std::vector<int> order(samples_.front().features.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_() % i]);
    const std::size_t tried = std::max<std::size_t>(1, (order.size() + 2) / 3);
    for (std::size_t i = 0; i < order.size(); ++i) {
      // A feature that cannot split does not count as a try.
      if (i >= tried && best.feature >= 0) break;
      try_feature(drawn, order[i], smallest, best);
    }
    return best;
  }

  void try_feature(const std::vector<std::size_t>& drawn, int index, std::size_t smallest,
                   Split& best) const {
    std::vector<std::pair<double, double>> sorted;
    sorted.reserve(drawn.size());
    double right_sum = 0;
    for (const std::size_t i : drawn) {
      sorted.emplace_back(feature(i, index), samples_[i].value);
      right_sum += samples_[i].value;
    }
    std::sort(sorted.begin(), sorted.end());
    double left_sum = 0;
    for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
      left_sum += sorted[i].second;
      right_sum -= sorted[i].second;
      if (sorted[i].first == sorted[i + 1].first) continue;
      const std::size_t left = i + 1;
      const std::size_t right = sorted.size() - left;
      if (left < smallest || right < smallest) continue;
      // The squared error up to a constant.
      const double error = -left_sum * left_sum / static_cast<double>(left) -
                           right_sum * right_sum / static_cast<double>(right);
      if (error < best.error) best = {index, (sorted[i].first + sorted[i + 1].first) / 2, error};
    }
  }

  const ForestSamples& samples_;
  const ForestSettings& settings_;
  std::mt19937_64& random_;
  RegressionForest::Tree tree_;
};

}  // namespace

RegressionForest RegressionForest::fit(const ForestSamples& samples,
                                       const ForestSettings& settings) {
  RegressionForest forest;
  std::mt19937_64 random(settings.seed);
  for (int i = 0; i < settings.trees; ++i)
    forest.trees_.push_back(TreeGrower(samples, settings, random).grow());
  return forest;
}

double RegressionForest::predict(const std::vector<double>& features) const {
  double sum = 0;
  for (const Tree& tree : trees_) {
    std::uint32_t place = 0;
    while (tree[place].feature >= 0) {
      place = features[static_cast<std::size_t>(tree[place].feature)] <= tree[place].value
                  ? tree[place].left
                  : tree[place].right;
    }
    sum += tree[place].value;
  }
  return sum / static_cast<double>(trees_.size());
}

ForestPath RegressionForest::path(const std::vector<double>& features) const {
  ForestPath path{0, std::vector<double>(features.size(), 0)};
  const double share = 1 / static_cast<double>(trees_.size());
  for (const Tree& tree : trees_) {
    // Children stand behind their parents; both sides count the same.
    std::vector<double> means(tree.size());
    for (std::size_t i = tree.size(); i-- > 0;) {
      means[i] =
          tree[i].feature < 0 ? tree[i].value : (means[tree[i].left] + means[tree[i].right]) / 2;
    }
    path.typical += share * means[0];
    std::uint32_t place = 0;
    while (tree[place].feature >= 0) {
      const auto feature = static_cast<std::size_t>(tree[place].feature);
      const std::uint32_t next =
          features[feature] <= tree[place].value ? tree[place].left : tree[place].right;
      path.by_feature[feature] += share * (means[next] - means[place]);
      place = next;
    }
  }
  return path;
}

std::vector<double> RegressionForest::importance() const {
  std::vector<double> shares;
  double total = 0;
  for (const Tree& tree : trees_) {
    std::vector<double> weights(tree.size(), 1);
    for (std::size_t i = 0; i < tree.size(); ++i) {
      if (tree[i].feature < 0) continue;
      const auto feature = static_cast<std::size_t>(tree[i].feature);
      if (feature >= shares.size()) shares.resize(feature + 1, 0);
      shares[feature] += weights[i];
      total += weights[i];
      weights[tree[i].left] = weights[tree[i].right] = weights[i] / 2;
    }
  }
  for (double& share : shares) share /= total;
  return shares;
}

Json RegressionForest::to_json() const {
  Json trees = Json::array();
  for (const Tree& tree : trees_) {
    Json nodes = Json::array();
    for (const Node& node : tree)
      nodes.push_back(Json::array({node.feature, node.value, node.left, node.right}));
    trees.push_back(std::move(nodes));
  }
  return trees;
}

RegressionForest RegressionForest::from_json(const Json& json, std::size_t features) {
  RegressionForest forest;
  for (const Json& tree : json) {
    Tree& nodes = forest.trees_.emplace_back();
    const auto last = static_cast<std::int64_t>(tree.size()) - 1;
    const auto highest = static_cast<std::int64_t>(features) - 1;
    for (const Json& node : tree) {
      const auto place = static_cast<std::int64_t>(nodes.size());
      const auto feature = stored_count(node.at(0), "the feature of a forest", -1, highest);
      // Children stand behind their parent: a damaged file must not send predictions in circles.
      const std::int64_t first = feature < 0 ? 0 : place + 1;
      nodes.push_back({static_cast<int>(feature), node.at(1),
                       static_cast<std::uint32_t>(
                           stored_count(node.at(2), "a branch of a forest", first, last)),
                       static_cast<std::uint32_t>(
                           stored_count(node.at(3), "a branch of a forest", first, last))});
    }
    if (nodes.empty())
      throw Error(ErrorKind::BadInput, "is a damaged predictor: a tree of its forest is empty");
  }
  if (forest.trees_.empty())
    throw Error(ErrorKind::BadInput, "is a damaged predictor: one of its forests has no trees");
  return forest;
}

}  // namespace jouletree::predict
