#include "meters/column_titles.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>

#include "meters/time_stamp.hpp"

namespace jouletree::meters {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  });
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// "U1", "I2": voltages and currents of phases and plugs.
bool is_phase(std::string_view title) {
  return title.size() <= 3 && (title[0] == 'u' || title[0] == 'i' || title[0] == 'v') &&
         std::all_of(title.begin() + 1, title.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool is_power(std::string_view title) {
  return contains_any(title,
                      {"pow", "watt", "pwr", "(w)", "[w]", "mw", "kw", "puissance", "leistung"}) ||
         is_one_of(title, {"w", "p"}) || title.ends_with("_w");
}

/// Power factors, energies (Wh), limits and the like sound as power does.
bool only_sounds_like_power(std::string_view title) {
  return contains_any(
      title, {"factor", "cosphi",   "cos_phi",  "cos phi", "thd",   "wh",        "limit",   "joule",
              "energy", "reactive", "apparent", "(va",     "[va",   "var)",      "percent", "%",
              "util",   "min",      "max",      "default", "state", "management"});
}

bool is_other_quantity(std::string_view title) {
  return contains_any(
      title, {"volt", "current", "amp", "temp", "memory", "mib", "clock", "freq", "fan", "usage",
              "load", "busy", "count", "speed", "rpm", "celsius", "humid"});
}

}  // namespace

std::string plain_title(std::string_view title) {
  std::string text = lower(trimmed(title));
  text.erase(0, text.find_first_not_of("# \t"));
  const auto unit = text.find_first_of("([");
  if (unit != std::string::npos && unit > 0) text.resize(unit);
  return std::string(trimmed(text));
}

ColumnKind kind_of_title(std::string_view title) {
  const std::string plain = plain_title(title);
  if (plain.empty()) return ColumnKind::Unknown;
  if (plain.starts_with("date")) return ColumnKind::Date;
  if (contains_any(plain, {"time", "stamp"}) || is_one_of(plain, {"t", "ts"}))
    return ColumnKind::Moment;
  if (is_one_of(plain, {"frame_is_ok", "is_ok", "valid"})) return ColumnKind::Valid;
  if (is_one_of(plain, {"index", "gpu", "gpu_index", "gpu_id", "uuid", "gpu_uuid", "pci.bus_id",
                        "gpu_bus_id", "serial", "gpu_serial"}))
    return ColumnKind::Device;
  const std::string whole = lower(title);
  if (only_sounds_like_power(whole) || is_phase(plain)) return ColumnKind::Other;
  if (is_power(whole)) return ColumnKind::Power;  // also "current power"
  return is_other_quantity(whole) ? ColumnKind::Other : ColumnKind::Unknown;
}

double watts_per_unit(std::string_view title) {
  const std::string whole = lower(title);
  if (contains_any(whole, {"milliwatt", "mw"})) return 1e-3;
  if (contains_any(whole, {"kilowatt", "kw"})) return 1e3;
  return 1;
}

bool is_card_title(std::string_view title) {
  const std::string plain = plain_title(title);
  return plain.starts_with("power.draw") || plain == "pwr";
}

}  // namespace jouletree::meters
