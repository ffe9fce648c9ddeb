#include "meters/time_stamp.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <ctime>

namespace jouletree::meters {
namespace {

using std::chrono::nanoseconds;

struct Calendar {
  int year = 0;
  int month = 0;
  int day = 0;
};

/// Takes numbers and marks off the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool number(int& value, std::size_t* digits = nullptr) {
    const char* end = text_.data() + text_.size();
    if (text_.empty() || text_.front() < '0' || text_.front() > '9') return false;
    const auto parsed = std::from_chars(text_.data(), end, value);
    if (parsed.ec != std::errc()) return false;
    const auto length = static_cast<std::size_t>(parsed.ptr - text_.data());
    if (digits != nullptr) *digits = length;
    text_.remove_prefix(length);
    return true;
  }
  bool mark(char wanted) {
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::optional<char> any_of(std::string_view marks) {
    if (text_.empty() || marks.find(text_.front()) == std::string_view::npos) return std::nullopt;
    const char found = text_.front();
    text_.remove_prefix(1);
    return found;
  }
  [[nodiscard]] bool done() const { return text_.empty(); }

 private:
  std::string_view text_;
};

std::optional<Calendar> scan_date(Scanner& scan) {
  int first = 0;
  int second = 0;
  int third = 0;
  if (!scan.number(first)) return std::nullopt;
  const auto separator = scan.any_of("-/.");
  if (!separator || !scan.number(second) || !scan.mark(*separator) || !scan.number(third))
    return std::nullopt;
  if (first > 31) return Calendar{first, second, third};
  // Day first, as most of the world writes it, unless that gives a month that does not exist.
  if (second > 12) return Calendar{third, first, second};
  return Calendar{third, second, first};
}

/// hh:mm[:ss[.fraction]], the fraction after a point or a comma.
std::optional<nanoseconds> scan_time_of_day(Scanner& scan) {
  int hours = 0;
  int minutes = 0;
  int seconds = 0;
  if (!scan.number(hours) || !scan.mark(':') || !scan.number(minutes)) return std::nullopt;
  nanoseconds fraction{};
  if (scan.mark(':')) {
    if (!scan.number(seconds)) return std::nullopt;
    int digits_value = 0;
    std::size_t digits = 0;
    if (scan.any_of(".,")) {
      if (!scan.number(digits_value, &digits)) return std::nullopt;
      fraction = nanoseconds(
          std::llround(digits_value * std::pow(10.0, 9.0 - static_cast<double>(digits))));
    }
  }
  if (hours > 24 || minutes > 59 || seconds > 60) return std::nullopt;
  return std::chrono::hours(hours) + std::chrono::minutes(minutes) + std::chrono::seconds(seconds) +
         fraction;
}

/// Z or +hh:mm; nothing where no zone is given. `valid` is false for anything else.
std::optional<nanoseconds> scan_zone(Scanner& scan, bool& valid) {
  if (scan.mark('Z')) return nanoseconds{};
  const auto sign = scan.any_of("+-");
  if (!sign) return std::nullopt;
  int hours = 0;
  int minutes = 0;
  std::size_t digits = 0;
  valid = scan.number(hours, &digits);
  if (digits > 2) {
    minutes = hours % 100;
    hours /= 100;
  } else if (scan.mark(':')) {
    valid = valid && scan.number(minutes);
  }
  valid = valid && hours <= 24 && minutes < 60;
  if (!valid) return std::nullopt;
  const nanoseconds east = std::chrono::hours(hours) + std::chrono::minutes(minutes);
  return *sign == '+' ? east : -east;
}

std::optional<nanoseconds> utc_of(const Calendar& date) {
  const std::chrono::year_month_day day{std::chrono::year(date.year),
                                        std::chrono::month(static_cast<unsigned>(date.month)),
                                        std::chrono::day(static_cast<unsigned>(date.day))};
  // Beyond them, spans do not fit into nanoseconds.
  const bool is_countable = date.year >= 1970 && date.year <= 2200;
  if (!is_countable || !day.ok()) return std::nullopt;
  return std::chrono::sys_days(day).time_since_epoch();
}

nanoseconds from_local(const Calendar& date, nanoseconds time_of_day) {
  std::tm local{};
  local.tm_year = date.year - 1900;
  local.tm_mon = date.month - 1;
  local.tm_mday = date.day;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time_of_day);
  local.tm_sec = static_cast<int>(seconds.count());
  local.tm_isdst = -1;
  return std::chrono::seconds(std::mktime(&local)) + (time_of_day - seconds);
}

Calendar local_date(WallTime moment) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(moment);
  std::tm local{};
  ::localtime_r(&seconds, &local);
  return {local.tm_year + 1900, local.tm_mon + 1, local.tm_mday};
}

std::optional<Stamp> from_number(std::int64_t whole, double fraction) {
  // Which unit it is follows from the size: all of them mean this century.
  constexpr std::int64_t kRelative = 100'000'000;
  constexpr std::int64_t kLimits[] = {100'000'000'000, 100'000'000'000'000,
                                      100'000'000'000'000'000};
  std::int64_t unit_ns = 1'000'000'000;
  for (const std::int64_t limit : kLimits) {
    if (whole >= limit) unit_ns /= 1000;
  }
  std::int64_t time_ns = 0;
  if (__builtin_mul_overflow(whole, unit_ns, &time_ns)) return std::nullopt;
  constexpr std::int64_t kLatest = 7'300'000'000'000'000'000;  // in the year 2201
  if (time_ns > kLatest || time_ns < -kRelative * 1'000'000'000) return std::nullopt;
  const bool relative = whole > -kRelative && whole < kRelative;
  return Stamp{relative,
               nanoseconds(time_ns + std::llround(fraction * static_cast<double>(unit_ns)))};
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\"";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::optional<double> parse_decimal(std::string_view text) {
  text = trimmed(text);
  std::array<char, 64> digits{};
  if (text.empty() || text.size() >= digits.size()) return std::nullopt;
  std::size_t size = 0;
  for (const char c : text) digits[size++] = c == ',' ? '.' : c;
  const char* begin = digits.data();
  const char* end = begin + size;
  if (*begin == '+') ++begin;
  double value = 0;
  const auto parsed = std::from_chars(begin, end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<Stamp> parse_stamp(std::string_view text, WallTime today) {
  text = trimmed(text);
  std::int64_t whole = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), whole);
  const bool is_whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  if (is_whole) return from_number(whole, 0);
  if (const auto number = parse_decimal(text)) {
    const double floor = std::floor(*number);
    if (std::abs(floor) > 1e18) return std::nullopt;
    return from_number(static_cast<std::int64_t>(floor), *number - floor);
  }
  Scanner dated(text);
  Scanner scan(text);
  std::optional<Calendar> date = scan_date(dated);
  if (date) {
    scan = dated;
    if (!scan.any_of("T ")) return std::nullopt;
    while (scan.mark(' ')) {
    }
  }
  const auto time_of_day = scan_time_of_day(scan);
  if (!time_of_day) return std::nullopt;
  if (!date) date = local_date(today);
  const auto midnight = utc_of(*date);
  if (!midnight) return std::nullopt;
  bool valid = true;
  const auto east = scan_zone(scan, valid);
  if (!valid || !scan.done()) return std::nullopt;
  if (east) return Stamp{false, *midnight + *time_of_day - *east};
  return Stamp{false, from_local(*date, *time_of_day)};
}

}  // namespace jouletree::meters
