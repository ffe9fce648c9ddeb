#include "predict/level_means.hpp"

namespace jouletree::predict {

void LevelMeans::add(NodeLevel level, double value) {
  sums_[index_of(level)] += value;
  counts_[index_of(level)] += 1;
}

void LevelMeans::add_means(const LevelErrors& means) {
  if (means.ml) add(NodeLevel::Operator, *means.ml);
  if (means.module) add(NodeLevel::Module, *means.module);
  if (means.model) add(NodeLevel::Model, *means.model);
}

void LevelMeans::add_all(const LevelMeans& other) {
  for (std::size_t l = 0; l < kLevels; ++l) {
    sums_[l] += other.sums_[l];
    counts_[l] += other.counts_[l];
  }
}

LevelErrors LevelMeans::means() const {
  const auto mean = [&](NodeLevel level) -> std::optional<double> {
    const std::size_t l = index_of(level);
    if (counts_[l] == 0) return std::nullopt;
    return sums_[l] / counts_[l];
  };
  return {mean(NodeLevel::Operator), mean(NodeLevel::Module), mean(NodeLevel::Model)};
}

}  // namespace jouletree::predict
