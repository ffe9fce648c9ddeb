#include "meters/total_choice.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace jouletree::meters {
namespace {

using Infos = std::vector<MeterInfo>;

std::vector<std::size_t> of_level(const Infos& meters, Level level) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < meters.size(); ++i) {
    if (meters[i].level == level) found.push_back(i);
  }
  return found;
}

bool is_cpu(const MeterInfo& meter) {
  return meter.level == Level::Package || meter.level == Level::Core;
}

bool is_measured_cpu(const MeterInfo& meter) {
  return is_cpu(meter) && meter.provenance == Provenance::Measured;
}

/// Packages; the parts of packages that have no meter of their own; memory; graphics cards.
std::vector<std::size_t> components(const Infos& meters) {
  std::set<std::string> with_package;
  for (const MeterInfo& meter : meters) {
    if (meter.level == Level::Package) with_package.insert(meter.device);
  }
  const bool measured = std::any_of(meters.begin(), meters.end(), is_measured_cpu);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < meters.size(); ++i) {
    const MeterInfo& meter = meters[i];
    // An estimate beside a sensor is there to be compared with it.
    if (measured && meter.provenance == Provenance::Estimated) continue;
    const bool part = meter.level == Level::Core || meter.level == Level::Uncore;
    const bool summed = meter.level == Level::Package || meter.level == Level::Dram ||
                        meter.level == Level::Gpu || (part && !with_package.contains(meter.device));
    if (summed) found.push_back(i);
  }
  return found;
}

/// What a sum of components contains, in words. Where estimates stand beside measurements, each
/// part says which it is.
std::string parts_of(const Infos& meters, const std::vector<std::size_t>& summed) {
  constexpr std::string_view kPackages = "CPU packages";
  constexpr std::string_view kCores = "CPU cores";
  constexpr std::string_view kMemory = "their memory";
  constexpr std::string_view kCards = "graphics cards";
  constexpr std::string_view kOfEstimates = "CPUs, from how busy they are";
  const auto part_of = [&](const MeterInfo& meter) {
    if (is_cpu(meter) && meter.provenance == Provenance::Estimated) return kOfEstimates;
    switch (meter.level) {
      case Level::Package: return kPackages;
      case Level::Dram: return kMemory;
      case Level::Gpu: return kCards;
      default: return kCores;
    }
  };
  std::vector<std::string> parts;
  for (const std::string_view part : {kPackages, kCores, kMemory, kCards, kOfEstimates}) {
    if (std::any_of(summed.begin(), summed.end(),
                    [&](std::size_t i) { return part_of(meters[i]) == part; }))
      parts.emplace_back(part);
  }
  if (parts.empty()) return "nothing that can be read";
  if (parts[0] == kMemory) parts[0] = "memory";
  if (parts.size() > 1 && parts.back() == kOfEstimates) {
    for (std::string& part : parts) part += " (measured)";
    parts.back() = "CPUs (estimated from how busy they are)";
  }
  std::string text(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    text += i + 1 < parts.size() ? ", " : " and ";
    text += parts[i];
  }
  return text;
}

bool has_cpu(const Infos& meters) { return std::any_of(meters.begin(), meters.end(), is_cpu); }

TotalChoice level_choice(const Infos& meters, Level level) {
  switch (level) {
    case Level::Wall: return {of_level(meters, level), "the meter at the plug"};
    case Level::Battery: return {of_level(meters, level), "what the battery delivers"};
    case Level::Board: return {of_level(meters, level), "the input of the board"};
    case Level::Psys: return {of_level(meters, level), "the platform as RAPL sees it"};
    case Level::Rail: return {of_level(meters, level), "the rails of the board"};
    case Level::Gpu: return {of_level(meters, level), "graphics cards alone"};
    default: break;
  }
  TotalChoice choice{components(meters), ""};
  choice.rule = parts_of(meters, choice.meters);
  return choice;
}

}  // namespace

TotalChoice choose_total(const std::vector<MeterInfo>& meters, std::optional<Level> level) {
  if (level) return level_choice(meters, *level);
  std::vector<Level> order = {Level::Wall};
  if (has_cpu(meters)) order.push_back(Level::Package);
  // Whether psys contains graphics cards depends on the maker, so the two are never summed.
  order.insert(order.end(), {Level::Psys, Level::Board, Level::Gpu, Level::Rail, Level::Battery});
  for (const Level candidate : order) {
    TotalChoice choice = level_choice(meters, candidate);
    if (!choice.meters.empty()) return choice;
  }
  return level_choice(meters, Level::Package);
}

}  // namespace jouletree::meters
