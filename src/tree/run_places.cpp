#include "tree/run_places.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"

namespace jouletree::tree {
namespace {

bool both_say(const std::string& one, const std::string& other) {
  return !one.empty() && !other.empty();
}

bool differ(const std::string& one, const std::string& other) {
  return both_say(one, other) && one != other;
}

bool is_other_machine(const MeasuredOn& one, const MeasuredOn& other) {
  if (both_say(one.machine_key, other.machine_key)) return one.machine_key != other.machine_key;
  return differ(one.machine, other.machine);
}

}  // namespace

std::string engine_text(const MeasuredOn& place) {
  return place.version.empty() ? place.engine : place.engine + " " + place.version;
}

std::string place_text(const MeasuredOn& place) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) parts.push_back(text);
  };
  add(place.machine);
  add(engine_text(place));
  if (place.threads) add(number_of(*place.threads, "thread"));
  if (place.device != "cpu") add(place.device);
  if (!place.level.empty() && place.level != "all") add("level " + place.level);
  if (place.execution != "sequential") add(place.execution);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string_view name_of(PlacePart part) {
  switch (part) {
    case PlacePart::Machine: return "machine";
    case PlacePart::Engine: return "engine";
    case PlacePart::Version: return "engine_version";
    case PlacePart::Threads: return "threads";
    case PlacePart::Device: return "device";
    case PlacePart::Level: return "level";
    case PlacePart::Execution: return "execution";
  }
  return "";
}

std::string_view short_version(std::string_view version) {
  const std::size_t first = version.find('.');
  if (first == std::string_view::npos) return version;
  return version.substr(0, version.find('.', first + 1));
}

std::vector<PlacePart> differing_parts(const MeasuredOn& one, const MeasuredOn& other) {
  std::vector<PlacePart> parts;
  const auto add = [&](bool differs, PlacePart part) {
    if (differs) parts.push_back(part);
  };
  add(is_other_machine(one, other), PlacePart::Machine);
  const bool is_other_engine = differ(one.engine, other.engine);
  add(is_other_engine, PlacePart::Engine);
  add(!is_other_engine && both_say(one.version, other.version) &&
          short_version(one.version) != short_version(other.version),
      PlacePart::Version);
  add(one.threads && other.threads && one.threads != other.threads, PlacePart::Threads);
  add(differ(one.device, other.device), PlacePart::Device);
  add(differ(one.level, other.level), PlacePart::Level);
  add(differ(one.execution, other.execution), PlacePart::Execution);
  return parts;
}

}  // namespace jouletree::tree
