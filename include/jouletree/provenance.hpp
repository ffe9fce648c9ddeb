#pragma once

#include <optional>
#include <string_view>

namespace jouletree {

/// How a number was obtained. Stored, printed and exported with it.
enum class Provenance {
  Counted,    ///< From the graph.
  Measured,   ///< By a sensor or a clock.
  Estimated,  ///< By a power model, without a sensor.
  Predicted,  ///< By a fitted model.
};

[[nodiscard]] constexpr std::string_view name_of(Provenance provenance) {
  switch (provenance) {
    case Provenance::Counted: return "counted";
    case Provenance::Measured: return "measured";
    case Provenance::Estimated: return "estimated";
    case Provenance::Predicted: return "predicted";
  }
  return "";
}

/// Of the word that files hold; nothing for any other.
[[nodiscard]] constexpr std::optional<Provenance> provenance_named(std::string_view word) {
  for (const Provenance one :
       {Provenance::Counted, Provenance::Measured, Provenance::Estimated, Provenance::Predicted})
    if (word == name_of(one)) return one;
  return std::nullopt;
}

}  // namespace jouletree
