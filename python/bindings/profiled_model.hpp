#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <nanobind/nanobind.h>

#include "engines/engine.hpp"
#include "measure/profile.hpp"
#include "store/profile_view.hpp"

namespace jouletree::python {

/// A model that was measured, as Python holds it: the class `ProfiledModel` of the module.
struct ProfiledModel {
  store::ProfileView view;
  std::string json;       ///< What stands in profile.json.
  std::string tree_line;  ///< What stands in tree.jsonl.
  std::string layers;     ///< What stands in layers.csv.
  /// Just measured, and shared so that Python may copy it; null where it was read from a folder.
  std::shared_ptr<const measure::Profile> profile;
  std::filesystem::path folder;  ///< Where it was read.
};

/// How to measure, as Python says it: all but what an engine wants to know.
struct ProfileArguments {
  measure::ProfileOptions options;
  std::optional<std::int64_t> model_bytes;  ///< Of the model's file, where there is one.
  /// Reads what `jouletree.profile` was called with: cache, precision, budget_s, target, modules,
  /// baseline_s. Throws Error(BadInput) naming the argument.
  explicit ProfileArguments(const nanobind::dict& arguments);
};

/// Measures a model with the meters of this machine. Needs the GIL, and gives it back while C++
/// works: an engine that calls Python takes it for itself. `show` is called with a line of text
/// that says how far the work is, or None. Throws what a signal's handler raises.
[[nodiscard]] ProfiledModel profile_with(engines::Engine& engine, const engines::ModelToLoad& model,
                                         const ProfileArguments& arguments,
                                         const nanobind::object& show);

}  // namespace jouletree::python
