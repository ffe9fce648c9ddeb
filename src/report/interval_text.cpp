#include "report/interval_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace jouletree::report {

std::string uncertainty_text(const Figure& figure) {
  if (!figure.value || !figure.low || !figure.high || *figure.value == 0) return "";
  const double percent = std::abs(100 * (*figure.high - *figure.low) / 2 / *figure.value);
  constexpr double kRoundingErrors = 1e-6;
  constexpr double kMostPercent = 100;
  if (percent > kMostPercent + kRoundingErrors) return kUnstable;
  return fmt::format("{:.1f} %", std::ceil(std::max(10 * percent - kRoundingErrors, 0.0)) / 10);
}

std::string interval_text(const Figure& figure) {
  const std::string text = uncertainty_text(figure);
  return text.empty() || text == kUnstable ? text : "± " + text;
}

}  // namespace jouletree::report
