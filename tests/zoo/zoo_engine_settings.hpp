#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "zoo/catalogue.hpp"

namespace jouletree::test {

/// Large architectures are made smaller; what makes them different from each other stays.
[[nodiscard]] inline zoo::Settings reduced(const zoo::Settings& published) {
  static const std::map<std::string_view, std::int64_t> kReduced = {
      {"layers", 2},   {"width", 64},     {"heads", 4},       {"head_width", 16},
      {"hidden", 128}, {"embedding", 32}, {"vocabulary", 80}, {"positions", 40},
      {"cutoff1", 4},  {"cutoff2", 6},    {"cutoff3", 9}};
  zoo::Settings settings = published;
  for (const zoo::Setting& setting : published.all()) {
    const auto found = kReduced.find(setting.key);
    if (found != kReduced.end()) settings.set(setting.key, std::min(found->second, setting.value));
  }
  return settings;
}

[[nodiscard]] inline std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const zoo::Architecture& row : zoo::catalogue()) names.push_back(row.name);
  return names;
}

}  // namespace jouletree::test
