#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/scratch_folder.hpp"
#include "cli/engine_flags.hpp"
#include "cli/model_to_run.hpp"
#include "measure/sweep/variation.hpp"
#include "store/run_sweep.hpp"
#include "zoo/settings.hpp"

namespace jouletree::cli {

/// The models of a study, as they are opened for every run.
class SweepModels {
 public:
  /// Refuses what no engine can run, and sizes that do not fit a model, before anything is
  /// measured. Throws Error that names the model. `check` is called now and then, and may throw.
  SweepModels(const std::vector<std::string>& models, const measure::Variation& variation,
              const InputSettings& fixed, const EngineFlags& engine, std::uint64_t seed,
              std::function<void()> check);

  [[nodiscard]] const std::vector<store::PlannedModel>& planned() const { return planned_; }
  [[nodiscard]] store::OpenedModel open(std::size_t model,
                                        const measure::SweepFormat& format) const;

 private:
  struct Source {
    explicit Source(const std::string& name) : model(name) {}

    ModelToRun model;
    std::string engine;
    std::optional<zoo::Settings> settings;  ///< Of an architecture of the zoo.
  };

  void add(const std::string& name, const measure::Variation& variation,
           const InputSettings& fixed);
  [[nodiscard]] std::string folder_for(const std::string& name) const;

  EngineFlags engine_;
  std::uint64_t seed_;
  std::function<void()> check_;
  std::deque<Source> sources_;
  std::vector<store::PlannedModel> planned_;
  bool several_;
};

}  // namespace jouletree::cli
