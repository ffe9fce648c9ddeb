#pragma once

#include <optional>
#include <span>
#include <string>

namespace jouletree::report {

/// A metric that a gate can limit.
struct GateLimitKind {
  const char* name;    ///< "energy": the flag is --max-energy, in Python it is max_energy.
  const char* metric;  ///< Of the catalogue.
  const char* help;
};
[[nodiscard]] std::span<const GateLimitKind> gate_limit_kinds();

/// "+5%", "5%" and "5" are 0.05. Nothing for what is no per cent of 0 or more.
[[nodiscard]] std::optional<double> share_of_limit(const std::string& text);

}  // namespace jouletree::report
