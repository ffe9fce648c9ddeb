#include <memory>
#include <mutex>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "measure/shared_session.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

/// The one sampler of this process.
struct Place {
  std::mutex mutex;
  std::shared_ptr<measure::SharedSession> session;
};

/// Never destroyed: a thread may still measure while the interpreter ends.
Place*& place() {
  static Place* only = new Place;  // NOLINT: see above
  return only;
}

std::shared_ptr<measure::SharedSession> shared_session() {
  const std::lock_guard lock(place()->mutex);
  if (place()->session == nullptr) place()->session = std::make_shared<measure::SharedSession>();
  return place()->session;
}

using Bound = std::optional<double>;
/// (value, low, high, provenance), in joules.
using EnergyNumbers = std::tuple<Bound, Bound, Bound, std::string>;

EnergyNumbers numbers_of(const std::optional<EnergyRange>& range, Provenance provenance) {
  const auto joules = [](const std::optional<Joules>& bound) -> Bound {
    return bound ? std::optional(bound->value()) : std::nullopt;
  };
  std::string how(name_of(provenance));
  if (!range) return {std::nullopt, std::nullopt, std::nullopt, std::move(how)};
  return {range->value.value(), joules(range->low), joules(range->high), std::move(how)};
}

std::vector<std::pair<std::string, EnergyNumbers>> meters_of(const WindowResult& result) {
  std::vector<std::pair<std::string, EnergyNumbers>> meters;
  for (const DomainEnergy& domain : result.domains)
    meters.emplace_back(domain.name, numbers_of(domain.gross, domain.provenance));
  return meters;
}

}  // namespace

void bind_measure(nb::module_& module) {
  using Release = nb::call_guard<nb::gil_scoped_release>;
  module.def(
      "begin_window", [](const std::string& name) { return shared_session()->begin(name); },
      nb::arg("name"), Release());
  module.def(
      "end_window", [](WindowId window) { shared_session()->end(window); }, nb::arg("window"),
      Release());
  nb::class_<WindowResult>(module, "WindowResult")
      .def_prop_ro("time_s",
                   [](const WindowResult& result) {
                     return std::chrono::duration<double>(result.duration()).count();
                   })
      .def_prop_ro("energy",
                   [](const WindowResult& result) {
                     return numbers_of(result.total.gross, result.total.provenance);
                   })
      .def_prop_ro("missing", [](const WindowResult& result) { return result.total.missing; })
      .def_prop_ro("covers", [](const WindowResult& result) { return result.total.rule; })
      .def_prop_ro("meters", meters_of);
  module.def(
      "window_result", [](WindowId window) { return shared_session()->result(window); },
      nb::arg("window"), Release());
  module.def(
      "forget_window", [](WindowId window) { shared_session()->forget(window); }, nb::arg("window"),
      Release());
  module.def("close_session", [] {
    const nb::gil_scoped_release others_may_run;
    const std::lock_guard lock(place()->mutex);
    place()->session.reset();
  });
  // The sampler's thread stayed in the parent, perhaps with a lock in its hands.
  module.def("forget_session", [] { place() = new Place; });  // NOLINT: see place()
}

}  // namespace jouletree::python
