#include "store/power_keys.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "store/json_member.hpp"
#include "store/recorded_value.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 4;

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  });
}

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return text.ends_with(end); });
}

bool looks_like_power(std::string_view key) {
  const std::string name = lower(key);
  // Settings of a device, not what it uses.
  if (contains_any(name, {"limit", "state", "factor", "mode", "cap_", "_cap", "percent", "thresh"}))
    return false;
  return contains_any(name, {"power", "energy", "watt", "joule", "consumption", "_draw"}) ||
         ends_with_any(name, {"_w", "_mw", "_kw", "_j", "_mj", "_uj", "_kj", "_wh", "_kwh"});
}

/// A part of what other keys say, by process or by share of use.
bool is_share(std::string_view key) {
  return key.starts_with("per_process_") || key.starts_with("rel_") ||
         contains_any(key, {"attributable", "per_pid"});
}

bool is_cpu_key(std::string_view key) {
  const auto& keys = cpu_power_keys();
  return std::any_of(keys.begin(), keys.end(),
                     [&](const PowerKey& known) { return key == known.key; });
}

bool is_gpu_key(std::string_view key) {
  const auto is = [&](const char* known) { return key == known; };
  return std::any_of(std::begin(kPowerPerCard), std::end(kPowerPerCard), is) ||
         std::any_of(std::begin(kPowerOfCards), std::end(kPowerOfCards), is);
}

/// Not null, not -1, not empty: something that a sum may miss.
bool holds_something(const Json& value) {
  if (value.is_number()) return value.get<double>() > 0;
  if (value.is_string()) {
    const RecordedValue found = recorded_watts(value);
    return found.value ? *found.value > 0 : !found.understood;
  }
  if (!value.is_object() && !value.is_array()) return false;
  return std::any_of(value.begin(), value.end(), holds_something);
}

class Search {
 public:
  /// `known(key)` says whether an entry of this group is read.
  template <class Known>
  void look(const Json& group, const std::string& path, Known known, int depth = kDeepest) {
    if (!group.is_object()) return;
    for (const auto& [key, value] : group.items()) {
      const std::string here = path.empty() ? key : fmt::format("{}.{}", path, key);
      if (known(key) || is_share(key)) continue;
      if (looks_like_power(key)) {
        if (holds_something(value)) found_.push_back(here);
      } else if (depth > 0) {
        look(value, here, known, depth - 1);
      }
    }
  }
  [[nodiscard]] std::vector<std::string> found() && { return std::move(found_); }

 private:
  std::vector<std::string> found_;
};

}  // namespace

const std::vector<PowerKey>& cpu_power_keys() {
  static const std::vector<PowerKey> keys = {
      {"intel_power", Level::Package, Provenance::Measured},
      {"total_intel_power", Level::Package, Provenance::Measured},
      {"total_cpu_power", Level::Core, Provenance::Measured},
      {"cpu_power", Level::Core, Provenance::Measured},
      {"uncore_power", Level::Uncore, Provenance::Measured},
      {"total_uncore_power", Level::Uncore, Provenance::Measured},
      {"total_dram_power", Level::Dram, Provenance::Measured},
      {"dram_power", Level::Dram, Provenance::Measured},
      {"psys_power", Level::Psys, Provenance::Measured},
      {"total_psys_power", Level::Psys, Provenance::Measured},
      {"estimated_power", Level::Package, Provenance::Estimated},
  };
  return keys;
}

const std::vector<SharedKey>& attributed_power_keys() {
  static const std::vector<SharedKey> keys = {
      {"rel_intel_power", "rel_intel_power"},
      {"per_process_cpu_power", "per_process_cpu_power"},
      {"per_process_dram_power", "per_process_dram_power"},
      {"per_gpu_attributable_power", "nvidia_attributable_power"},
      {"nvidia_estimated_attributable_power_draw", "nvidia_attributable_power"},
  };
  return keys;
}

std::vector<std::string> unknown_power_keys(const Json& line) {
  Search search;
  const Json& metrics = member(line, "metrics");
  const bool apart = metrics.contains("cpu") || metrics.contains("gpu");
  if (apart) {
    search.look(member(metrics, "cpu"), "cpu", is_cpu_key);
    search.look(member(metrics, "gpu"), "gpu", is_gpu_key);
    search.look(metrics, "", [](std::string_view key) { return key == "cpu" || key == "gpu"; });
  } else {
    search.look(metrics, "",
                [](std::string_view key) { return is_cpu_key(key) || is_gpu_key(key); });
  }
  const bool energy_is_ours = member(member(line, "energy"), "domains").is_object();
  search.look(line, "", [&](std::string_view key) {
    return key == "metrics" || (key == "energy" && energy_is_ours);
  });
  return std::move(search).found();
}

}  // namespace jouletree::store
