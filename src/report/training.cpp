#include "report/training.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "report/predictor_use.hpp"
#include "report/training_data.hpp"

namespace jouletree::report {
namespace {

std::string run_text(const TreeRun& run) {
  std::string text = run.model;
  if (run.batch) text += fmt::format(", batch {}", *run.batch);
  if (run.sequence) text += fmt::format(", sequence {}", *run.sequence);
  return text;
}

/// Takes the runs that tell most and names those that would help most beside them.
Training adapt(const AdaptFrom& from, const std::vector<TreeRun>& runs) {
  std::vector<std::size_t> measured;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (runs[i].nodes.front().energy_j || runs[i].nodes.front().time_s) measured.push_back(i);
  if (measured.empty()) throw Error(ErrorKind::BadInput, "no run is measured");
  std::vector<TreeRun> candidates;
  candidates.reserve(measured.size());
  for (const std::size_t i : measured) candidates.push_back(runs[i]);
  const std::size_t count = from.runs == 0 ? candidates.size() : from.runs;
  std::vector<TreeRun> used;
  std::vector<std::size_t> places;
  for (const std::size_t i : most_informative(candidates, {}, count)) {
    used.push_back(candidates[i]);
    places.push_back(measured[i]);
  }
  Training training{Predictor::adapt(from.predictor, used), {}, {}};
  for (const TreeRun& run : used) training.notes.push_back("adapted to " + run_text(run));
  for (const std::size_t i : most_informative(runs, places, from.runs))
    training.notes.push_back("would help most next: " + run_text(runs[i]));
  return training;
}

/// Models of which nothing can be learned.
void drop_what_teaches_nothing(std::vector<TreeRun>& runs, const TrainOptions& options,
                               const store::Warn& warn) {
  const auto teaches = [&](const TreeRun& run) {
    return teaches_operators(run) || (learns_wholes(options) && teaches_whole(run));
  };
  if (std::none_of(runs.begin(), runs.end(), teaches)) return;  // refused with the reason
  std::map<std::string, std::size_t> dropped;
  for (const TreeRun& run : runs)
    if (!teaches(run)) ++dropped[run.file];
  for (const auto& [file, count] : dropped) {
    warn(fmt::format("{}: {} {} nothing and {} left out: {}", file, number_of(count, "run"),
                     agreeing(count, "teaches", "teach"), agreeing(count, "is", "are"),
                     learns_wholes(options)
                         ? "neither operators nor a whole with known operators were measured"
                         : "operators were not measured"));
  }
  std::erase_if(runs, [&](const TreeRun& run) { return !teaches(run); });
}

/// From so few whole models, prices are little more than what a usual processor would take.
constexpr std::size_t kFewWholes = 10;

std::optional<std::string> warning_of_few(const std::vector<TreeRun>& runs) {
  std::set<std::string> wholes;
  for (const TreeRun& run : runs) {
    if (teaches_operators(run)) return std::nullopt;
    wholes.insert(run.nodes.front().id);
  }
  if (wholes.size() >= kFewWholes) return std::nullopt;
  return fmt::format(
      "prices of operators from {} are guesses: only {} is known; give {} or more, or profiles",
      number_of(wholes.size(), "whole model"), agreeing(wholes.size(), "its sum", "their sum"),
      kFewWholes);
}

/// Intervals of operators that are left out need no other models.
bool bounds_operators(const Predictor& predictor, const std::vector<TreeRun>& runs) {
  for (const TreeRun& run : runs) {
    for (const NodePrediction& node : predictor.predict(run, predictor.usable_features(run)))
      if (node.energy_range || node.time_range) return true;
  }
  return false;
}

}  // namespace

Training train_on(const std::vector<std::string>& data, const TrainOptions& options,
                  const std::optional<AdaptFrom>& from, const store::Warn& warn,
                  const store::PlaceChoice& choice, const TableChoice& tables) {
  return train_on_runs(read_training_data(data, options, warn, choice, tables), data, options, from,
                       warn);
}

Training train_on_runs(std::vector<TreeRun> runs, const std::vector<std::string>& data,
                       const TrainOptions& options, const std::optional<AdaptFrom>& from,
                       const store::Warn& warn) {
  if (!from) drop_what_teaches_nothing(runs, options, warn);
  Training training = store::of_data(data, runs, [&] {
    return from ? adapt(*from, runs) : Training{Predictor::train(runs, options), {}, {}};
  });
  const PredictorInfo& info = training.predictor.info();
  if (info.models.size() + info.operators < 2) {
    training.warnings.push_back(fmt::format(
        "intervals need at least two models; this predictor gives {}",
        bounds_operators(training.predictor, runs) ? "those of operators only" : "none"));
  }
  if (std::string mixture = mixture_text(info.measured_on); !mixture.empty())
    training.warnings.push_back(std::move(mixture));
  if (const auto warning = warning_of_few(runs)) training.warnings.push_back(*warning);
  if (!teaches_specs(runs)) {
    training.warnings.emplace_back(
        "no measured operator has flops and mem_bytes: this predictor fills measured data, but "
        "cannot predict models that never ran");
  }
  return training;
}

std::string training_text(const PredictorInfo& info) {
  const std::string operators = number_of(info.operators, "measured operator");
  if (info.operators == info.runs) return fmt::format("{} trained on {}", info.method, operators);
  return fmt::format(
      "{} trained on {} of {} ({}){}", info.method, number_of(info.runs - info.operators, "run"),
      number_of(info.models.size(), "model"), number_of(info.nodes - info.operators, "node"),
      info.operators > 0 ? " and " + operators : "");
}

}  // namespace jouletree::report
