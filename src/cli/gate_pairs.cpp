#include "cli/gate_pairs.hpp"

#include <filesystem>

#include "base/duration_text.hpp"
#include "base/progress.hpp"
#include "base/scratch_folder.hpp"
#include "base/told_as.hpp"
#include "cli/interrupts.hpp"
#include "cli/model_to_run.hpp"
#include "engines/checked_engine.hpp"
#include "engines/engine_list.hpp"
#include "jouletree/error.hpp"
#include "jouletree/profile.hpp"
#include "measure/metered_machine.hpp"
#include "measure/paired_runs.hpp"
#include "report/gate_checks.hpp"
#include "report/model_labels.hpp"

namespace jouletree::cli {
namespace {

/// A model that can be opened in an engine of its own again and again.
class ModelInPairs {
 public:
  ModelInPairs(const std::string& name, const ProfileSettings& settings)
      : model_(name), kind_(engines::model_file(model_.file())), settings_(settings) {}

  /// What the user calls it.
  template <class Work>
  auto told(const Work& work) const {
    return with_errors_told_as(model_.file(), model_.told_as(), work);
  }

  [[nodiscard]] measure::PairedModel paired() const {
    return {[this] { return open(); },
            {model_.file(), settings_.inputs, settings_.data, settings_.seed, model_.told_as()}};
  }

 private:
  [[nodiscard]] std::unique_ptr<engines::Engine> open() const {
    return engines::checked_engine(
        engines::open_engine(
            kind_.engine, {scratch_.path(), settings_.threads, settings_.execution, settings_.level,
                           settings_.device, settings_.device_options, settings_.python,
                           Interrupts::check, settings_.recipe}),
        Interrupts::check);
  }

  ModelToRun model_;
  engines::ModelFile kind_;
  const ProfileSettings& settings_;
  ScratchFolder scratch_;
};

ProfileSettings settings_of_pairs(const PairOptions& options) {
  ProfileSettings settings;
  settings.inputs = options.inputs.settings();
  settings.data = options.data;
  settings.seed = options.seed;
  options.engine.put_into(settings);
  settings.meters = options.meters.probe_options();
  return settings;
}

}  // namespace

report::GateResult gate_in_pairs(const std::string& model, const std::string& against,
                                 const PairOptions& options,
                                 const std::vector<report::GateLimit>& limits) {
  const ProfileSettings settings = settings_of_pairs(options);
  measure::PairPlan plan;
  plan.time = duration_of_flag("--time", options.time);
  if (plan.time.count() <= 0)
    throw Error(ErrorKind::BadInput, "--time: give a time above 0, like 30s");
  StagedProgress shown;
  const auto tell = [&](const std::string& what, std::size_t done, std::size_t total) {
    Interrupts::check();
    shown.tell(what, done, total);
  };
  const Interrupts interrupts;
  const ModelInPairs first(against, settings);
  const ModelInPairs second(model, settings);
  measure::MeteredMachine machine(settings.meters, tell_of_meters);
  measure::SessionEnergy energy(machine.session(), Interrupts::check);
  const measure::PairedRuns runs = first.told([&] {
    return second.told([&] {
      try {
        return measure::run_in_pairs(first.paired(), second.paired(), plan, energy, tell);
      } catch (const Error&) {
        // A signal to all of a terminal ends the engines, too, and their end is not the reason.
        Interrupts::check();
        throw;
      }
    });
  });
  shown.clear();
  const std::vector<std::string> labels =
      report::distinct_labels({report::names_of_model(against), report::names_of_model(model)});
  return report::gate_of_pairs(runs, labels[0], labels[1], limits);
}

}  // namespace jouletree::cli
