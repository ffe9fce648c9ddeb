#include <atomic>
#include <cmath>
#include <exception>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "predict/ensemble.hpp"
#include "predict/folds.hpp"
#include "predict/level_means.hpp"
#include "predict/predictor_state.hpp"
#include "predict/teaching.hpp"

namespace jouletree {
namespace predict {
namespace {

struct FoldResult {
  LevelMeans energy;
  LevelMeans time;
  LevelMeans coverage;
  LevelMeans width;
  std::size_t not_predicted = 0;  ///< Nodes whose energy or time is known, but not predicted.
};

/// What is the same for all folds.
struct Job {
  const std::vector<TreeRun>& runs;
  const TrainOptions& options;
  std::unique_ptr<Trainer> energy;
  std::unique_ptr<Trainer> time;
};

void score_energy(const Job& job, const RunMask& used, const FoldSplit& split, FoldResult& result) {
  const Ensemble ensemble = train_ensemble(*job.energy, job.runs, used, Target::Energy,
                                           {&job.options.features, 1}, job.options.level);
  for (const std::size_t i : split.runs) {
    const TreeRun& run = job.runs[i];
    const auto predicted = ensemble.predict(run, job.options.features);
    for (std::size_t n = 0; n < run.nodes.size(); ++n) {
      const RunNode& node = run.nodes[n];
      if (!node.energy_j) continue;
      if (std::isnan(predicted[n].value)) {
        ++result.not_predicted;
        continue;
      }
      const double value = *node.energy_j;
      result.energy.add(node.level, 100 * std::abs(predicted[n].value - value) / value);
      const auto& range = predicted[n].range;
      if (!range) continue;
      result.coverage.add(node.level, range->low <= value && value <= range->high ? 100 : 0);
      result.width.add(node.level, 100 * (range->high - range->low) / predicted[n].value);
    }
  }
}

void score_time(const Job& job, const RunMask& used, const FoldSplit& split, FoldResult& result) {
  const auto fit = job.time->fit(used);
  for (const std::size_t i : split.runs) {
    const TreeRun& run = job.runs[i];
    const auto predicted = fit->predict(run, job.options.features);
    for (std::size_t n = 0; n < run.nodes.size(); ++n) {
      const auto& value = run.nodes[n].time_s;
      if (value && std::isnan(predicted[n])) ++result.not_predicted;
      if (value && !std::isnan(predicted[n]))
        result.time.add(run.nodes[n].level, 100 * std::abs(predicted[n] - *value) / *value);
    }
  }
}

FoldResult run_fold(const Job& job, const FoldSplit& split) {
  RunMask used(job.runs.size(), 1);
  for (const std::size_t i : split.runs) used[i] = 0;
  FoldResult result;
  if (job.energy) score_energy(job, used, split, result);
  if (job.time) score_time(job, used, split, result);
  return result;
}

/// Results stand at the place of their fold, whichever thread made them.
std::vector<FoldResult> run_folds(const Job& job, const std::vector<FoldSplit>& folds) {
  std::vector<FoldResult> results(folds.size());
  std::vector<std::exception_ptr> problems(folds.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < folds.size(); i = next++) {
      try {
        results[i] = run_fold(job, folds[i]);
      } catch (...) {
        problems[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t count =
        std::min<std::size_t>(folds.size(), std::max(1U, std::thread::hardware_concurrency()));
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work);
    work();
  }
  for (const auto& problem : problems)
    if (problem) std::rethrow_exception(problem);
  return results;
}

}  // namespace
}  // namespace predict

CrossValidation crossvalidate(const std::vector<TreeRun>& runs, LeaveOut leave_out,
                              const TrainOptions& options) {
  using namespace predict;  // NOLINT(google-build-using-namespace): one function
  check_that_runs_teach(runs, options.features);
  const std::vector<FoldSplit> folds = split_folds(runs, leave_out);
  Job job{runs, options, nullptr, nullptr};
  if (knows(runs, Target::Energy)) job.energy = make_trainer(runs, Target::Energy, options);
  if (knows(runs, Target::Time)) job.time = make_trainer(runs, Target::Time, options);
  if (!job.energy && !job.time) {
    throw Error(ErrorKind::BadInput,
                fmt::format("holds no ground_truth_energy, which method {} learns from; "
                            "--method ledger can learn from times_mean alone",
                            options.method));
  }
  const std::vector<FoldResult> results = run_folds(job, folds);
  CrossValidation report;
  report.features = options.features;
  report.method = options.method;
  report.level = options.level;
  LevelMeans energy;
  LevelMeans time;
  LevelMeans coverage;
  LevelMeans width;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    Fold& fold = report.folds.emplace_back();
    fold.left_out = folds[i].name;
    fold.energy = results[i].energy.means();
    fold.time = results[i].time.means();
    fold.coverage = results[i].coverage.means();
    energy.add_means(fold.energy);
    time.add_means(fold.time);
    if (results[i].not_predicted > 0) {
      report.warnings.push_back(
          fmt::format("with {} left out, {} could not be predicted and {} not part of the "
                      "errors: the others hold no operators of these types, or FLOPs and bytes are "
                      "unknown",
                      folds[i].name, number_of(results[i].not_predicted, "value"),
                      agreeing(results[i].not_predicted, "is", "are")));
    }
    coverage.add_all(results[i].coverage);
    width.add_all(results[i].width);
  }
  report.energy = energy.means();
  report.time = time.means();
  report.coverage = coverage.means();
  report.width = width.means();
  return report;
}

}  // namespace jouletree
