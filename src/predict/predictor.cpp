#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "predict/foreign_widths.hpp"
#include "predict/methods.hpp"
#include "predict/operator_names.hpp"
#include "predict/predictor_state.hpp"
#include "predict/row_members.hpp"
#include "predict/teaching.hpp"
#include "predict/told_predictions.hpp"
#include "predict/trained_places.hpp"
#include "predict/vocabulary.hpp"

namespace jouletree {
namespace predict {

std::span<const FeatureSet> feature_sets_within(FeatureSet features) {
  static constexpr std::array<FeatureSet, kFeatureSets> kAll = {FeatureSet::All, FeatureSet::Leaves,
                                                                FeatureSet::Specs};
  return std::span(kAll).subspan(static_cast<std::size_t>(features));
}

bool knows(const std::vector<TreeRun>& runs, Target target) {
  for (const TreeRun& run : runs) {
    for (const RunNode& node : run.nodes)
      if (truth(node, target)) return true;
  }
  return false;
}

void check_level(double level) {
  if (level > 0 && level < 1) return;
  throw Error(
      ErrorKind::BadInput,
      fmt::format("the level of intervals is {}; give a share between 0 and 1, like 0.9", level));
}

PredictorInfo describe(const std::vector<TreeRun>& runs, const TrainOptions& options) {
  PredictorInfo info{options.method,
                     options.features,
                     options.level,
                     options.config,
                     {},
                     0,
                     {},
                     runs.size(),
                     0,
                     Provenance::Measured,
                     false,
                     vocabularies_of(runs),
                     method_named(options.method).prices_work};
  info.measured_on = places_of(runs);
  info.median_error = options.median_error;
  const auto remember = [](std::vector<std::string>& names, const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  };
  for (const TreeRun& run : runs) {
    if (is_single_operator(run)) {
      ++info.operators;
    } else {
      remember(info.models, run.model);
    }
    remember(info.devices, run.device);
    info.nodes += run.nodes.size();
    info.fused = info.fused || run.expected_layout.has_value();
    if (run.expected_layout == ChannelLayout::Plain) info.layout = ChannelLayout::Plain;
    const bool is_estimated = std::any_of(run.nodes.begin(), run.nodes.end(),
                                          [](const RunNode& node) { return node.is_estimated; });
    info.fused = info.fused || std::any_of(run.nodes.begin(), run.nodes.end(),
                                           [](const RunNode& node) { return node.is_engine_made; });
    if (is_estimated) info.energy = Provenance::Estimated;
  }
  return info;
}

namespace {

std::optional<Ensemble> train_target(const std::vector<TreeRun>& runs, Target target,
                                     const TrainOptions& options) {
  if (!knows(runs, target)) return std::nullopt;
  const auto trainer = make_trainer(runs, target, options);
  if (!trainer) return std::nullopt;
  Ensemble ensemble = train_ensemble(*trainer, runs, RunMask(runs.size(), 1), target,
                                     feature_sets_within(options.features), options.level);
  if (ensemble.members.empty()) add_row_members(runs, target, options, ensemble);
  return ensemble;
}

/// How a run is worded that is predicted.
struct Wording {
  bool is_foreign = false;
  bool is_told = false;  ///< In words of the training data.
  /// The original has calls of PyTorch as arithmetic, so that more seems to move.
  bool is_spelt_out = false;
};

LearnedFrom learned_from(const HalfWidths& own, const PredictorInfo& info, const Wording& wording) {
  if (!own[index_of(NodeLevel::Model)]) return LearnedFrom::Operators;
  const bool is_clean = wording.is_told && !wording.is_spelt_out && tells_of_modules(info);
  return is_clean ? LearnedFrom::Modules : LearnedFrom::Models;
}

/// How wide intervals must be at least.
HalfWidths least_widths(const Ensemble& ensemble, Target target, const PredictorInfo& info,
                        FeatureSet features, const Wording& wording) {
  if (!wording.is_foreign) return {};
  const auto& own = ensemble.half_widths[static_cast<std::size_t>(features)];
  return foreign_half_widths(target, learned_from(own, info, wording), info.level);
}

/// Where the prediction of a target stands in that of a node.
struct Places {
  std::optional<double> NodePrediction::*value;
  std::optional<Range> NodePrediction::*range;
};

void fill(const Ensemble& ensemble, const LoadedRun& run, FeatureSet features,
          const HalfWidths& least, const Places& places, std::vector<NodePrediction>& result) {
  const std::vector<BoundedValue> predicted = ensemble.predict(run, features, least);
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    // What is too large for a number is not known any better than what cannot be told.
    if (!std::isfinite(predicted[i].value)) continue;
    result[i].*places.value = predicted[i].value;
    const std::optional<Range>& range = predicted[i].range;
    if (range && std::isfinite(range->low) && std::isfinite(range->high))
      result[i].*places.range = range;
  }
}

/// What operators of the tree add up to at each node, and what those of unseen families do of it.
struct UnseenShare {
  std::vector<double> all;
  std::vector<double> unseen;

  UnseenShare(const TreeRun& run, const std::vector<char>& marks,
              const std::vector<NodePrediction>& nodes, const Places& places)
      : all(run.nodes.size(), 0), unseen(run.nodes.size(), 0) {
    for (std::size_t i = run.nodes.size(); i-- > 0;) {
      if (run.nodes[i].children.empty()) {
        all[i] = (nodes[i].*places.value).value_or(0);
        unseen[i] = marks[i] ? all[i] : 0;
      }
      if (run.nodes[i].parent == kNoParent) continue;
      all[run.nodes[i].parent] += all[i];
      unseen[run.nodes[i].parent] += unseen[i];
    }
  }
};

/// An operator of an unseen family may be off by the factor that such predictions were; a whole by
/// as much of its unseen part.
void widen_unseen(const TreeRun& run, const std::vector<char>& marks, const HalfWidths& widths,
                  const Places& places, std::vector<NodePrediction>& nodes) {
  const UnseenShare costs(run, marks, nodes, places);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!(costs.unseen[i] > 0) || !(nodes[i].*places.value)) continue;
    const double factor = std::exp(widths[index_of(run.nodes[i].level)].value_or(0));
    const double value = *(nodes[i].*places.value);
    auto& range = nodes[i].*places.range;
    nodes[i].unseen_work = true;
    if (run.nodes[i].children.empty()) {
      if (!range) range = Range{value, value};
      range->low = std::min(range->low, value / factor);
      range->high = std::max(range->high, value * factor);
    } else if (range) {
      const double share = costs.unseen[i] / costs.all[i];
      range->low *= 1 - share + share / factor;
      range->high *= 1 - share + share * factor;
    }
  }
}

Likeness likeness_needed(const PredictorInfo& info, FeatureSet features, const Wording& wording) {
  // What was measured stands for the work of an operator, however large.
  const bool from_sizes = !info.priced_by_work || features == FeatureSet::Specs;
  const bool has_own_words = wording.is_foreign && !(wording.is_told && tells_of_modules(info));
  if (has_own_words && info.priced_by_work) return Likeness::Size;
  return from_sizes ? Likeness::NameAndSize : Likeness::Name;
}

}  // namespace
}  // namespace predict

std::optional<double> NodePrediction::power_w() const {
  if (!energy_j || !time_s || *time_s <= 0) return std::nullopt;
  return *energy_j / *time_s;
}

Predictor Predictor::train(const std::vector<TreeRun>& runs, const TrainOptions& options) {
  predict::check_level(options.level);
  predict::check_that_runs_teach(runs, options);
  auto state = std::make_shared<State>();
  state->info = predict::describe(runs, options);
  state->ranges = predict::TrainedRanges(runs);
  state->energy = predict::train_target(runs, predict::Target::Energy, options);
  state->time = predict::train_target(runs, predict::Target::Time, options);
  if (!state->energy && !state->time) {
    throw Error(ErrorKind::BadInput,
                fmt::format("holds no ground_truth_energy, which method {} learns from; "
                            "--method ledger can learn from times_mean alone",
                            options.method));
  }
  return Predictor(std::move(state));
}

const PredictorInfo& Predictor::info() const { return state_->info; }

std::optional<double> Predictor::left_out_error() const {
  for (const auto* ensemble : {&state_->time, &state_->energy}) {
    if (!*ensemble) continue;
    const auto& widths = (*ensemble)->half_widths[static_cast<std::size_t>(info().features)];
    if (const auto& width = widths[predict::index_of(NodeLevel::Model)]) return width;
  }
  return std::nullopt;
}

FeatureSet Predictor::usable_features(const TreeRun& run) const {
  FeatureSet usable = state_->info.features;
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    const RunNode& node = run.nodes[i];
    if (node.time_s) continue;
    if (node.level == NodeLevel::Operator) return FeatureSet::Specs;
    if (i > 0) usable = std::max(usable, FeatureSet::Leaves);
  }
  return usable;
}

std::optional<ForeignOperators> Predictor::foreign(const TreeRun& run) const {
  const Vocabulary own = predict::vocabulary_of(run);
  const std::vector<Vocabulary>& trained = state_->info.vocabularies;
  const bool is_trained = std::find(trained.begin(), trained.end(), own) != trained.end();
  // Frameworks that nobody knows may differ, and a few names alone may be those of another.
  const bool is_guess = own == Vocabulary::Other || (!is_trained && run.vocabulary.empty());
  if (is_guess ? state_->ranges.knows_names(run) : is_trained) return std::nullopt;
  return ForeignOperators{own, trained, state_->info.priced_by_work,
                          predict::tells_of_modules(state_->info)};
}

namespace predict {

std::optional<ToldRun> told_run(const Predictor::State& state, const TreeRun& run,
                                FeatureSet features) {
  // What was measured of an operator needs no other words.
  if (features != FeatureSet::Specs || run.nodes.empty()) return std::nullopt;
  return tells_of_modules(state.info) ? in_module_words(run, state.ranges)
                                      : in_trained_words(run, state.ranges);
}

bool tells_of_modules(const PredictorInfo& info) {
  return !info.models.empty() && info.vocabularies == std::vector{Vocabulary::TorchModules};
}

namespace {

/// Predicts a run as it is worded.
std::vector<NodePrediction> predict_worded(const Predictor::State& state, const TreeRun& run,
                                           FeatureSet features, const Wording& wording) {
  std::vector<NodePrediction> result(run.nodes.size());
  const LoadedRun loaded(run);
  // What was measured of an operator stands for its work.
  const std::vector<char> unseen = features == FeatureSet::Specs
                                       ? state.ranges.unseen(loaded)
                                       : std::vector<char>(run.nodes.size(), 0);
  const std::vector<char> beyond =
      state.ranges.beyond(loaded, likeness_needed(state.info, features, wording));
  Wording measured = wording;
  // What is known of told runs was measured within the training data.
  measured.is_told = measured.is_told && (beyond.empty() || beyond.front() == 0);
  const auto fill_target = [&](Target target, const Places& places) {
    const auto& ensemble = state.of(target);
    if (!ensemble) return;
    const auto least = least_widths(*ensemble, target, state.info, features, measured);
    fill(*ensemble, loaded, features, least, places, result);
    widen_unseen(run, unseen, unseen_half_widths(target, state.info.level), places, result);
  };
  fill_target(Target::Energy, {&NodePrediction::energy_j, &NodePrediction::energy_range});
  fill_target(Target::Time, {&NodePrediction::time_s, &NodePrediction::time_range});
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i].beyond_training = beyond[i] != 0 || result[i].unseen_work;
    result[i].foreign = wording.is_foreign;
  }
  return result;
}

}  // namespace
}  // namespace predict

std::vector<NodePrediction> Predictor::predict(const TreeRun& run, FeatureSet features) const {
  if (features < state_->info.features) {
    throw Error(ErrorKind::BadInput, std::string("the predictor was trained with --features ") +
                                         std::string(name_of(state_->info.features)) +
                                         "; it cannot use more than that");
  }
  if (!foreign(run)) return predict::predict_worded(*state_, run, features, {});
  const auto told = predict::told_run(*state_, run, features);
  if (!told) return predict::predict_worded(*state_, run, features, {true, false, false});
  const bool is_spelt_out =
      std::any_of(run.nodes.begin(), run.nodes.end(),
                  [](const RunNode& node) { return predict::is_spelt_out(node.type); });
  return predict::of_original(
      *told, predict::predict_worded(*state_, told->run, features, {true, true, is_spelt_out}));
}

}  // namespace jouletree
