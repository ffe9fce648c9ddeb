#include "cli/gate_pairs.hpp"

#include "base/duration_text.hpp"
#include "base/progress.hpp"
#include "cli/interrupts.hpp"
#include "cli/model_to_run.hpp"
#include "jouletree/error.hpp"
#include "jouletree/profile.hpp"
#include "report/gate_paired_models.hpp"

namespace jouletree::cli {
namespace {

ProfileSettings settings_of_pairs(const PairOptions& options) {
  ProfileSettings settings;
  settings.inputs = options.inputs.settings();
  settings.data = options.data;
  settings.seed = options.seed;
  options.engine.put_into(settings);
  settings.meters = options.meters.probe_options();
  settings.check = Interrupts::check;
  settings.tell = tell_of_meters;
  return settings;
}

report::GatedModel gated_model(const ModelToRun& model, const std::string& given) {
  return {model.file(), model.told_as(), given};
}

}  // namespace

report::GateResult gate_in_pairs(const std::string& model, const std::string& against,
                                 const PairOptions& options,
                                 const std::vector<report::GateLimit>& limits) {
  ProfileSettings settings = settings_of_pairs(options);
  const auto time = duration_of_flag("--time", options.time);
  if (time.count() <= 0) throw Error(ErrorKind::BadInput, "--time: give a time above 0, like 30s");
  StagedProgress shown;
  settings.progress = [&](const std::string& what, std::size_t done, std::size_t total) {
    shown.tell(what, done, total);
  };
  const Interrupts interrupts;
  const ModelToRun first(against);
  const ModelToRun second(model);
  report::GateResult gate = report::gate_in_pairs(
      gated_model(second, model), gated_model(first, against), settings, time, limits);
  shown.clear();
  return gate;
}

}  // namespace jouletree::cli
