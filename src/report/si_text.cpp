#include "report/si_text.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace jouletree::report {
namespace {

struct Prefix {
  double factor;
  const char* name;
};
constexpr std::array kPrefixes = {Prefix{1e12, "T"}, Prefix{1e9, "G"},  Prefix{1e6, "M"},
                                  Prefix{1e3, "k"},  Prefix{1, ""},     Prefix{1e-3, "m"},
                                  Prefix{1e-6, "µ"}, Prefix{1e-9, "n"}, Prefix{1e-12, "p"},
                                  Prefix{1e-15, "f"}};
/// What rounds to 1000 belongs to the next prefix.
constexpr double kRounding = 0.99995;

}  // namespace

std::string si_text(double value, std::string_view unit) {
  for (const Prefix& prefix : kPrefixes) {
    if (std::abs(value) >= prefix.factor * kRounding)
      return fmt::format("{:.4g} {}{}", value / prefix.factor, prefix.name, unit);
  }
  return fmt::format("{:.4g} {}", value, unit);
}

std::string si_text(const std::optional<double>& value, std::string_view unit) {
  return value ? si_text(*value, unit) : "unknown";
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (seconds < 1) return si_text(seconds, "s");
  if (seconds < 2 * kMinute) return fmt::format("{:.4g} s", seconds);
  if (seconds < 2 * kHour) {
    const double minutes = std::floor(seconds / kMinute);
    return fmt::format("{:.0f} min {:.0f} s", minutes, std::floor(seconds - minutes * kMinute));
  }
  const double hours = std::floor(seconds / kHour);
  return fmt::format("{:.0f} h {:02.0f} min", hours, std::floor((seconds - hours * kHour) / 60));
}

}  // namespace jouletree::report
