#include "bindings/profiled_model.hpp"

#include <sstream>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nlohmann/json.hpp>

#include "bindings/progress.hpp"
#include "bindings/word_choice.hpp"
#include "jouletree/tree_files.hpp"
#include "measure/metered_machine.hpp"
#include "store/profile_json.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

double share_from(const char* name, nb::handle given) {
  double share = 0;
  if (!nb::try_cast(given, share) || !(share > 0) || share > 1) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} is {}: give a share above 0 and up to 1 such as 0.02, or '2%'",
                            name, nb::cast<std::string>(nb::repr(given))));
  }
  return share;
}

ProfiledModel profiled(measure::Profile profile, const ProfileArguments& arguments) {
  ProfiledModel result;
  result.view = store::view_of(profile, arguments.options.target);
  result.view.model_bytes = arguments.model_bytes;
  result.view.metrics = tree::MetricSet().compute(store::measured_model(result.view));
  result.json = store::json_text(store::profile_json(profile, result.view));
  const FiguresOf figures = measure::figures_of(profile);
  std::ostringstream line;
  write_tree_line(profile.tree, line, figures);
  result.tree_line = line.str();
  std::ostringstream layers;
  write_layers(profile.tree, layers, figures);
  result.layers = layers.str();
  result.profile = std::make_shared<const measure::Profile>(std::move(profile));
  return result;
}

}  // namespace

ProfileArguments::ProfileArguments(const nb::dict& arguments) {
  static const Words<measure::CacheMode> kModes = {{"hot", measure::CacheMode::Hot},
                                                   {"model", measure::CacheMode::Model},
                                                   {"cold", measure::CacheMode::Cold}};
  for (const auto [key, value] : arguments) {
    const auto name = nb::cast<std::string>(key);
    if (value.is_none()) continue;
    if (name == "cache") {
      options.cache = choice("cache", nb::cast<std::string>(value), kModes);
    } else if (name == "precision") {
      options.precision = share_from("precision", value);
    } else if (name == "target") {
      options.target = share_from("target", value);
    } else if (name == "budget_s") {
      options.budget = std::chrono::duration<double>(nb::cast<double>(value));
    } else if (name == "baseline_s") {
      options.baseline = std::chrono::duration<double>(nb::cast<double>(value));
    } else if (name == "modules") {
      options.modules = nb::cast<bool>(value);
    } else {
      throw Error(ErrorKind::BadInput, fmt::format("profile has no argument '{}'", name));
    }
  }
}

ProfiledModel profile_with(engines::Engine& engine, const engines::ModelToLoad& model,
                           const ProfileArguments& arguments, const nb::object& show) {
  ShownProgress shown(show);
  try {
    const nb::gil_scoped_release others_may_run;
    measure::ProfileOptions options = arguments.options;
    measure::MeteredMachine machine({});
    options.gpus = machine.gpus();
    measure::SessionEnergy energy(machine.session());
    const auto tell = [&](const std::string& what, std::size_t done, std::size_t total) {
      shown.tell(what, done, total);
    };
    try {
      return profiled(measure::profile_model(engine, model, options, energy, tell), arguments);
    } catch (const Error&) {
      // A signal to all of a terminal ends a worker, too, and its end is not the reason.
      check_signals();
      throw;
    }
  } catch (Interrupted& interrupted) {
    throw nb::python_error(std::move(interrupted.error));
  }
}

}  // namespace jouletree::python
