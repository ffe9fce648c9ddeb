#include "meters/rapl_domain.hpp"

namespace jouletree::meters {
namespace {

Level level_of(const std::string& domain) {
  if (domain.starts_with("package")) return Level::Package;
  if (domain == "psys") return Level::Psys;
  if (domain == "core") return Level::Core;
  if (domain == "uncore") return Level::Uncore;
  if (domain == "dram") return Level::Dram;
  return Level::Other;
}

}  // namespace

MeterInfo rapl_info(const std::string& domain, const std::string& package) {
  MeterInfo info;
  info.name = domain == package ? "rapl:" + domain : "rapl:" + package + ":" + domain;
  info.device = package;
  info.level = level_of(domain);
  info.update_period = std::chrono::milliseconds(1);
  // The registers count in units of 2^-14 J or smaller ones.
  info.resolution = 1.0 / (1 << 14);
  return info;
}

Watts most_without_limit(Level level) {
  constexpr Watts kPlatform{4000};
  constexpr Watts kPackage{1000};
  return level == Level::Psys ? kPlatform : kPackage;
}

}  // namespace jouletree::meters
