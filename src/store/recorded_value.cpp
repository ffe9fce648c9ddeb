#include "store/recorded_value.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <span>

#include "meters/time_stamp.hpp"
#include "store/json_member.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

struct Unit {
  std::string_view name;
  double size;
};
constexpr std::array kPowerUnits = {Unit{"", 1}, Unit{"W", 1}, Unit{"mW", 1e-3}, Unit{"kW", 1e3}};
constexpr std::array kByteUnits = {Unit{"", 1},          Unit{"B", 1},         Unit{"KiB", 1024},
                                   Unit{"MiB", 1 << 20}, Unit{"GiB", 1 << 30}, Unit{"KB", 1e3},
                                   Unit{"MB", 1e6},      Unit{"GB", 1e9}};
constexpr std::array kPlainUnits = {Unit{"", 1}, Unit{"%", 1}};

/// Texts with which programs say that they do not know.
bool says_unknown(std::string_view text) {
  constexpr std::array kWords = {"",     "-",    "N/A",  "[N/A]", "[Not Supported]",
                                 "None", "null", "NaN",  "nan",   "[Unknown Error]",
                                 "n/a",  "inf",  "-inf", "Err!",  "[Insufficient Permissions]"};
  return std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

RecordedValue value_of_text(std::string_view text, std::span<const Unit> units) {
  text = meters::trimmed(text);
  if (says_unknown(text)) return {};
  double number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc()) return {std::nullopt, false};
  const std::string_view unit =
      meters::trimmed(text.substr(static_cast<std::size_t>(parsed.ptr - text.data())));
  for (const Unit& known : units)
    if (known.name == unit) return {number * known.size};
  return {std::nullopt, false};
}

RecordedValue scalar(const Json& entry, std::span<const Unit> units) {
  if (entry.is_null()) return {};
  if (entry.is_number()) return {entry.get<double>()};
  if (entry.is_string()) return value_of_text(entry.get_ref<const std::string&>(), units);
  return {std::nullopt, false};
}

bool is_part(std::string_view key) {
  return !key.empty() && std::isdigit(static_cast<unsigned char>(key.back())) != 0;
}

enum class UnknownParts { MakeTheSumUnknown, AreLeftOut };

RecordedValue sum(const Json& parts, std::span<const Unit> units, UnknownParts unknown) {
  RecordedValue result;
  bool incomplete = false;
  for (const Json& part : parts) {
    const RecordedValue found = scalar(part, units);
    if (!found.understood) return found;
    if (found.value) result.value = result.value.value_or(0) + *found.value;
    incomplete = incomplete || !found.value;
  }
  if (incomplete && unknown == UnknownParts::MakeTheSumUnknown) return {};
  return result;
}

RecordedValue total(const Json& entry, std::span<const Unit> units, UnknownParts unknown) {
  if (entry.is_array()) return sum(entry, units, unknown);
  if (!entry.is_object()) return scalar(entry, units);
  for (const auto& [key, part] : entry.items()) {
    if (is_sum_key(key)) continue;
    // {"power": 60, "limit": 250} is no list of parts.
    if (!is_part(key)) return {std::nullopt, false};
  }
  for (const auto& [key, part] : entry.items())
    if (is_sum_key(key)) return scalar(part, units);
  return sum(entry, units, unknown);
}

}  // namespace

bool is_sum_key(std::string_view key) { return key == "all" || key == "total" || key == "sum"; }

RecordedValue recorded_watts(const Json& entry) {
  RecordedValue found = total(entry, kPowerUnits, UnknownParts::MakeTheSumUnknown);
  if (found.value && *found.value < 0) found.value.reset();
  return found;
}

RecordedValue recorded_bytes(const Json& entry) {
  if (const Json& used = member(entry, "used"); !used.is_null()) return scalar(used, kByteUnits);
  return total(entry, kByteUnits, UnknownParts::AreLeftOut);
}

RecordedValue recorded_number(const Json& entry) {
  return total(entry, kPlainUnits, UnknownParts::AreLeftOut);
}

}  // namespace jouletree::store
