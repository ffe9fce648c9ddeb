#include "store/power_line.hpp"

#include <nlohmann/json.hpp>

#include "store/calendar.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

/// "gpu-3" is card 3 for AIPowerMeter.
std::string card_number(const std::string& device) { return device.substr(device.rfind('-') + 1); }

bool is_nvidia(const DomainEnergy& domain) { return domain.name.starts_with("nvml:"); }

/// The key under which AIPowerMeter keeps the power of such a domain; empty if it has none.
std::string cpu_key(const DomainEnergy& domain) {
  if (domain.provenance == Provenance::Estimated) return "estimated_power";
  switch (domain.level) {
    case Level::Package: return "intel_power";
    case Level::Core: return "total_cpu_power";
    case Level::Uncore: return "uncore_power";
    case Level::Dram: return "total_dram_power";
    case Level::Psys: return "psys_power";
    default: return "";
  }
}

Json cpu_json(const measure::RunSample& sample) {
  Json cpu = Json::object();
  for (const DomainEnergy& domain : sample.energy.domains) {
    const std::string key = cpu_key(domain);
    if (!key.empty() && domain.average) cpu[key] = cpu.value(key, 0.0) + domain.average->value;
  }
  // AIPowerMeter has one value per process and adds them up.
  const auto add = [&](const char* key, const auto& value) {
    if (value) cpu[key] = {{"all", *value}};
  };
  add("per_process_cpu_uses", sample.usage.cpu_share);
  add("per_process_mem_use_abs", sample.usage.pss_bytes);
  add("per_process_mem_use_uss", sample.usage.uss_bytes);
  if (sample.usage.cpus) cpu["busy_cpus"] = *sample.usage.cpus;
  return cpu;
}

/// Of what all processes together use of the card's multiprocessors, the part of the command.
std::optional<double> relative_share(const measure::GpuUse& use) {
  double all = 0;
  for (const GpuProcess& process : use.card.processes) all += process.sm_share.value_or(0);
  if (!use.sm_share) return std::nullopt;
  return all > 0 ? *use.sm_share / all : 0;
}

/// Its summary stops at a card of which nothing is known, unless the card is named.
void name_card(const std::string& card, Json& gpu) {
  gpu["per_gpu_attributable_mem_use"][card] = Json::object();
  gpu["per_gpu_absolute_percent_usage"][card] = nullptr;
}

void add_card_use(const measure::GpuUse& use, const Json& powers, Json& gpu) {
  const std::string card = card_number(use.card.device);
  name_card(card, gpu);
  if (use.memory_bytes) gpu["per_gpu_attributable_mem_use"][card] = {{"all", *use.memory_bytes}};
  if (use.sm_share) gpu["per_gpu_absolute_percent_usage"][card] = *use.sm_share;
  if (use.card.utilisation) {
    gpu["utilisation"][card] = *use.card.utilisation;
    gpu["per_gpu_nvidia_use_rate"][card] = *use.card.utilisation;
  }
  if (use.card.memory_used_bytes) gpu["per_gpu_nvidia_memory"][card] = *use.card.memory_used_bytes;
  if (use.card.sm_clock_mhz) gpu["sm_clock_mhz"][card] = *use.card.sm_clock_mhz;
  if (use.card.temperature_c) gpu["temperature_c"][card] = *use.card.temperature_c;
  const auto share = relative_share(use);
  if (!share) return;
  gpu["per_gpu_estimated_attributable_utilization"][card] = *share;
  if (!powers.contains(card)) return;
  const double power_w = powers[card].get<double>() * *share;
  Json& attributed = gpu["per_gpu_attributable_power"];
  attributed[card] = power_w;
  attributed["all"] = power_w + (attributed["all"].is_null() ? 0 : attributed["all"].get<double>());
}

/// Null if there is no card.
Json gpus_json(const measure::RunSample& sample) {
  Json powers = Json::object();
  double sum_w = 0;
  for (const DomainEnergy& domain : sample.energy.domains) {
    if (!is_nvidia(domain) || !domain.average) continue;
    powers[card_number(domain.name)] = domain.average->value;
    sum_w += domain.average->value;
  }
  if (powers.empty() && sample.usage.gpus.empty()) return nullptr;
  const Json all = powers.empty() ? Json(nullptr) : Json(sum_w);
  // AIPowerMeter reads none of these if one of them is missing: the first four since March 2026,
  // the others before.
  Json gpu = {{"nvidia_power", all},
              {"per_gpu_nvidia_power", powers},
              {"per_gpu_nvidia_memory", Json::object()},
              {"per_gpu_nvidia_use_rate", Json::object()},
              {"nvidia_draw_absolute", all},
              {"per_gpu_power_draw", powers},
              {"per_gpu_attributable_power", {{"all", nullptr}}},
              {"per_gpu_attributable_mem_use", Json::object()},
              {"per_gpu_absolute_percent_usage", Json::object()},
              {"per_gpu_estimated_attributable_utilization", Json::object()}};
  for (const auto& [card, power_w] : powers.items()) name_card(card, gpu);
  for (const measure::GpuUse& use : sample.usage.gpus) add_card_use(use, powers, gpu);
  return gpu;
}

Json energy_json(const WindowResult& energy) {
  Json domains = Json::object();
  for (const DomainEnergy& domain : energy.domains) {
    domains[domain.name] = {{"energy_j", domain.gross ? Json(domain.gross->value.value()) : Json()},
                            {"power_w", domain.average ? Json(domain.average->value) : Json()},
                            {"level", name_of(domain.level)},
                            {"provenance", name_of(domain.provenance)}};
  }
  Json json = {{"total_j", energy.total.gross ? Json(energy.total.gross->value.value()) : Json()},
               {"total_w", energy.total.average ? Json(energy.total.average->value) : Json()},
               {"provenance", name_of(energy.total.provenance)},
               {"summed", energy.total.summed},
               {"domains", std::move(domains)}};
  if (!energy.total.missing.empty()) json["missing"] = energy.total.missing;
  return json;
}

}  // namespace

std::string power_line(int run, const measure::RunSample& sample) {
  Json metrics = {{"cpu", cpu_json(sample)}};
  if (Json gpu = gpus_json(sample); !gpu.is_null()) metrics["gpu"] = std::move(gpu);
  const Json line = {{"date", date_text(sample.at)},
                     {"metrics", std::move(metrics)},
                     {"run", run},
                     {"duration_s", Seconds(sample.energy.duration()).count()},
                     {"energy", energy_json(sample.energy)}};
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace jouletree::store
