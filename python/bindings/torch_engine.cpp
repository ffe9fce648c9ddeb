#include <algorithm>

#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "bindings/bindings.hpp"
#include "bindings/profiled_model.hpp"
#include "bindings/progress.hpp"
#include "engines/torch/recorded_parts.hpp"
#include "jouletree/recorded_run.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;
using engines::Duration;
using Nanoseconds = std::chrono::nanoseconds;

Time time_from(std::int64_t monotonic_ns) { return Time(Nanoseconds(monotonic_ns)); }

std::vector<engines::CallStrides> read_strides(const std::string& json) {
  std::vector<engines::CallStrides> all;
  for (const auto& call : nlohmann::json::parse(json)) {
    engines::CallStrides& strides = all.emplace_back();
    for (const auto& one : call)
      strides.push_back(one.is_null() ? std::nullopt : std::optional(one.get<Dims>()));
  }
  return all;
}

const char* name_of_slot(engines::Slot slot) {
  switch (slot) {
    case engines::Slot::Whole: return "whole";
    case engines::Slot::Part: return "part";
    case engines::Slot::Program: return "program";
  }
  return "";
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Calls Python, and tells of its exceptions in the words of the interface. What is no Exception,
/// such as a KeyboardInterrupt, ends the profile.
template <class Ask>
auto asked(const Ask& ask) {
  const nb::gil_scoped_acquire python;
  try {
    return ask();
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw Interrupted{std::move(error)};
    const auto type = nb::cast<std::string>(error.type().attr("__name__"));
    throw Error(ErrorKind::Failed,
                fmt::format("{}: {}", type, nb::cast<std::string>(nb::str(error.value()))));
  }
}

/// A live module: `jouletree.torch.engine.TorchEngine` runs it, in this process.
class TorchEngine final : public engines::Engine {
 public:
  /// The object must outlive the engine.
  TorchEngine(nb::handle live, std::string model) : live_(live), model_(std::move(model)) {}

  [[nodiscard]] std::string name() const override { return text("name"); }

  [[nodiscard]] std::map<std::string, std::string> settings() const override {
    return asked(
        [&] { return nb::cast<std::map<std::string, std::string>>(live_.attr("settings")()); });
  }

  [[nodiscard]] std::string caller() const override { return text("caller"); }

  [[nodiscard]] engines::LoadedModel load(const engines::ModelToLoad& /*model*/) override {
    const std::string recording = text("recording");
    const std::vector<engines::CallStrides> strides = read_strides(text("strides"));
    const runtime::RecordedRun run = runtime::read_recording(recording);
    engines::LoadedModel loaded =
        engines::loaded_recording(inspect_recording(recording, model_), run, strides);
    std::vector<std::size_t> operators;
    for (const auto& part : loaded.part_of)
      if (part) operators.push_back(*part);
    parts_ = loaded.parts;
    asked([&] { live_.attr("take_operators")(operators, moved_bytes()); });
    return loaded;
  }

  [[nodiscard]] engines::WatchedRuns watch(int runs) override {
    using Slices = std::vector<std::tuple<std::size_t, std::int64_t, std::int64_t>>;
    std::vector<Slices> all;
    try {
      all = asked([&] { return nb::cast<std::vector<Slices>>(live_.attr("watch")(runs)); });
    } catch (const Error& error) {
      // A call that cannot be made again costs its own row and the times in place, not the profile.
      throw engines::EngineLost(error.what());
    }
    std::vector<std::vector<double>> seconds(parts_.size());
    engines::WatchedRuns watched;
    watched.medians.resize(parts_.size());
    for (const Slices& run : all)
      for (const auto& [call, begin, end] : run)
        seconds.at(call).push_back(static_cast<double>(end - begin) * 1e-9);
    for (std::size_t part = 0; part < parts_.size(); ++part)
      if (!seconds[part].empty()) watched.medians[part] = Duration(median_of(seconds[part]));
    if (all.empty() || all.back().empty()) return watched;
    const std::int64_t first = std::get<1>(all.back().front());
    for (const auto& [call, begin, end] : all.back()) {
      watched.last_run.push_back({parts_[call].name, parts_[call].name, call,
                                  Nanoseconds(begin - first), Nanoseconds(end - begin)});
    }
    return watched;
  }

  Duration prepare_whole(Duration warm_up) override { return prepare("prepare_whole", warm_up); }

  Duration prepare_program(Duration warm_up) override {
    return prepare("prepare_program", warm_up);
  }

  Duration prepare_part(const engines::PartNodes& nodes, const engines::Copies& copies,
                        Duration warm_up) override {
    const std::map<std::string, int> input_sets(copies.input_sets.begin(), copies.input_sets.end());
    return asked([&] {
      return Duration(nb::cast<double>(live_.attr("prepare_part")(
          nodes, copies.count, copies.weight_sets, input_sets, output_sets(nodes, copies),
          copies.context_bytes, warm_up.count())));
    });
  }

  [[nodiscard]] bool runs_in_context() const override { return true; }

  [[nodiscard]] engines::EngineWindow run(engines::Slot slot, std::int64_t runs) override {
    using Answer = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::optional<std::int64_t>,
                              std::optional<double>>;
    const auto [begin, end, cpu, memory, inside] =
        asked([&] { return nb::cast<Answer>(live_.attr("run")(name_of_slot(slot), runs)); });
    engines::EngineWindow window{time_from(begin), time_from(end), Nanoseconds(cpu), memory, {}};
    if (inside) window.inside = Duration(*inside);
    return window;
  }

  [[nodiscard]] std::vector<Duration> run_each(engines::Slot slot, std::int64_t runs) override {
    const auto seconds = asked([&] {
      return nb::cast<std::vector<double>>(live_.attr("run_each")(name_of_slot(slot), runs));
    });
    return {seconds.begin(), seconds.end()};
  }

 private:
  [[nodiscard]] std::string text(const char* method) const {
    return asked([&] { return nb::cast<std::string>(live_.attr(method)()); });
  }

  Duration prepare(const char* method, Duration warm_up) {
    return asked([&] { return Duration(nb::cast<double>(live_.attr(method)(warm_up.count()))); });
  }

  /// Of every call.
  [[nodiscard]] std::vector<std::int64_t> moved_bytes() const {
    std::vector<std::int64_t> all;
    for (const engines::Part& part : parts_) {
      std::int64_t& bytes = all.emplace_back(part.weight_bytes);
      for (const engines::Part::Tensor& read : part.reads) bytes += read.bytes;
      for (const engines::Part::Tensor& made : part.writes) bytes += made.bytes;
    }
    return all;
  }

  /// How many results are kept before the oldest is given back; nothing: all.
  [[nodiscard]] std::optional<int> output_sets(const engines::PartNodes& nodes,
                                               const engines::Copies& copies) const {
    if (!copies.output_bytes) return std::nullopt;
    std::int64_t bytes = 0;
    for (const std::size_t node : nodes)
      for (const engines::Part::Tensor& made : parts_.at(node).writes) bytes += made.bytes;
    return bytes == 0 ? 1 : static_cast<int>(*copies.output_bytes / bytes) + 1;
  }

  nb::handle live_;
  std::string model_;
  std::vector<engines::Part> parts_;
};

ProfiledModel profile_live(const nb::object& live, const std::string& name, std::uint64_t seed,
                           const nb::dict& arguments, const nb::object& show) {
  TorchEngine engine(live, name);
  return measured_model(profile_settings(arguments), show, [&](const ProfileSettings& settings) {
    measure::MeteredMachine machine(settings.meters);
    return store::profile_with(engine, {name, {}, {}, seed}, machine, settings, std::nullopt);
  });
}

}  // namespace

void bind_torch_engine(nb::module_& module) {
  module.def("profile_live", profile_live, nb::arg("engine"), nb::arg("name"), nb::arg("seed"),
             nb::arg("arguments"), nb::arg("show").none());
}

}  // namespace jouletree::python
