#include <unistd.h>

#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "bindings/live_runner.hpp"
#include "bindings/progress.hpp"
#include "engines/torch/torch_engine.hpp"
#include "jouletree/process_tree.hpp"
#include "measure/metered_machine.hpp"
#include "report/sweep_report.hpp"
#include "store/profile_json.hpp"
#include "store/run_sweep.hpp"
#include "store/sweep_json.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

/// What sweep_live() is called with beside the model.
struct LiveSweep {
  std::string folder;
  std::string name;
  std::string size_name;
  std::vector<double> sizes;
  std::string settings;  ///< JSON: what must be the same when the study goes on.
  int runs = 10;
  double seconds = 20;
  std::optional<std::int64_t> inferences;
  double cool_down_s = 1;
  double baseline_s = 2;
  double warm_up_s = 1;
  double interval_s = 0.5;
  std::optional<double> budget_s;
  std::uint64_t seed = 1;
};

LiveSweep live_sweep(const nb::dict& arguments) {
  LiveSweep sweep;
  const auto take = [&](const char* name, auto& target) {
    if (!arguments.contains(name)) throw nb::key_error(name);
    if (!arguments[name].is_none())
      target = nb::cast<std::remove_reference_t<decltype(target)>>(arguments[name]);
  };
  take("folder", sweep.folder);
  take("name", sweep.name);
  take("size_name", sweep.size_name);
  take("sizes", sweep.sizes);
  take("settings", sweep.settings);
  take("runs", sweep.runs);
  take("seconds", sweep.seconds);
  take("inferences", sweep.inferences);
  take("cool_down_s", sweep.cool_down_s);
  take("baseline_s", sweep.baseline_s);
  take("warm_up_s", sweep.warm_up_s);
  take("interval_s", sweep.interval_s);
  take("budget_s", sweep.budget_s);
  take("seed", sweep.seed);
  return sweep;
}

/// A live module that was opened for one run. Opening and closing are Python's.
class OpenedLive {
 public:
  OpenedLive(const nb::object& open, const nb::object& close, std::size_t format,
             const std::string& name)
      : close_(close) {
    live_ = asked([&] { return open(format); });
    runner_.emplace(live_);
    engine_.emplace(*runner_, name);
  }
  OpenedLive(const OpenedLive&) = delete;
  OpenedLive& operator=(const OpenedLive&) = delete;
  ~OpenedLive() {
    engine_.reset();
    runner_.reset();
    const nb::gil_scoped_acquire python;
    try {
      close_(live_);
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("closing a model of a sweep");
    }
    live_.reset();
  }

  [[nodiscard]] engines::TorchEngine& engine() { return *engine_; }

 private:
  const nb::object& close_;
  nb::object live_;
  std::optional<LiveRunner> runner_;
  std::optional<engines::TorchEngine> engine_;
};

/// What this process and its children use: the model runs in it.
class OwnUsage {
 public:
  OwnUsage() : tree_("/", ::getpid(), ProcessTree::Root::Included), last_(machine_clock().now()) {
    (void)tree_.look(false);
  }

  measure::UsageSample look(Time now) {
    const TreeUse use = tree_.look();
    measure::UsageSample sample;
    const std::chrono::duration<double> passed = now - last_;
    if (passed.count() > 0) sample.cpus = (use.cpu_time - cpu_time_) / passed;
    sample.cpu_share = use.cpu_share;
    sample.pss_bytes = use.pss_bytes;
    sample.uss_bytes = use.uss_bytes;
    last_ = now;
    cpu_time_ = use.cpu_time;
    return sample;
  }

 private:
  ProcessTree tree_;
  Time last_;
  std::chrono::nanoseconds cpu_time_{};
};

store::SweepSettings settings_of_live(const LiveSweep& sweep) {
  store::SweepSettings settings;
  settings.folder = sweep.folder;
  settings.runs = sweep.runs;
  settings.seed = sweep.seed;
  settings.run.seconds = measure::SweepRunPlan::Duration(sweep.seconds);
  settings.run.inferences = sweep.inferences;
  settings.run.cool_down = measure::SweepRunPlan::Duration(sweep.cool_down_s);
  settings.run.baseline = measure::SweepRunPlan::Duration(sweep.baseline_s);
  settings.run.warm_up = measure::SweepRunPlan::Duration(sweep.warm_up_s);
  settings.run.step = measure::SweepRunPlan::Duration(sweep.interval_s);
  if (sweep.budget_s) settings.budget = std::chrono::duration<double>(*sweep.budget_s);
  settings.plan.settings = nlohmann::ordered_json::parse(sweep.settings);
  store::PlannedModel& model = settings.plan.models.emplace_back();
  model.name = sweep.name;
  model.folder = ".";
  model.formats.size_name = sweep.size_name;
  for (const double size : sweep.sizes) {
    measure::SweepFormat& format = model.formats.formats.emplace_back();
    format.size = size;
    format.name = fmt::format("{}", size);
  }
  return settings;
}

/// A study as people read it, and as sweep.json.
using StudyTexts = std::tuple<std::string, std::string>;

StudyTexts texts_of(const std::string& folder) {
  const store::AnalysedStudy study = store::analyse(store::read_study(folder));
  store::write_sweep(study, folder);
  std::ostringstream text;
  report::print_sweep(study, text);
  return {text.str(), store::json_text(store::sweep_json(study))};
}

/// Needs the GIL, and gives it back while C++ works.
StudyTexts sweep_live(const nb::object& open, const nb::object& close, const nb::dict& arguments,
                      const nb::object& show) {
  const LiveSweep sweep = live_sweep(arguments);
  ShownProgress shown(show);
  store::SweepSettings settings = settings_of_live(sweep);
  settings.check = check_signals;
  settings.progress = [&](std::size_t done, std::size_t total) {
    shown.tell("measuring", done, total);
  };
  settings.open = [&](std::size_t, const measure::SweepFormat& format) {
    const auto& formats = settings.plan.models[0].formats.formats;
    const auto place = static_cast<std::size_t>(&format - formats.data());
    const auto opened = std::make_shared<OpenedLive>(open, close, place, sweep.name);
    return store::OpenedModel{std::shared_ptr<engines::Engine>(opened, &opened->engine()),
                              {sweep.name, {}, {}, sweep.seed}};
  };
  settings.watch_usage = [] {
    const auto usage = std::make_shared<OwnUsage>();
    return [usage](Time now) { return usage->look(now); };
  };
  try {
    const nb::gil_scoped_release others_may_run;
    measure::MeteredMachine machine{ProbeOptions()};
    measure::SessionEnergy energy(machine.session(), check_signals);
    settings.gpus = machine.gpus();
    (void)store::run_sweep(settings, energy, machine_clock());
    return texts_of(sweep.folder);
  } catch (Interrupted& interrupted) {
    throw nb::python_error(std::move(interrupted.error));
  }
}

}  // namespace

void bind_sweep(nb::module_& module) {
  module.def("sweep_live", sweep_live, nb::arg("open"), nb::arg("close"), nb::arg("arguments"),
             nb::arg("show").none());
  module.def("compiled_study", texts_of, nb::arg("folder"),
             nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace jouletree::python
