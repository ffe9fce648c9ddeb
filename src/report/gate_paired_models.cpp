#include "report/gate_paired_models.hpp"

#include <algorithm>
#include <memory>

#include "base/scratch_folder.hpp"
#include "base/told_as.hpp"
#include "engines/checked_engine.hpp"
#include "engines/engine_list.hpp"
#include "jouletree/error.hpp"
#include "measure/metered_machine.hpp"
#include "measure/paired_runs.hpp"
#include "report/gate_checks.hpp"
#include "report/model_labels.hpp"

namespace jouletree::report {
namespace {

/// A model that can be opened in an engine of its own again and again.
class ModelInPairs {
 public:
  ModelInPairs(const GatedModel& model, const ProfileSettings& settings)
      : model_(model), kind_(engines::model_file(model.file)), settings_(settings) {}

  /// What the user calls it.
  template <class Work>
  auto told(const Work& work) const {
    return with_errors_told_as(model_.file, model_.told_as, work);
  }

  [[nodiscard]] measure::PairedModel paired() const {
    return {[this] { return open(); },
            {model_.file, settings_.inputs, settings_.data, settings_.seed, model_.told_as}};
  }

 private:
  [[nodiscard]] std::unique_ptr<engines::Engine> open() const {
    return engines::checked_engine(
        engines::open_engine(
            kind_.engine, {scratch_.path(), settings_.threads, settings_.execution, settings_.level,
                           settings_.device, settings_.device_options, settings_.python,
                           settings_.check, settings_.recipe}),
        settings_.check);
  }

  const GatedModel& model_;
  engines::ModelFile kind_;
  const ProfileSettings& settings_;
  ScratchFolder scratch_;
};

}  // namespace

GateResult gate_in_pairs(const GatedModel& model, const GatedModel& against,
                         const ProfileSettings& settings, std::chrono::duration<double> time,
                         const std::vector<GateLimit>& limits) {
  const auto check = [&] {
    if (settings.check) settings.check();
  };
  const auto tell = [&](const std::string& what, std::size_t done, std::size_t total) {
    check();
    if (settings.progress) settings.progress(what, done, total);
  };
  measure::PairPlan plan;
  plan.time = time;
  plan.tells_energy = std::any_of(limits.begin(), limits.end(), [](const GateLimit& limit) {
    return limit.metric == "energy_j";
  });
  const ModelInPairs first(against, settings);
  const ModelInPairs second(model, settings);
  measure::MeteredMachine machine(settings.meters, settings.tell);
  measure::SessionEnergy energy(machine.session(), settings.check);
  const measure::PairedRuns runs = first.told([&] {
    return second.told([&] {
      try {
        return measure::run_in_pairs(first.paired(), second.paired(), plan, energy, tell);
      } catch (const Error&) {
        // A signal to all of a terminal ends the engines, too, and their end is not the reason.
        check();
        throw;
      }
    });
  });
  const std::vector<std::string> labels =
      distinct_labels({names_of_model(against.given), names_of_model(model.given)});
  return gate_of_pairs(runs, labels[0], labels[1], limits);
}

}  // namespace jouletree::report
