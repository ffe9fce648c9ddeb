// One line of power_metrics.json, as JouleTree or AIPowerMeter wrote it.
#include <algorithm>
#include <array>
#include <regex>

#include <nlohmann/json.hpp>

#include "store/calendar.hpp"
#include "store/json_member.hpp"
#include "store/recorded_power.hpp"

namespace jouletree {
namespace {

using Json = nlohmann::ordered_json;

/// A number, or the sum of those in a list or in an object by process. AIPowerMeter has all three.
std::optional<double> sum_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_object() && !value.is_array()) return std::nullopt;
  std::optional<double> sum;
  for (const Json& part : value) {
    if (part.is_number()) sum = sum.value_or(0) + part.get<double>();
  }
  return sum;
}

/// AIPowerMeter writes -1 where a domain does not exist.
std::optional<double> power_of(const Json& value) {
  const auto power_w = sum_of(value);
  return power_w && *power_w >= 0 ? power_w : std::nullopt;
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

struct CpuKey {
  const char* key;
  Level level;
  Provenance provenance;
};
constexpr std::array kCpuKeys = {
    CpuKey{"intel_power", Level::Package, Provenance::Measured},
    CpuKey{"total_cpu_power", Level::Core, Provenance::Measured},
    CpuKey{"uncore_power", Level::Uncore, Provenance::Measured},
    CpuKey{"total_dram_power", Level::Dram, Provenance::Measured},
    CpuKey{"psys_power", Level::Psys, Provenance::Measured},
    CpuKey{"estimated_power", Level::Package, Provenance::Estimated},
};

void add_domain(const std::string& name, Level level, Provenance provenance,
                std::optional<double> power_w, PowerRow& row) {
  if (!power_w) return;
  row.domains.push_back(
      {name, std::string(name_of(level)), std::string(name_of(provenance)), power_w, std::nullopt});
}

void add_gpu_domains(const Json& gpu, PowerRow& row) {
  const Json& cards = member(gpu, "per_gpu_power_draw");
  if (!cards.is_object() || cards.empty()) {
    add_domain("nvidia_draw_absolute", Level::Gpu, Provenance::Measured,
               power_of(member(gpu, "nvidia_draw_absolute")), row);
    return;
  }
  for (const auto& [card, power] : cards.items())
    add_domain("gpu-" + card, Level::Gpu, Provenance::Measured, power_of(power), row);
}

/// Packages, their memory and graphics cards, as JouleTree sums them; the platform if there is
/// nothing else.
void add_sum(PowerRow& row) {
  const auto add_level = [&](Level level) {
    for (const RowDomain& domain : row.domains) {
      if (domain.level != name_of(level)) continue;
      row.total_w = row.total_w.value_or(0) + *domain.power_w;
      row.summed.push_back(domain.name);
      if (row.provenance.empty() || domain.provenance != name_of(Provenance::Measured))
        row.provenance = domain.provenance;
    }
  };
  add_level(Level::Package);
  add_level(Level::Dram);
  add_level(Level::Gpu);
  if (row.summed.empty()) add_level(Level::Psys);
}

/// What only JouleTree writes: energy that was counted, domain by domain.
bool read_energy(const Json& energy, PowerRow& row) {
  const Json& domains = member(energy, "domains");
  if (!domains.is_object()) return false;
  for (const auto& [name, domain] : domains.items()) {
    row.domains.push_back({name, text_of(member(domain, "level")),
                           text_of(member(domain, "provenance")), sum_of(member(domain, "power_w")),
                           sum_of(member(domain, "energy_j"))});
  }
  row.total_w = sum_of(member(energy, "total_w"));
  row.total_j = sum_of(member(energy, "total_j"));
  row.provenance = text_of(member(energy, "provenance"));
  for (const Json& name : member(energy, "summed")) row.summed.push_back(text_of(name));
  return true;
}

std::optional<double> first_of(const Json& cpu, const char* key, const char* older_key) {
  const auto found = sum_of(member(cpu, key));
  return found ? found : sum_of(member(cpu, older_key));
}

void read_usage(const Json& cpu, const Json& gpu, PowerRow& row) {
  row.cpu_share = first_of(cpu, "per_process_cpu_uses", "cpu_uses");
  row.pss_bytes = first_of(cpu, "per_process_mem_use_abs", "mem_use_abs");
  row.uss_bytes = first_of(cpu, "per_process_mem_use_uss", "mem_use_uss");
  row.busy_cpus = sum_of(member(cpu, "busy_cpus"));
  const auto per_card = [&](const char* key, std::map<std::string, double>& values) {
    const Json& cards = member(gpu, key);
    if (!cards.is_object()) return;
    for (const auto& [card, value] : cards.items())
      if (const auto sum = sum_of(value)) values[card] = *sum;
  };
  per_card("per_gpu_attributable_mem_use", row.gpu_memory_bytes);
  per_card("per_gpu_absolute_percent_usage", row.gpu_sm_share);
}

Json parse(std::string_view line) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_discarded()) return json;
  // Python writes what is no number in a way that JSON does not know.
  static const std::regex no_number(R"(\bNaN\b|-?\bInfinity\b)");
  return Json::parse(std::regex_replace(std::string(line), no_number, "null"), nullptr, false);
}

}  // namespace

bool ends_segment(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  return json.is_string() && json.get<std::string>() == "END OF RECORDING SEGMENT";
}

std::optional<PowerRow> parse_power_line(std::string_view line) {
  const Json json = parse(line);
  const Json& metrics = member(json, "metrics");
  const auto at = parse_date(text_of(member(json, "date")));
  if (!metrics.is_object() || !at) return std::nullopt;
  PowerRow row;
  row.at = *at;
  if (const Json& run = member(json, "run"); run.is_number_integer())
    row.run = std::clamp(run.get<int>(), 1, 1 << 30);
  row.duration_s = sum_of(member(json, "duration_s"));
  // Early versions of AIPowerMeter did not tell CPU and graphics cards apart.
  const bool apart = metrics.contains("cpu") || metrics.contains("gpu");
  const Json& cpu = apart ? member(metrics, "cpu") : metrics;
  const Json& gpu = apart ? member(metrics, "gpu") : metrics;
  read_usage(cpu, gpu, row);
  if (read_energy(member(json, "energy"), row)) return row;
  for (const CpuKey& known : kCpuKeys)
    add_domain(known.key, known.level, known.provenance, power_of(member(cpu, known.key)), row);
  add_gpu_domains(gpu, row);
  add_sum(row);
  return row;
}

}  // namespace jouletree
