#include <chrono>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "bindings/input_settings.hpp"
#include "bindings/profiled_model.hpp"
#include "bindings/progress.hpp"
#include "bindings/python_words.hpp"
#include "jouletree/error.hpp"
#include "report/gate_checks.hpp"
#include "report/gate_history.hpp"
#include "report/gate_limits.hpp"
#include "report/gate_paired_models.hpp"
#include "report/gate_subjects.hpp"
#include "store/database/model_history.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

/// Table, JSON and Markdown.
using GateTexts = std::tuple<std::string, std::string, std::string>;

GateTexts texts_of_gate(const report::GateResult& gate) {
  std::ostringstream table;
  report::print_gate(gate, table);
  std::ostringstream json;
  report::print_gate_json(gate, json);
  std::ostringstream markdown;
  report::print_gate_markdown(gate, markdown);
  return {python_words(table.str()), json.str(), markdown.str()};
}

/// Limits are texts as the flags take them, or shares.
std::vector<report::GateLimit> limits_from(const nb::dict& given) {
  std::vector<report::GateLimit> limits;
  for (const report::GateLimitKind& kind : report::gate_limit_kinds()) {
    const auto argument = fmt::format("max_{}", kind.name);
    if (!given.contains(argument.c_str())) continue;
    const nb::object value = given[argument.c_str()];
    std::optional<double> share;
    if (nb::isinstance<nb::str>(value)) {
      share = report::share_of_limit(nb::cast<std::string>(value));
    } else if (double number = 0; PyBool_Check(value.ptr()) == 0 && nb::try_cast(value, number)) {
      // 5 is meant as 5 %, and would be 500 %.
      if (number >= 0 && number < 1) share = number;
    }
    if (!share) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{} is {}: give per cent of 0 or more, like '+5%', or a share from 0 "
                              "to below 1, like 0.05",
                              argument, nb::cast<std::string>(nb::repr(value))));
    }
    limits.push_back({kind.metric, *share});
  }
  return limits;
}

/// A profile as Python has it, or its place.
struct GatedSide {
  const ProfiledModel* profiled = nullptr;
  const store::KeptModel* kept = nullptr;
  std::string name;  ///< Its label, or its place.

  [[nodiscard]] report::ComparedProfile compared(const char* what) const {
    if (profiled != nullptr) return compared_profile(*profiled, name);
    if (kept != nullptr) return report::compared_profile(*kept, kept->label);
    return report::gated_profile(name, what);
  }
  /// Of a database.
  [[nodiscard]] std::string entry() const { return kept != nullptr ? kept->place : name; }
};

GatedSide side_from(nb::handle given) {
  if (nb::isinstance<nb::str>(given)) return {nullptr, nullptr, nb::cast<std::string>(given)};
  const auto parts = nb::cast<nb::tuple>(given);
  GatedSide side;
  side.name = nb::cast<std::string>(parts[1]);
  if (nb::isinstance<store::KeptModel>(parts[0])) {
    side.kept = nb::cast<const store::KeptModel*>(parts[0]);
  } else {
    side.profiled = nb::cast<const ProfiledModel*>(parts[0]);
  }
  return side;
}

void update_baseline(const GatedSide& now, const std::string& folder) {
  const ModelProfile profile = now.profiled != nullptr
                                   ? now.profiled->profile
                                   : read_profile(report::folder_of_gated(now.name, "profile"));
  write_profile(profile, folder, OlderProfile::Replace);
}

GateTexts gate_profiles(nb::handle now_given, nb::handle baseline_given, const nb::dict& limits,
                        bool other_machine, bool update) {
  const GatedSide now = side_from(now_given);
  const GatedSide baseline = side_from(baseline_given);
  const std::vector<report::GateLimit> wanted = limits_from(limits);
  const nb::gil_scoped_release others_may_run;
  if (update) {
    report::refuse_update_of(baseline.entry());
    if (now.profiled == nullptr) report::refuse_update_of(now.entry());
    if (report::is_missing_baseline(baseline.name)) {
      update_baseline(now, baseline.name);
      return texts_of_gate(report::gate_without_baseline(baseline.name, now.name));
    }
  }
  const report::ComparedProfile compared = now.compared("profile");
  const report::ComparedProfile before = baseline.compared("baseline");
  report::GateResult gate = report::gate_of_profiles(before, compared, wanted, other_machine);
  if (baseline.profiled == nullptr) {
    if (const auto history = store::history_of_entry(baseline.entry()))
      gate.history = report::gate_history(*history);
  }
  if (update && !gate.failed()) update_baseline(now, baseline.name);
  return texts_of_gate(gate);
}

/// Path, what records call it, what its user calls it.
using GivenModel = std::tuple<std::string, std::string, std::string>;

report::GatedModel gated_model(const GivenModel& given) {
  const auto& [path, told_as, name] = given;
  return {path, told_as, name};
}

/// How both models are run. `run` holds seed, threads, level, execution, device, python.
ProfileSettings settings_of_runs(const nb::dict& run) {
  ProfileSettings settings;
  settings.seed = nb::cast<std::uint64_t>(run["seed"]);
  settings.threads = nb::cast<int>(run["threads"]);
  settings.level = nb::cast<std::string>(run["level"]);
  settings.execution = nb::cast<std::string>(run["execution"]);
  settings.device = nb::cast<std::string>(run["device"]);
  settings.python = nb::cast<std::string>(run["python"]);
  settings.device_options = nb::cast<std::map<std::string, std::string>>(run["provider_options"]);
  settings.data = nb::cast<std::vector<std::string>>(run["data"]);
  return settings;
}

/// Needs the GIL, and gives it back while C++ works.
GateTexts gate_models(const GivenModel& model, const GivenModel& against, const nb::dict& limits,
                      double time_s, const nb::dict& shapes, const nb::dict& dims,
                      const nb::dict& values, const nb::dict& types, const nb::dict& run,
                      const nb::object& show) {
  const std::vector<report::GateLimit> wanted = limits_from(limits);
  ProfileSettings settings = settings_of_runs(run);
  settings.inputs = input_settings(shapes, dims, values, types);
  ShownProgress shown(show);
  settings.progress = [&](const std::string& what, std::size_t done, std::size_t total) {
    shown.tell(what, done, total);
  };
  settings.check = check_signals;
  try {
    const nb::gil_scoped_release others_may_run;
    return texts_of_gate(report::gate_in_pairs(gated_model(model), gated_model(against), settings,
                                               std::chrono::duration<double>(time_s), wanted));
  } catch (Interrupted& interrupted) {
    throw nb::python_error(std::move(interrupted.error));
  }
}

}  // namespace

void bind_gate(nb::module_& module) {
  module.def("gate_profiles", gate_profiles, nb::arg("now"), nb::arg("baseline"), nb::arg("limits"),
             nb::arg("other_machine"), nb::arg("update"));
  module.def("gate_models", gate_models, nb::arg("model"), nb::arg("against"), nb::arg("limits"),
             nb::arg("time_s"), nb::arg("shapes"), nb::arg("dims"), nb::arg("values"),
             nb::arg("types"), nb::arg("run"), nb::arg("show").none());
}

}  // namespace jouletree::python
