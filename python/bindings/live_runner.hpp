#pragma once

#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/progress.hpp"
#include "jouletree/clock.hpp"
#include "jouletree/error.hpp"
#include "runtime/torch_runner.hpp"

namespace jouletree::python {

inline Time time_from(std::int64_t monotonic_ns) {
  return Time(std::chrono::nanoseconds(monotonic_ns));
}

/// Calls Python, and tells of its exceptions in the words of the interface. What is no Exception,
/// such as a KeyboardInterrupt, ends the profile.
template <class Ask>
auto asked(const Ask& ask) {
  const nanobind::gil_scoped_acquire python;
  try {
    return ask();
  } catch (nanobind::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw Interrupted{std::move(error)};
    const auto type = nanobind::cast<std::string>(error.type().attr("__name__"));
    throw Error(
        ErrorKind::Failed,
        fmt::format("{}: {}", type, nanobind::cast<std::string>(nanobind::str(error.value()))));
  }
}

/// A live module: `jouletree.torch.engine.TorchEngine` runs it, in this process.
class LiveRunner final : public runtime::TorchRunner {
 public:
  /// The object must outlive the runner.
  explicit LiveRunner(nanobind::handle live) : live_(live) {}

  [[nodiscard]] std::string name() override { return told<std::string>("name"); }
  [[nodiscard]] std::map<std::string, std::string> settings() override {
    return told<std::map<std::string, std::string>>("settings");
  }
  [[nodiscard]] std::string caller() override { return told<std::string>("caller"); }
  [[nodiscard]] std::string recording() override { return told<std::string>("recording"); }
  [[nodiscard]] std::vector<std::vector<std::optional<Dims>>> strides() override {
    return told<std::vector<std::vector<std::optional<Dims>>>>("strides");
  }
  void take_operators(const std::vector<std::size_t>& calls,
                      const std::vector<std::int64_t>& moved_bytes) override {
    asked([&] { live_.attr("take_operators")(calls, moved_bytes); });
  }

  Duration prepare_whole(Duration warm_up) override {
    return Duration(told<double>("prepare_whole", warm_up.count()));
  }
  Duration prepare_program(Duration warm_up) override {
    return Duration(told<double>("prepare_program", warm_up.count()));
  }
  Duration prepare_part(const runtime::TorchPart& part, Duration warm_up) override {
    return Duration(told<double>(
        "prepare_part", part.calls, part.count, part.weight_sets, part.input_sets, part.output_sets,
        std::tuple(part.least_context_bytes, part.most_context_bytes, part.longest_context.count()),
        warm_up.count()));
  }

  [[nodiscard]] runtime::TorchWindow run(const char* slot, std::int64_t runs) override {
    using Answer = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::optional<std::int64_t>,
                              std::optional<double>>;
    const auto [begin, end, cpu, memory, inside] = told<Answer>("run", slot, runs);
    runtime::TorchWindow window{
        time_from(begin), time_from(end), std::chrono::nanoseconds(cpu), memory, {}};
    if (inside) window.inside = Duration(*inside);
    return window;
  }
  [[nodiscard]] std::vector<Duration> run_each(const char* slot, std::int64_t runs) override {
    const auto seconds = told<std::vector<double>>("run_each", slot, runs);
    return {seconds.begin(), seconds.end()};
  }
  [[nodiscard]] std::vector<std::vector<runtime::TimedCall>> watch(int runs) override {
    using Slices = std::vector<std::tuple<std::size_t, std::int64_t, std::int64_t>>;
    std::vector<std::vector<runtime::TimedCall>> all;
    for (const Slices& run : told<std::vector<Slices>>("watch", runs)) {
      std::vector<runtime::TimedCall>& calls = all.emplace_back();
      for (const auto& [call, begin, end] : run)
        calls.push_back({call, time_from(begin), time_from(end)});
    }
    return all;
  }

 private:
  template <class Answer, class... Arguments>
  Answer told(const char* method, const Arguments&... arguments) {
    return asked([&] { return nanobind::cast<Answer>(live_.attr(method)(arguments...)); });
  }

  nanobind::handle live_;
};

}  // namespace jouletree::python
