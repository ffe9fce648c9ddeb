#include <atomic>
#include <cmath>
#include <exception>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "predict/ensemble.hpp"
#include "predict/error_collector.hpp"
#include "predict/folds.hpp"
#include "predict/level_means.hpp"
#include "predict/predictor_state.hpp"
#include "predict/teaching.hpp"

namespace jouletree {
namespace predict {
namespace {

struct Scores {
  LevelMeans energy;
  LevelMeans time;
  LevelMeans coverage;
  LevelMeans width;
  ErrorCollector energy_values;
  ErrorCollector time_values;
  std::size_t runs = 0;

  void add(const Scores& other) {
    energy.add_all(other.energy);
    time.add_all(other.time);
    coverage.add_all(other.coverage);
    width.add_all(other.width);
    energy_values.add_all(other.energy_values);
    time_values.add_all(other.time_values);
    runs += other.runs;
  }
};

/// In order of names, so that results do not depend on threads.
using ScoresByName = std::map<std::string, Scores>;

struct FoldResult {
  ScoresByName scores;            ///< Of the fold as a whole or, of single operators, by type.
  std::size_t not_predicted = 0;  ///< Nodes whose energy or time is known, but not predicted.
  /// Where folds are kept: what predicted them.
  std::optional<Ensemble> energy;
  std::optional<Ensemble> time;
};

const std::string& name_of_scores(const FoldSplit& split, const TreeRun& run) {
  if (!split.single_operators) return split.name;
  return run.family.empty() ? run.nodes.front().type : run.family;
}

/// What is the same for all folds.
struct Job {
  const std::vector<TreeRun>& runs;
  const TrainOptions& options;
  std::unique_ptr<Trainer> energy;
  std::unique_ptr<Trainer> time;
  bool keeps = false;

  /// What a predictor file must be able to work from, or what is looked at here alone.
  [[nodiscard]] std::span<const FeatureSet> calibrated() const {
    return keeps ? feature_sets_within(options.features) : std::span(&options.features, 1);
  }
};

void score_energy(const Job& job, const RunMask& used, const FoldSplit& split, FoldResult& result) {
  result.energy = train_ensemble(*job.energy, job.runs, used, Target::Energy, job.calibrated(),
                                 job.options.level);
  const Ensemble& ensemble = *result.energy;
  for (const std::size_t i : split.runs) {
    const TreeRun& run = job.runs[i];
    Scores& scores = result.scores[name_of_scores(split, run)];
    const auto predicted = ensemble.predict(run, job.options.features);
    for (std::size_t n = 0; n < run.nodes.size(); ++n) {
      const RunNode& node = run.nodes[n];
      if (!node.energy_j) continue;
      if (std::isnan(predicted[n].value)) {
        ++result.not_predicted;
        continue;
      }
      const double value = *node.energy_j;
      scores.energy.add(node.level, 100 * std::abs(predicted[n].value - value) / value);
      scores.energy_values.add(node.level, value, predicted[n].value);
      const auto& range = predicted[n].range;
      if (!range) continue;
      scores.coverage.add(node.level, range->low <= value && value <= range->high ? 100 : 0);
      scores.width.add(node.level, 100 * (range->high - range->low) / predicted[n].value);
    }
  }
}

void score_time(const Job& job, const RunMask& used, const FoldSplit& split, FoldResult& result) {
  Ensemble ensemble;
  if (job.keeps) {
    ensemble = train_ensemble(*job.time, job.runs, used, Target::Time, job.calibrated(),
                              job.options.level);
  } else {
    ensemble.fit = job.time->fit(used);
  }
  result.time = std::move(ensemble);
  for (const std::size_t i : split.runs) {
    const TreeRun& run = job.runs[i];
    Scores& scores = result.scores[name_of_scores(split, run)];
    const auto predicted = result.time->fit->predict(run, job.options.features);
    for (std::size_t n = 0; n < run.nodes.size(); ++n) {
      const auto& value = run.nodes[n].time_s;
      if (value && std::isnan(predicted[n])) ++result.not_predicted;
      if (!value || std::isnan(predicted[n])) continue;
      scores.time.add(run.nodes[n].level, 100 * std::abs(predicted[n] - *value) / *value);
      scores.time_values.add(run.nodes[n].level, *value, predicted[n]);
    }
  }
}

FoldResult run_fold(const Job& job, const FoldSplit& split) {
  RunMask used(job.runs.size(), 1);
  FoldResult result;
  for (const std::size_t i : split.runs) {
    used[i] = 0;
    ++result.scores[name_of_scores(split, job.runs[i])].runs;
  }
  if (job.energy) score_energy(job, used, split, result);
  if (job.time) score_time(job, used, split, result);
  if (!job.keeps) {
    result.energy.reset();
    result.time.reset();
  }
  return result;
}

/// Results stand at the place of their fold, whichever thread made them.
std::vector<FoldResult> run_folds(const Job& job, const std::vector<FoldSplit>& folds,
                                  const FoldProgress& progress) {
  std::vector<FoldResult> results(folds.size());
  std::vector<std::exception_ptr> problems(folds.size());
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> done = 0;
  const auto work = [&](bool tells) {
    for (std::size_t i = next++; i < folds.size(); i = next++) {
      try {
        results[i] = run_fold(job, folds[i]);
      } catch (...) {
        problems[i] = std::current_exception();
      }
      ++done;
      if (tells && progress) progress(done, folds.size());
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t count =
        std::min<std::size_t>(folds.size(), std::max(1U, std::thread::hardware_concurrency()));
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work, false);
    work(true);
  }
  for (const auto& problem : problems)
    if (problem) std::rethrow_exception(problem);
  return results;
}

Fold fold_of(const std::string& name, const Scores& scores) {
  return {name,
          scores.energy.means(),
          scores.time.means(),
          scores.coverage.means(),
          0,
          scores.energy_values.statistics(),
          scores.time_values.statistics()};
}

std::string unpredicted_text(const std::string& left_out, std::size_t values) {
  return fmt::format(
      "with {} left out, {} could not be predicted and {} not part of the errors: the others hold "
      "no operators of these types, or FLOPs and bytes are unknown",
      left_out, number_of(values, "value"), agreeing(values, "is", "are"));
}

/// Models (families …): each fold counts the same.
void add_folds(const std::vector<FoldSplit>& folds, const std::vector<FoldResult>& results,
               CrossValidation& report) {
  LevelMeans energy;
  LevelMeans time;
  Scores all;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    const Scores& scores = results[i].scores.at(folds[i].name);
    report.folds.push_back(fold_of(folds[i].name, scores));
    energy.add_means(report.folds.back().energy);
    time.add_means(report.folds.back().time);
    all.add(scores);
    if (results[i].not_predicted > 0)
      report.warnings.push_back(unpredicted_text(folds[i].name, results[i].not_predicted));
  }
  report.energy = energy.means();
  report.time = time.means();
  report.coverage = all.coverage.means();
  report.width = all.width.means();
  report.energy_statistics = all.energy_values.statistics();
  report.time_statistics = all.time_values.statistics();
}

/// Single operators: each operator counts the same, and parts are nothing to tell of.
void add_operator_types(const std::vector<FoldResult>& results, CrossValidation& report) {
  ScoresByName types;
  Scores all;
  std::size_t not_predicted = 0;
  for (const FoldResult& result : results) {
    for (const auto& [type, scores] : result.scores) {
      types[type].add(scores);
      all.add(scores);
    }
    not_predicted += result.not_predicted;
  }
  for (const auto& [type, scores] : types) {
    report.operator_types.push_back(fold_of(type, scores));
    report.operator_types.back().operators = scores.runs;
  }
  if (not_predicted > 0) report.warnings.push_back(unpredicted_text("each tenth", not_predicted));
  report.energy = all.energy.means();
  report.time = all.time.means();
  report.coverage = all.coverage.means();
  report.width = all.width.means();
  report.energy_statistics = all.energy_values.statistics();
  report.time_statistics = all.time_values.statistics();
}

/// Hands a fold over as what a predictor trained without it would be.
void keep_fold(const Job& job, const FoldSplit& split, FoldResult result, const FoldKeeper& keep) {
  std::vector<char> left_out(job.runs.size(), 0);
  for (const std::size_t i : split.runs) left_out[i] = 1;
  std::vector<TreeRun> taught;
  for (std::size_t i = 0; i < job.runs.size(); ++i)
    if (!left_out[i]) taught.push_back(job.runs[i]);
  auto state = std::make_shared<Predictor::State>();
  state->info = describe(taught, job.options);
  state->ranges = TrainedRanges(taught);
  state->energy = std::move(result.energy);
  state->time = std::move(result.time);
  KeptFold fold{split.name, Predictor(std::move(state)), split.runs, {}};
  for (const std::size_t i : split.runs)
    fold.predictions.push_back(fold.predictor.predict(job.runs[i], job.options.features));
  keep(fold);
}

bool has_measured_times(const std::vector<TreeRun>& runs) {
  for (const TreeRun& run : runs) {
    for (const RunNode& node : run.nodes)
      if (node.level == NodeLevel::Operator && node.time_s) return true;
  }
  return false;
}

}  // namespace
}  // namespace predict

CrossValidation crossvalidate(const std::vector<TreeRun>& runs, LeaveOut leave_out,
                              const TrainOptions& options, const FoldProgress& progress,
                              const FoldKeeper& keep) {
  using namespace predict;  // NOLINT(google-build-using-namespace): one function
  check_level(options.level);
  check_that_runs_teach(runs, options);
  const std::vector<FoldSplit> folds = split_folds(runs, leave_out);
  Job job{runs, options, nullptr, nullptr, keep != nullptr};
  if (knows(runs, Target::Energy)) job.energy = make_trainer(runs, Target::Energy, options);
  if (knows(runs, Target::Time)) job.time = make_trainer(runs, Target::Time, options);
  if (!job.energy && !job.time) {
    throw Error(ErrorKind::BadInput,
                fmt::format("holds no ground_truth_energy, which method {} learns from; "
                            "--method ledger can learn from times_mean alone",
                            options.method));
  }
  std::vector<FoldResult> results = run_folds(job, folds, progress);
  CrossValidation report;
  report.features = options.features;
  report.method = options.method;
  report.level = options.level;
  const PredictorInfo info = describe(runs, options);
  report.energy_provenance = info.energy;
  if (folds.front().single_operators) {
    add_operator_types(results, report);
  } else {
    add_folds(folds, results, report);
    if (leave_out == LeaveOut::Model) report.operators_in_training = info.operators;
  }
  report.has_measured_times = has_measured_times(runs);
  for (std::size_t i = 0; keep && i < folds.size(); ++i)
    keep_fold(job, folds[i], std::move(results[i]), keep);
  return report;
}

}  // namespace jouletree
