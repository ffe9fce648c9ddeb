#include "campaign/time_left.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/number_of.hpp"

namespace jouletree::campaign {

std::string span_text(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 2 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  return fmt::format("{:.1f} h", seconds / kHour);
}

std::string time_left_text(const store::CampaignQueue::Counts& counts) {
  const std::int64_t left = counts.waiting + counts.running;
  if (left == 0 || !counts.mean_seconds) return {};
  const auto workers = static_cast<double>(std::max<std::int64_t>(1, counts.running));
  return fmt::format("about {} left",
                     span_text(*counts.mean_seconds * static_cast<double>(left) / workers));
}

std::string result_text(const ItemResult& result) {
  std::string text = result.time_s ? fmt::format("{:.4g} ms", *result.time_s * 1e3) : "no time";
  if (result.energy_j) text += fmt::format(", {:.4g} mJ", *result.energy_j * 1e3);
  if (!result.energy_provenance.empty()) text += fmt::format(" ({})", result.energy_provenance);
  if (result.attribution_time) {
    text += fmt::format(", operators explain {:.0f} % of the time", *result.attribution_time * 100);
    if (result.attribution_energy)
      text += fmt::format(" and {:.0f} % of the energy", *result.attribution_energy * 100);
  }
  return text + fmt::format(", {} measured, {} reused", number_of(result.measured, "operator"),
                            result.reused);
}

}  // namespace jouletree::campaign
