// One line of power_metrics.json, as JouleTree or AIPowerMeter wrote it.
#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>

#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "meters/time_stamp.hpp"
#include "store/calendar.hpp"
#include "store/json_member.hpp"
#include "store/power_keys.hpp"
#include "store/recorded_power.hpp"
#include "store/recorded_value.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

/// Sums of the same powers differ by rounding and by the moment of reading.
constexpr double kSameSum = 1.01;
constexpr double kSameSumWatts = 0.5;
/// No machine has so many; each of them is looked for in every line.
constexpr std::size_t kMostDomains = 512;

std::optional<double> number_in(const Json& object, const char* key) {
  return recorded_number(member(object, key)).value;
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

void add_domain(const std::string& name, Level level, Provenance provenance,
                std::optional<double> power_w, PowerRow& row) {
  if (!power_w) return;
  row.domains.push_back(
      {name, std::string(name_of(level)), std::string(name_of(provenance)), power_w, std::nullopt});
}

/// Reads an entry as watts, and notes an entry that cannot be read so.
RecordedValue watts_of(const Json& group, const char* key, PowerRow& row) {
  const RecordedValue found = recorded_watts(member(group, key));
  if (!found.understood) row.not_understood.emplace_back(key);
  return found;
}

/// AIPowerMeter's -1 says that the machine has no such part. Every machine has a package.
bool says_absent(const Json& entry, Level level) {
  return level != Level::Package && entry.is_number() && entry.get<double>() == -1;
}

/// Whether the sum lacks a part of the CPUs that has no value, where those of `found` have one.
bool sum_lacks(Level level, const std::set<Level>& found) {
  if (found.contains(level)) return false;
  if (level == Level::Core) return !found.contains(Level::Package);
  return level == Level::Package || level == Level::Dram;
}

void add_cpu_domains(const Json& cpu, PowerRow& row) {
  std::set<Level> found;
  std::map<Level, std::string> silent;
  for (const PowerKey& known : cpu_power_keys()) {
    const RecordedValue power = watts_of(cpu, known.key, row);
    if (power.value && found.insert(known.level).second)
      add_domain(known.key, known.level, known.provenance, power.value, row);
    const bool named = cpu.is_object() && cpu.contains(known.key) && power.understood;
    if (named && !power.value && !says_absent(cpu[known.key], known.level))
      silent.emplace(known.level, known.key);
  }
  for (const auto& [level, key] : silent)
    if (sum_lacks(level, found)) row.silent.push_back({key, std::string(name_of(level))});
}

std::string card_name(const std::string& key) {
  const bool number = std::all_of(key.begin(), key.end(),
                                  [](unsigned char letter) { return std::isdigit(letter) != 0; });
  return number ? "gpu-" + key : key;
}

/// Calls `visit(name, entry)` for each card of an object or a list.
template <class Visit>
void for_each_card(const Json& cards, Visit visit) {
  if (cards.size() > kMostDomains) return;
  std::size_t place = 0;
  if (cards.is_array())
    for (const Json& entry : cards) visit(std::to_string(place++), entry);
  if (!cards.is_object()) return;
  for (const auto& [key, entry] : cards.items())
    if (!is_sum_key(key)) visit(key, entry);
}

struct ListedCards {
  std::optional<double> sum_w;  ///< Of those that are known; nothing if there is none.
  std::vector<SilentPart> silent;
};

ListedCards add_cards(const Json& gpu, PowerRow& row) {
  for (const char* key : kPowerPerCard) {
    ListedCards cards;
    bool strange = false;
    for_each_card(member(gpu, key), [&](const std::string& card, const Json& entry) {
      const RecordedValue found = recorded_watts(entry);
      strange = strange || !found.understood;
      add_domain(card_name(card), Level::Gpu, Provenance::Measured, found.value, row);
      if (found.value) {
        cards.sum_w = cards.sum_w.value_or(0) + *found.value;
      } else if (found.understood) {
        cards.silent.push_back({card_name(card), std::string(name_of(Level::Gpu))});
      }
    });
    if (strange) row.not_understood.emplace_back(key);
    if (cards.sum_w) return cards;
  }
  return {};
}

/// Cards that are in the sum and not in the list: early versions list only those that the command
/// uses, and some have no number of their own.
std::optional<double> watts_of_others(double all_w, double listed_w) {
  if (all_w > listed_w * kSameSum + kSameSumWatts) return all_w - listed_w;
  return std::nullopt;
}

void add_gpu_domains(const Json& gpu, PowerRow& row) {
  ListedCards cards = add_cards(gpu, row);
  const auto add_all = [&](const char* key, double all_w) {
    if (!cards.sum_w) {
      add_domain(key, Level::Gpu, Provenance::Measured, all_w, row);
    } else if (const auto others_w = watts_of_others(all_w, *cards.sum_w)) {
      add_domain(std::string(kOtherCards), Level::Gpu, Provenance::Measured, others_w, row);
      cards.silent.clear();
    }
    row.silent.insert(row.silent.end(), cards.silent.begin(), cards.silent.end());
  };
  for (const char* key : kPowerOfCards)
    if (const auto all_w = watts_of(gpu, key, row).value) return add_all(key, *all_w);
  if (cards.sum_w) return add_all("", *cards.sum_w);
  // One number, or {"all": 100}, where cards should be.
  for (const char* key : kPowerPerCard)
    if (const auto all_w = recorded_watts(member(gpu, key)).value) return add_all(key, *all_w);
}

/// What the recorder attributes to the command. Nobody measured that, and the rest contains it.
void add_attributed(const Json& group, PowerRow& row) {
  for (const SharedKey& known : attributed_power_keys()) {
    const auto same = [&](const RowDomain& domain) { return domain.name == known.name; };
    if (std::any_of(row.domains.begin(), row.domains.end(), same)) continue;
    add_domain(known.name, Level::Other, Provenance::Estimated,
               recorded_watts(member(group, known.key)).value, row);
  }
}

/// Packages (or their cores, where nothing tells of packages), their memory and graphics cards, as
/// JouleTree sums them; the platform if there is nothing else.
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
  if (row.summed.empty()) {
    add_level(Level::Core);
    add_level(Level::Uncore);
  }
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
                           text_of(member(domain, "provenance")), number_in(domain, "power_w"),
                           number_in(domain, "energy_j")});
  }
  row.total_w = number_in(energy, "total_w");
  row.total_j = number_in(energy, "total_j");
  row.provenance = text_of(member(energy, "provenance"));
  for (const Json& name : member(energy, "summed")) row.summed.push_back(text_of(name));
  for (const Json& name : member(energy, "missing")) row.missing.push_back(text_of(name));
  return true;
}

std::optional<double> bytes_in(const Json& cpu, const char* key, const char* older_key) {
  const auto found = recorded_bytes(member(cpu, key)).value;
  return found ? found : recorded_bytes(member(cpu, older_key)).value;
}

template <class Read>
void read_cards(const Json& cards, Read read, std::map<std::string, double>& values) {
  for_each_card(cards, [&](const std::string& card, const Json& entry) {
    if (const auto found = read(entry).value) values[card] = *found;
  });
}

/// Of NVML's pair of rates, that of the card and not that of its memory.
RecordedValue rate_of(const Json& entry) {
  const Json& gpu = member(entry, "gpu");
  return recorded_number(gpu.is_null() ? entry : gpu);
}

void read_usage(const Json& cpu, const Json& gpu, PowerRow& row) {
  row.cpu_share = number_in(cpu, "per_process_cpu_uses");
  if (!row.cpu_share) row.cpu_share = number_in(cpu, "cpu_uses");
  row.pss_bytes = bytes_in(cpu, "per_process_mem_use_abs", "mem_use_abs");
  row.uss_bytes = bytes_in(cpu, "per_process_mem_use_uss", "mem_use_uss");
  row.busy_cpus = number_in(cpu, "busy_cpus");
  read_cards(member(gpu, "per_gpu_attributable_mem_use"), recorded_bytes, row.gpu_memory_bytes);
  read_cards(member(gpu, "per_gpu_absolute_percent_usage"), recorded_number, row.gpu_sm_share);
  read_cards(member(gpu, "per_gpu_nvidia_memory"), recorded_bytes, row.card_memory_bytes);
  read_cards(member(gpu, "utilisation"), recorded_number, row.card_utilisation);
  read_cards(member(gpu, "per_gpu_nvidia_use_rate"), rate_of, row.card_utilisation);
  for (const char* key :
       {"nvidia_power", "nvidia_draw_absolute", "per_gpu_nvidia_power", "per_gpu_power_draw",
        "per_gpu_nvidia_memory", "per_gpu_nvidia_use_rate", "per_gpu_attributable_power"})
    row.has_cards = row.has_cards || !member(gpu, key).is_null();
}

Json parse(std::string_view line) {
  Json json = parse_json_if_any<Json>(line);
  if (!json.is_discarded()) return json;
  // Python writes what is no number in a way that JSON does not know.
  static const std::regex no_number(R"(\bNaN\b|-?\bInfinity\b)");
  return parse_json_if_any<Json>(std::regex_replace(std::string(line), no_number, "null"));
}

}  // namespace

bool ends_segment(std::string_view line) {
  return meters::trimmed(line) == meters::trimmed(kSegmentEnd);
}

std::optional<PowerRow> parse_power_line(std::string_view line) {
  const Json json = parse(line);
  const Json& metrics = member(json, "metrics");
  const auto at = parse_date(text_of(member(json, "date")));
  if (!metrics.is_object() || !at) return std::nullopt;
  if (member(member(json, "energy"), "domains").size() > kMostDomains) return std::nullopt;
  PowerRow row;
  row.at = *at;
  if (const Json& run = member(json, "run"); run.is_number_integer())
    row.run = static_cast<int>(std::clamp<double>(run.get<double>(), 1, kHighestRun));
  row.duration_s = number_in(json, "duration_s");
  // Early versions of AIPowerMeter did not tell CPU and graphics cards apart.
  const bool apart = metrics.contains("cpu") || metrics.contains("gpu");
  const Json& cpu = apart ? member(metrics, "cpu") : metrics;
  const Json& gpu = apart ? member(metrics, "gpu") : metrics;
  read_usage(cpu, gpu, row);
  row.ours = read_energy(member(json, "energy"), row);
  if (row.ours) return row;
  // An error message in the place of numbers.
  if (!cpu.is_object() && !cpu.is_null())
    row.silent.push_back({"cpu", std::string(name_of(Level::Package))});
  add_cpu_domains(cpu, row);
  add_gpu_domains(gpu, row);
  add_sum(row);
  add_attributed(cpu, row);
  add_attributed(gpu, row);
  for (std::string& name : unknown_power_keys(json)) row.not_understood.push_back(std::move(name));
  if (apart && row.not_understood.empty()) row.has_cards = row.has_cards || !gpu.empty();
  return row;
}

}  // namespace jouletree::store
