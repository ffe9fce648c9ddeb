#include "predict/ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

namespace jouletree::predict {
namespace {

/// Names and runs of what is left out together.
using Groups = std::vector<std::pair<std::string, std::vector<std::size_t>>>;

/// Groups of runs to leave out: one per model, or several models each where there are many.
Groups left_out_groups(const std::vector<TreeRun>& runs, const RunMask& used) {
  Groups models;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!used[i]) continue;
    const auto [place, is_new] = places.emplace(runs[i].model, models.size());
    if (is_new) models.push_back({runs[i].model, {}});
    models[place->second].second.push_back(i);
  }
  if (models.size() <= kMostMembers) return models;
  Groups groups(kMostMembers);
  for (std::size_t i = 0; i < models.size(); ++i) {
    auto& [name, members] = groups[i % kMostMembers];
    if (is_single_operator(runs[models[i].second.front()])) {
      name = fmt::format("part {} of {}", i % kMostMembers + 1, kMostMembers);
    } else {
      name += (name.empty() ? "" : ", ") + models[i].first;
    }
    members.insert(members.end(), models[i].second.begin(), models[i].second.end());
  }
  return groups;
}

using Residuals = std::array<std::vector<double>, kLevels>;

void add_residuals(const TreeRun& run, const std::vector<double>& predicted, Target target,
                   Residuals& residuals) {
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    const auto& value = truth(run.nodes[i], target);
    if (value && predicted[i] > 0)
      residuals[index_of(run.nodes[i].level)].push_back(std::abs(std::log(*value / predicted[i])));
  }
}

/// The new model may be as odd as the oddest one that was seen.
void widen(Residuals& residuals, double level, HalfWidths& half_widths) {
  for (std::size_t l = 0; l < kLevels; ++l) {
    if (!residuals[l].empty())
      half_widths[l] =
          std::max(half_widths[l].value_or(0), conformal_quantile(residuals[l], level));
  }
}

std::size_t count_models(const std::vector<TreeRun>& runs, const RunMask& used) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (used[i] && !is_single_operator(runs[i])) names.insert(runs[i].model);
  return names.size();
}

/// By how much an interval around all members must be widened to hold the truth of a model that
/// `left_out` has not seen; negative where it holds it anyway. Nothing without a truth.
std::optional<double> missed_by(const Ensemble& ensemble, const TreeRun& run, std::size_t left_out,
                                Target target, FeatureSet features) {
  const auto& value = truth(run.nodes.front(), target);
  if (!value || run.nodes.front().level != NodeLevel::Model) return std::nullopt;
  const LoadedRun loaded(run);
  const double whole = ensemble.fit->predict(loaded, features).front();
  double low = whole;
  double high = whole;
  double unseen = whole;
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) {
    const double other = ensemble.members[m]->predict(loaded, features).front();
    if (m == left_out) unseen = other;
    if (!(other > 0)) continue;
    low = std::min(low, other);
    high = std::max(high, other);
  }
  if (!(whole > 0) || !(unseen > 0)) return std::nullopt;
  const double log_ratio = std::log(*value / unseen);
  return std::max(std::log(low / whole) - log_ratio, log_ratio - std::log(high / whole));
}

/// Intervals of whole models hold as many of those that were left out as they should.
void calibrate_models(Ensemble& ensemble, const std::vector<TreeRun>& runs, const Groups& groups,
                      Target target, FeatureSet features, double level) {
  std::vector<double> missed;
  for (std::size_t m = 0; m < groups.size(); ++m) {
    for (const std::size_t i : groups[m].second)
      if (const auto by = missed_by(ensemble, runs[i], m, target, features)) missed.push_back(*by);
  }
  if (missed.empty()) return;
  ensemble.half_widths[static_cast<std::size_t>(features)][index_of(NodeLevel::Model)] =
      std::max(0.0, conformal_quantile(missed, level));
}

/// How far predictions of the node are from `value` in the mean, in log space.
double disagreement(double value, const std::vector<std::vector<double>>& others,
                    std::size_t node) {
  double sum = 0;
  for (const std::vector<double>& other : others) {
    if (!(other[node] > 0)) continue;
    const double distance = std::log(other[node] / value);
    sum += distance * distance;
  }
  return others.empty() ? 0 : std::sqrt(sum / static_cast<double>(others.size()));
}

std::vector<double> truths_of(const TreeRun& run, Target target) {
  std::vector<double> truths;
  for (const RunNode& node : run.nodes)
    truths.push_back(truth(node, target).value_or(std::numeric_limits<double>::quiet_NaN()));
  return truths;
}

/// How far left-out runs were off, and so many times the expected error hold as many of them as
/// they should.
std::optional<GroupSpread> measured_spread(const Ensemble& ensemble,
                                           const std::vector<TreeRun>& runs, const Groups& groups,
                                           Target target, double level) {
  SpreadCollector collector;
  struct Seen {
    LoadedRun loaded;
    std::vector<double> truths;
    std::vector<double> unseen;
    std::vector<std::vector<double>> others;
  };
  std::vector<Seen> all;
  for (std::size_t m = 0; m < groups.size(); ++m) {
    for (const std::size_t i : groups[m].second) {
      Seen& seen = all.emplace_back(Seen{LoadedRun(runs[i]), truths_of(runs[i], target), {}, {}});
      for (const auto& member : ensemble.members)
        seen.others.push_back(member->predict(seen.loaded, FeatureSet::Specs));
      seen.unseen = seen.others[m];
      collector.add(seen.loaded, seen.truths, seen.unseen);
    }
  }
  auto spread = collector.spread();
  if (!spread) return std::nullopt;
  std::vector<double> of_models;
  std::vector<double> of_operators;
  for (const Seen& seen : all) {
    const std::vector<double> errors = spread->expected_errors(seen.loaded, seen.unseen);
    for (std::size_t n = 0; n < errors.size(); ++n) {
      if (!(seen.truths[n] > 0) || !(seen.unseen[n] > 0)) continue;
      const NodeLevel of = seen.loaded.run.nodes[n].level;
      if (of == NodeLevel::Module) continue;
      const double expected = std::hypot(errors[n], disagreement(seen.unseen[n], seen.others, n));
      (of == NodeLevel::Model ? of_models : of_operators)
          .push_back(std::abs(std::log(seen.truths[n] / seen.unseen[n])) / expected);
    }
  }
  if (of_models.size() < kManyModels || of_operators.empty()) return std::nullopt;
  spread->model_quantile = conformal_quantile(of_models, level);
  spread->operator_quantile = conformal_quantile(of_operators, level);
  return spread;
}

/// Where no module was measured, one may be as far off as an operator or a whole model.
void add_modules(HalfWidths& half_widths) {
  auto& module = half_widths[index_of(NodeLevel::Module)];
  if (!module) {
    module = std::max(half_widths[index_of(NodeLevel::Operator)],
                      half_widths[index_of(NodeLevel::Model)]);
  }
}

}  // namespace

double conformal_quantile(std::vector<double>& values, double level) {
  // Of n residuals, the one that is so large that a share `level` of n + 1 lies below it.
  const auto count = static_cast<double>(values.size());
  const double rank = std::min(count, std::ceil((count + 1) * level));
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(std::max(1.0, rank) - 1);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

std::vector<BoundedValue> Ensemble::predict(const LoadedRun& loaded, FeatureSet features,
                                            const HalfWidths& least) const {
  const TreeRun& run = loaded.run;
  const std::vector<double> values = fit->predict(loaded, features);
  std::vector<std::vector<double>> others;
  for (const auto& member : members) others.push_back(member->predict(loaded, features));
  if (spread && features == FeatureSet::Specs) return spread_around(loaded, values, others, least);
  const HalfWidths& widths = half_widths[static_cast<std::size_t>(features)];
  std::vector<BoundedValue> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    result[i].value = values[i];
    const std::size_t level = index_of(run.nodes[i].level);
    if ((widths[level] || least[level]) && values[i] > 0)
      result[i].range = Range{values[i], values[i]};
  }
  for (const std::vector<double>& other : others) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!result[i].range || !(other[i] > 0)) continue;
      result[i].range->low = std::min(result[i].range->low, other[i]);
      result[i].range->high = std::max(result[i].range->high, other[i]);
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!result[i].range) continue;
    const std::size_t level = index_of(run.nodes[i].level);
    const double factor = std::exp(std::max(widths[level].value_or(0), least[level].value_or(0)));
    result[i].range->low /= factor;
    result[i].range->high *= factor;
  }
  return result;
}

std::vector<BoundedValue> Ensemble::spread_around(const LoadedRun& loaded,
                                                  const std::vector<double>& values,
                                                  const std::vector<std::vector<double>>& others,
                                                  const HalfWidths& least) const {
  const std::vector<double> errors = spread->expected_errors(loaded, values);
  std::vector<BoundedValue> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    result[i].value = values[i];
    if (!(values[i] > 0)) continue;
    const NodeLevel level = loaded.run.nodes[i].level;
    const double error = std::hypot(errors[i], disagreement(values[i], others, i));
    const double times =
        level == NodeLevel::Operator ? spread->operator_quantile : spread->model_quantile;
    const double factor = std::exp(std::max(times * error, least[index_of(level)].value_or(0)));
    result[i].range = Range{values[i] / factor, values[i] * factor};
  }
  return result;
}

Ensemble train_ensemble(const Trainer& trainer, const std::vector<TreeRun>& runs,
                        const RunMask& used, Target target, std::span<const FeatureSet> calibrated,
                        double level) {
  Ensemble ensemble;
  ensemble.fit = trainer.fit(used);
  const auto groups = left_out_groups(runs, used);
  if (groups.size() < 2) return ensemble;
  for (const auto& [name, indices] : groups) {
    RunMask rest = used;
    for (const std::size_t i : indices) rest[i] = 0;
    ensemble.members.push_back(trainer.fit(rest));
    ensemble.left_out.push_back(name);
    for (const FeatureSet features : calibrated) {
      Residuals residuals;
      for (const std::size_t i : indices) {
        add_residuals(runs[i], ensemble.members.back()->predict(runs[i], features), target,
                      residuals);
      }
      widen(residuals, level, ensemble.half_widths[static_cast<std::size_t>(features)]);
    }
  }
  if (count_models(runs, used) >= kManyModels) {
    for (const FeatureSet features : calibrated)
      calibrate_models(ensemble, runs, groups, target, features, level);
    const bool from_specs =
        std::find(calibrated.begin(), calibrated.end(), FeatureSet::Specs) != calibrated.end();
    if (from_specs) ensemble.spread = measured_spread(ensemble, runs, groups, target, level);
  }
  for (HalfWidths& half_widths : ensemble.half_widths) add_modules(half_widths);
  return ensemble;
}

}  // namespace jouletree::predict
