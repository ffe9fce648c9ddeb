#include <memory>
#include <mutex>

#include <nanobind/stl/string.h>
#include <nlohmann/json.hpp>

#include "bindings/bindings.hpp"
#include "measure/shared_session.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;
using Json = nlohmann::ordered_json;

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

Json number_json(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json quantity_json(const std::optional<EnergyRange>& range, Provenance provenance) {
  const auto joules = [](const std::optional<Joules>& bound) -> std::optional<double> {
    return bound ? std::optional(bound->value()) : std::nullopt;
  };
  return {{"value", range ? Json(range->value.value()) : Json(nullptr)},
          {"unit", "J"},
          {"provenance", name_of(provenance)},
          {"low", range ? number_json(joules(range->low)) : Json(nullptr)},
          {"high", range ? number_json(joules(range->high)) : Json(nullptr)}};
}

std::string result_json(const WindowResult& result) {
  const TotalEnergy& total = result.total;
  Json json = {{"time_s", std::chrono::duration<double>(result.duration()).count()},
               {"energy", quantity_json(total.gross, total.provenance)},
               {"covers", total.rule},
               {"peak_power_w", total.peak ? Json(total.peak->value) : Json(nullptr)}};
  json["meters"] = Json::object();
  for (const DomainEnergy& domain : result.domains)
    json["meters"][domain.name] = quantity_json(domain.gross, domain.provenance);
  return json.dump();
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
  module.def(
      "window_result",
      [](WindowId window) { return result_json(shared_session()->result(window)); },
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
