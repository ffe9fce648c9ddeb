#include "engines/torch/torch_engine.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bindings/bindings.hpp"
#include "bindings/live_runner.hpp"
#include "bindings/profiled_model.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

ProfiledModel profile_live(const nb::object& live, const std::string& name, std::uint64_t seed,
                           const nb::dict& arguments, const nb::object& show,
                           std::optional<std::int64_t> model_bytes) {
  LiveRunner runner(live);
  engines::TorchEngine engine(runner, name);
  return measured_model(profile_settings(arguments), show, [&](const ProfileSettings& settings) {
    measure::MeteredMachine machine(settings.meters);
    return store::profile_with(engine, {name, {}, {}, seed}, machine, settings, model_bytes);
  });
}

}  // namespace

void bind_torch_engine(nb::module_& module) {
  module.def("profile_live", profile_live, nb::arg("engine"), nb::arg("name"), nb::arg("seed"),
             nb::arg("arguments"), nb::arg("show").none(), nb::arg("model_bytes") = nb::none());
}

}  // namespace jouletree::python
