#include "predict/predictor_state.hpp"
#include "predict/told_predictions.hpp"

namespace jouletree {
namespace {

void add(std::vector<Explanation> lines, predict::Target target, std::vector<Explanation>& result) {
  for (Explanation& line : lines) {
    line.target = name_of(target);
    result.push_back(std::move(line));
  }
}

/// The parts of a node of the original, which others may stand for.
std::vector<Explanation> told_parts(const predict::Fitted& fit, const predict::ToldRun& told,
                                    const predict::ToldBy& place, const std::string& id,
                                    FeatureSet features) {
  using How = predict::ToldBy::How;
  std::vector<Explanation> lines;
  if (place.how == How::Within) {
    Explanation& line = lines.emplace_back();
    line.of = id;
    line.term = "part of " + told.run.nodes[place.node].scope + ", costs nothing of its own";
    line.unit = "1";
    return lines;
  }
  if (place.how == How::Itself) {
    lines = fit.parts(told.run, place.node, features);
    for (Explanation& line : lines) line.of = id;
    return lines;
  }
  const std::vector<double> costs = fit.predict(told.run, features);
  Explanation line;
  line.of = id;
  line.term = "share of what " + told.run.nodes[place.node].scope + " adds to its parts";
  line.unit = "1";
  line.amount =
      predict::added_by(told.run, place.node, [&](std::size_t node) { return costs[node]; });
  line.coefficient = place.share;
  line.cost = place.share * line.amount;
  lines.push_back(std::move(line));
  return lines;
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
  const auto told = foreign(run) ? predict::told_run(*state_, run, features) : std::nullopt;
  if (told) {
    const predict::ToldBy& place = told->nodes[node];
    for (const auto target : {predict::Target::Energy, predict::Target::Time}) {
      if (const auto& ensemble = state_->of(target))
        add(told_parts(*ensemble->fit, *told, place, run.nodes[node].id, features), target, result);
    }
    return result;
  }
  for (const auto target : {predict::Target::Energy, predict::Target::Time}) {
    if (const auto& ensemble = state_->of(target))
      add(ensemble->fit->parts(run, node, features), target, result);
  }
  return result;
}

std::vector<FeatureRange> Predictor::trained_ranges() const { return state_->ranges.list(); }

}  // namespace jouletree
