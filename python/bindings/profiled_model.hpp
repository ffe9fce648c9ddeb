#pragma once

#include <functional>
#include <string>

#include <nanobind/nanobind.h>

#include "report/compared_profile.hpp"
#include "store/model_profile.hpp"

namespace jouletree::python {

/// A model that was measured, as Python holds it: the class `ProfiledModel` of the module. The
/// texts are those of the files of its folder.
struct ProfiledModel {
  explicit ProfiledModel(ModelProfile from)
      : profile(std::move(from)),
        json(profile.json()),
        tree_line(profile.tree_line()),
        layers(profile.layers()) {}

  [[nodiscard]] const store::ProfileView& view() const { return profile.state().view; }
  /// Where it was read; empty where it was just measured.
  [[nodiscard]] std::string folder() const { return profile.state().folder.string(); }

  ModelProfile profile;
  std::string json;
  std::string tree_line;
  std::string layers;
};

/// What it is compared by, with its trials.
[[nodiscard]] report::ComparedProfile compared_profile(const ProfiledModel& model,
                                                       const std::string& label);

/// Reads what `jouletree.profile` was called with: cache, precision, budget_s, target, modules,
/// baseline_s, database, fresh, told_as. Throws Error(BadInput) naming the argument.
[[nodiscard]] ProfileSettings profile_settings(const nanobind::dict& arguments);

/// Measures a model with the meters of this machine. Needs the GIL, and gives it back while C++
/// works: an engine that calls Python takes it for itself. `show` is called with a line of text
/// that says how far the work is, or None. Throws what a signal's handler raises.
[[nodiscard]] ProfiledModel measured_model(
    ProfileSettings settings, const nanobind::object& show,
    const std::function<ModelProfile(const ProfileSettings&)>& measure);

}  // namespace jouletree::python
