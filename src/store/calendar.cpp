#include "store/calendar.hpp"

#include <array>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "meters/time_stamp.hpp"

namespace jouletree::store {

std::string date_text(WallTime time) {
  using std::chrono::microseconds;
  const auto since_1970 = std::chrono::floor<microseconds>(time.time_since_epoch());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since_1970);
  const std::time_t whole = seconds.count();
  std::tm parts{};
  ::localtime_r(&whole, &parts);
  std::array<char, 32> day{};
  std::strftime(day.data(), day.size(), "%F %T", &parts);
  const long offset_min = parts.tm_gmtoff / 60;
  const long distance_min = offset_min < 0 ? -offset_min : offset_min;
  return fmt::format("{}.{:06}{}{:02}:{:02}", day.data(), (since_1970 - seconds).count(),
                     offset_min < 0 ? '-' : '+', distance_min / 60, distance_min % 60);
}

std::optional<WallTime> parse_date(std::string_view text) {
  const auto stamp = meters::parse_stamp(text, machine_clock().wall());
  if (!stamp || stamp->relative) return std::nullopt;
  return WallTime(std::chrono::duration_cast<WallTime::duration>(stamp->time));
}

std::string utc_text(WallTime time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::string utc_now() { return utc_text(machine_clock().wall()); }

}  // namespace jouletree::store
