#include <cmath>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "base/duration_text.hpp"
#include "base/number_format.hpp"
#include "bindings/bindings.hpp"
#include "report/interval_text.hpp"
#include "report/si_text.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

std::string number_text(double value, const std::string& unit) {
  constexpr double kExact = 9007199254740992.0;
  const bool is_whole = std::floor(value) == value && std::abs(value) <= kExact;
  if (unit == "1") {
    return is_whole ? with_separators(static_cast<std::int64_t>(value))
                    : fmt::format("{:.4g}", value);
  }
  if (unit == "B") return shortened_bytes(value);
  return report::si_text(value, unit == "1/s" ? "/s" : unit);
}

/// "1.234 ms ± 0.8 %", "25,557,032", "97.7 MiB", "unknown".
std::string quantity_text(std::optional<double> value, const std::string& unit,
                          std::optional<double> low, std::optional<double> high) {
  if (!value) return "unknown";
  const std::string interval = report::interval_text({value, low, high});
  return number_text(*value, unit) + (interval.empty() ? "" : " " + interval);
}

}  // namespace

void bind_quantity_text(nb::module_& module) {
  module.def(
      "seconds_of",
      [](const std::string& name, const std::string& text) {
        return std::chrono::duration<double>(duration_of_flag(name, text)).count();
      },
      nb::arg("name"), nb::arg("text"));
  module.def("quantity_text", quantity_text, nb::arg("value").none(), nb::arg("unit"),
             nb::arg("low").none(), nb::arg("high").none());
}

}  // namespace jouletree::python
