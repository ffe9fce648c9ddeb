#include "bindings/profiled_model.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bindings/progress.hpp"
#include "bindings/word_choice.hpp"

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

}  // namespace

report::ComparedProfile compared_profile(const ProfiledModel& model, const std::string& label) {
  report::ComparedProfile compared =
      report::compared_profile(model.view(), model.tree_line, model.folder(), label);
  compared.trials = store::parse_trials(store::trials_text(model.profile));
  return compared;
}

ProfileSettings profile_settings(const nb::dict& arguments) {
  static const Words<CacheMode> kModes = {
      {"hot", CacheMode::Hot}, {"model", CacheMode::Model}, {"cold", CacheMode::Cold}};
  ProfileSettings settings;
  settings.baseline = std::chrono::duration<double>(0);
  for (const auto [key, value] : arguments) {
    const auto name = nb::cast<std::string>(key);
    if (value.is_none()) continue;
    if (name == "cache") {
      settings.cache = choice("cache", nb::cast<std::string>(value), kModes);
    } else if (name == "precision") {
      settings.precision = share_from("precision", value);
    } else if (name == "target") {
      settings.target = share_from("target", value);
    } else if (name == "budget_s") {
      settings.budget = std::chrono::duration<double>(nb::cast<double>(value));
    } else if (name == "baseline_s") {
      settings.baseline = std::chrono::duration<double>(nb::cast<double>(value));
    } else if (name == "modules") {
      settings.modules = nb::cast<bool>(value);
    } else if (name == "database") {
      settings.database = nb::cast<std::string>(value);
    } else if (name == "fresh") {
      settings.fresh = nb::cast<bool>(value);
    } else if (name == "told_as") {
      settings.told_as = nb::cast<std::string>(value);
    } else {
      throw Error(ErrorKind::BadInput, fmt::format("profile has no argument '{}'", name));
    }
  }
  return settings;
}

ProfiledModel measured_model(ProfileSettings settings, const nb::object& show,
                             const std::function<ModelProfile(const ProfileSettings&)>& measure) {
  ShownProgress shown(show);
  settings.progress = [&](const std::string& what, std::size_t done, std::size_t total) {
    shown.tell(what, done, total);
  };
  settings.check = check_signals;
  try {
    const nb::gil_scoped_release others_may_run;
    return ProfiledModel(measure(settings));
  } catch (Interrupted& interrupted) {
    throw nb::python_error(std::move(interrupted.error));
  }
}

}  // namespace jouletree::python
