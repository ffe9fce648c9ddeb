#include "predict/predictor_state.hpp"

namespace jouletree {
namespace {

void add(std::vector<Explanation> lines, predict::Target target, std::vector<Explanation>& result) {
  for (Explanation& line : lines) {
    line.target = name_of(target);
    result.push_back(std::move(line));
  }
}

}  // namespace

std::vector<Explanation> Predictor::explain() const {
  std::vector<Explanation> result;
  for (const auto target : {predict::Target::Energy, predict::Target::Time})
    if (const auto& ensemble = state_->of(target)) add(ensemble->fit->terms(), target, result);
  return result;
}

std::vector<Explanation> Predictor::explain(const TreeRun& run, std::size_t node,
                                            FeatureSet features) const {
  std::vector<Explanation> result;
  for (const auto target : {predict::Target::Energy, predict::Target::Time}) {
    if (const auto& ensemble = state_->of(target))
      add(ensemble->fit->parts(run, node, features), target, result);
  }
  return result;
}

std::vector<FeatureRange> Predictor::trained_ranges() const { return state_->ranges.list(); }

}  // namespace jouletree
