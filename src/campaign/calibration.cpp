#include "campaign/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "base/scratch_folder.hpp"
#include "base/statistics.hpp"
#include "base/told_as.hpp"
#include "campaign/quiet_machine.hpp"
#include "campaign/time_left.hpp"
#include "jouletree/error.hpp"
#include "measure/environment.hpp"
#include "predict/left_out_errors.hpp"
#include "store/database/database_runs.hpp"
#include "store/database/known_here.hpp"
#include "store/model_profile.hpp"
#include "store/run_place.hpp"
#include "tree/run_places.hpp"
#include "zoo/build_model.hpp"
#include "zoo/calibration_model.hpp"

namespace jouletree::campaign {
namespace {

using std::chrono::steady_clock;
using zoo::CalibrationModel;

/// Below this, errors of left-out models say more about chance than about a family.
constexpr std::size_t kFewestModels = 4;
/// Of the time of a model, what is spent outside of its windows.
constexpr double kOverhead = 0.5;

/// The family of a calibration model by its name; empty for other models.
std::string_view family_in(const std::string& model) {
  for (const std::string_view family : zoo::calibration_families())
    if (model.substr(0, model.rfind(' ')) == fmt::format("calibration {}", family)) return family;
  return {};
}

class CalibrationRun {
 public:
  explicit CalibrationRun(const CalibrationSettings& settings)
      : settings_(settings), end_(steady_clock::now() + to_clock(settings.budget)) {
    for (const TreeRun& run : known_runs()) add(run);
    if (!runs_.empty()) {
      settings_.tell(fmt::format("{} of this machine in {} already",
                                 number_of(runs_.size(), "model"), place_));
    }
  }

  Calibration run() {
    while (true) {
      judge();
      const CalibrationModel next = next_model();
      if (!is_time_for_another()) break;
      if (settings_.max_load)
        wait_for_quiet(settings_.engine.meters.root, *settings_.max_load, check(), settings_.tell);
      measure(next);
    }
    if (runs_.empty()) {
      throw Error(ErrorKind::Failed,
                  "no model was measured in the time; give more with --budget, like 15m");
    }
    return result();
  }

 private:
  static steady_clock::duration to_clock(std::chrono::duration<double> time) {
    return std::chrono::duration_cast<steady_clock::duration>(time);
  }

  [[nodiscard]] std::function<void()> check() const {
    return settings_.engine.check ? settings_.engine.check : [] {};
  }

  [[nodiscard]] double seconds_left() const {
    return std::chrono::duration<double>(end_ - steady_clock::now()).count();
  }

  /// The first model is measured in any case: its time is not known yet.
  [[nodiscard]] bool is_time_for_another() const {
    if (measured_now_ == 0) return seconds_left() > 0;
    return seconds_left() > spent_s_ / static_cast<double>(measured_now_) * (1 - kOverhead);
  }

  /// What the database holds of this machine with this engine.
  [[nodiscard]] std::vector<TreeRun> known_runs() {
    store::Database database(store::sql::parse_location(settings_.database),
                             store::sql::Access::Create);
    place_ = database.place();
    store::KnownHere here(database, measure::read_environment(settings_.engine.meters.root));
    const auto place = here.place({"onnxruntime", settings_.engine.device, settings_.engine.threads,
                                   settings_.engine.level, settings_.engine.execution});
    if (!place) return {};
    return store::database_runs(database, *place, [](const std::string&) {});
  }

  void add(TreeRun run) {
    if (!teaches_operators(run)) return;
    remember(run.model);
    runs_.push_back(std::move(run));
  }

  void remember(const std::string& name) {
    if (const std::string_view family = family_in(name); !family.empty()) {
      const int variant = std::atoi(name.c_str() + name.rfind(' ') + 1);
      variants_[family].insert(variant);
    }
  }

  void add(const ModelProfile& profile, const std::string& name) {
    TreeRun run = read_tree_line(profile.tree_line(), name, 1);
    const measure::Environment& environment = profile.state().measured->environment;
    run.measured_on = store::place_of(environment);
    run.measured_at = environment.date;
    drop_those_of_others(*run.measured_on);
    add(std::move(run));
  }

  /// The engine's version shows only now. What another one took says nothing about this one.
  void drop_those_of_others(const MeasuredOn& here) {
    const std::size_t dropped = std::erase_if(runs_, [&](const TreeRun& run) {
      return run.measured_on && !tree::differing_parts(*run.measured_on, here).empty();
    });
    if (dropped == 0) return;
    settings_.tell(fmt::format("{} of them {} left out: not measured with {}",
                               number_of(dropped, "model"), agreeing(dropped, "is", "are"),
                               tree::engine_text(here)));
    variants_.clear();
    for (const TreeRun& run : runs_) remember(run.model);
  }

  [[nodiscard]] CalibrationModel next_model() const {
    CalibrationModel model{families_[least_sure(families_)].family, 1};
    const auto known = variants_.find(model.family);
    while (known != variants_.end() && known->second.contains(model.variant)) ++model.variant;
    return model;
  }

  void measure(const CalibrationModel& model) {
    const auto begin = steady_clock::now();
    const ScratchFolder scratch;
    const std::filesystem::path file = scratch.path() / (model.name() + ".onnx");
    ProfileSettings asked = settings_.engine;
    zoo::ModelWriter writer(1);
    asked.inputs.symbols = model.write(writer);
    zoo::build_model(writer, file);
    asked.database = settings_.database;
    asked.budget = settings_.per_model;
    asked.modules = false;
    asked.baseline = std::chrono::duration<double>(0);
    asked.told_as = model.name();
    variants_[model.family].insert(model.variant);
    try {
      const ModelProfile profile =
          with_errors_told_as(file, model.name(), [&] { return profile_model(file, asked); });
      keep_profile(profile, settings_.database);
      add(profile, model.name());
      ++measured_now_;
      spent_s_ += std::chrono::duration<double>(steady_clock::now() - begin).count();
      tell_of(model, profile.content());
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Missing) throw;
      // An engine that lacks an operator costs that model only.
      settings_.tell(fmt::format("{}: left out: {}", model.name(), error.what()));
      // Then it is not the model's fault.
      if (++failed_ >= zoo::calibration_families().size() && measured_now_ == 0) throw;
    }
  }

  void tell_of(const CalibrationModel& model, const ProfileContent& content) const {
    const auto& share = content.ledger.attribution_time;
    settings_.tell(
        fmt::format("{}: {} kinds of operators{}; {} left", model.name(), content.ledger.kinds,
                    share ? fmt::format(", which explain {:.0f} % of the time", *share * 100) : "",
                    span_text(std::max(0.0, seconds_left()))));
  }

  [[nodiscard]] TrainOptions options() const {
    TrainOptions options;
    options.features = FeatureSet::Specs;
    options.level = settings_.level;
    return options;
  }

  /// Errors of the time of each calibration model that was left out, by family. Other models of the
  /// database may be many, and tell nothing about families.
  [[nodiscard]] std::map<std::string_view, std::vector<double>> errors_of(
      const std::vector<TreeRun>& all) const {
    std::map<std::string_view, std::vector<double>> errors;
    std::vector<TreeRun> runs;
    for (const TreeRun& run : all)
      if (!family_in(run.model).empty()) runs.push_back(run);
    if (runs.size() < kFewestModels) return errors;
    const std::vector<double> missed = predict::left_out_time_errors(runs, options());
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (!std::isnan(missed[i])) errors[family_in(runs[i].model)].push_back(missed[i]);
    return errors;
  }

  void judge() {
    auto errors = errors_of(runs_);
    families_.clear();
    for (const std::string_view family : zoo::calibration_families()) {
      const auto measured =
          static_cast<int>(std::count_if(runs_.begin(), runs_.end(), [&](const TreeRun& run) {
            return family_in(run.model) == family;
          }));
      FamilyAccuracy accuracy{family, measured, {}, zoo::weight_of_family(family)};
      accuracy.failed = static_cast<int>(variants_[family].size()) - measured;
      if (const auto found = errors.find(family); found != errors.end() && found->second.size() > 1)
        accuracy.time_error = summarize(found->second).median;
      families_.push_back(accuracy);
    }
    all_errors_.clear();
    for (const auto& [family, some] : errors)
      all_errors_.insert(all_errors_.end(), some.begin(), some.end());
  }

  [[nodiscard]] static std::optional<double> median_of(const std::vector<double>& errors) {
    if (errors.size() < kFewestModels) return std::nullopt;
    return summarize(errors).median;
  }

  [[nodiscard]] Calibration result() {
    std::vector<TreeRun> half;
    for (std::size_t i = 0; i < runs_.size(); i += 2) half.push_back(runs_[i]);
    std::vector<double> errors_of_half;
    for (const auto& [family, some] : errors_of(half))
      errors_of_half.insert(errors_of_half.end(), some.begin(), some.end());
    TrainOptions checked = options();
    checked.median_error = median_of(all_errors_);
    return {Predictor::train(runs_, checked),
            runs_.size(),
            measured_now_,
            families_,
            checked.median_error,
            median_of(errors_of_half)};
  }

  const CalibrationSettings& settings_;
  steady_clock::time_point end_;
  std::vector<TreeRun> runs_;
  std::map<std::string_view, std::set<int>> variants_;  ///< Measured ones, and those that failed.
  std::vector<FamilyAccuracy> families_;
  std::vector<double> all_errors_;
  std::string place_;  ///< Of the database.
  std::size_t measured_now_ = 0;
  std::size_t failed_ = 0;
  double spent_s_ = 0;
};

}  // namespace

std::size_t least_sure(const std::vector<FamilyAccuracy>& families) {
  const auto doubt = [](const FamilyAccuracy& one) {
    const int tried = one.models + one.failed;
    if (tried == 0) return std::numeric_limits<double>::infinity();
    // Of a single model nothing is known; most likely it is not predicted well.
    constexpr double kUnknownError = 30;
    // Beyond this more models are no remedy.
    constexpr double kHopelessError = 30;
    return one.weight * std::min(one.time_error.value_or(kUnknownError), kHopelessError) / tried;
  };
  const auto worst = std::max_element(
      families.begin(), families.end(),
      [&](const FamilyAccuracy& a, const FamilyAccuracy& b) { return doubt(a) < doubt(b); });
  return static_cast<std::size_t>(worst - families.begin());
}

Calibration calibrate(const CalibrationSettings& settings) {
  return CalibrationRun(settings).run();
}

}  // namespace jouletree::campaign
