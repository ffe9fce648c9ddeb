#include "store/database/measured_record.hpp"

#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "base/json_or_null.hpp"
#include "jouletree/error.hpp"
#include "measure/measured_figures.hpp"
#include "tree/operator_signature.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

/// Settings of a profile that tell how it was measured, not by which engine.
constexpr std::array<std::string_view, 7> kProtocol = {"cache", "precision", "seed",  "budget_s",
                                                       "data",  "target",    "engine"};

/// "ONNX Runtime 1.30.0" is a name and a version.
void split_engine(const std::string& text, EngineRecord& engine) {
  const std::size_t space = text.rfind(' ');
  const bool has_version = space != std::string::npos && space + 1 < text.size() &&
                           text[space + 1] >= '0' && text[space + 1] <= '9';
  engine.name = has_version ? text.substr(0, space) : text;
  if (has_version) engine.version = text.substr(space + 1);
}

/// Takes a setting out of the options, where it has a column of its own.
std::string taken(std::map<std::string, std::string>& options, const std::string& name) {
  const auto found = options.find(name);
  if (found == options.end()) return {};
  std::string text = std::move(found->second);
  options.erase(found);
  return text;
}

std::string tensor_text(const ModelTree& tree, ValueId id) {
  if (id == kNoValue) return "-";
  const ValueType& type = tree.inference.values[id];
  const bool is_weight = tree.graph->values[id].constant.has_value();
  std::string dims = "?";
  if (type.dims) {
    std::vector<std::string> sizes;
    for (const Dim size : *type.dims)
      sizes.push_back(size == kUnknownDim ? "?" : std::to_string(size));
    dims = fmt::format("[{}]", fmt::join(sizes, ","));
  }
  return fmt::format("{}{}{}", is_weight ? "w:" : "", name_of(type.type), dims);
}

/// Nothing for attributes that hold tensors or graphs: these are told by the key.
std::optional<std::string> attribute_text(const Attribute& attribute) {
  switch (attribute.kind) {
    case AttributeKind::Float: return fmt::format("{}", attribute.real);
    case AttributeKind::Int: return std::to_string(attribute.integer);
    case AttributeKind::String: return std::string(attribute.text);
    case AttributeKind::Floats: return fmt::format("[{}]", fmt::join(attribute.reals, ","));
    case AttributeKind::Ints: return fmt::format("[{}]", fmt::join(attribute.integers, ","));
    case AttributeKind::Strings: return fmt::format("[{}]", fmt::join(attribute.texts, ","));
    default: return std::nullopt;
  }
}

std::optional<double> as_number(const Sum& sum) {
  const auto value = sum.value();
  return value && !sum.lower_bound() ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

double seconds_in(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}
std::chrono::nanoseconds nanoseconds_in(double seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(seconds));
}

Json range_json(const std::optional<EnergyRange>& range) {
  if (!range) return nullptr;
  return Json::array({range->value.value(), range->low ? Json(range->low->value()) : Json(nullptr),
                      range->high ? Json(range->high->value()) : Json(nullptr)});
}

std::optional<EnergyRange> range_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  const auto joules = [](const Json& one) {
    return one.is_null() ? std::nullopt : std::optional(Joules::from(one.get<double>()));
  };
  return EnergyRange{Joules::from(json.at(0).get<double>()), joules(json.at(1)),
                     joules(json.at(2))};
}

Json watts_json(const std::optional<Watts>& power) {
  return power ? Json(power->value) : Json(nullptr);
}

std::optional<Watts> watts_of(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(Watts{json.get<double>()});
}

/// All that columns do not hold, so that nothing is lost when the measurement is used again.
Json details_json(const measure::Measured& measured) {
  Json json;
  json["span_s"] = seconds_in(measured.trials.end - measured.trials.begin);
  json["cpus"] = or_null(measured.use.cpus);
  json["memory_bytes"] = or_null(measured.use.memory_bytes);
  if (!measured.energy) return json;
  const TotalEnergy& energy = *measured.energy;
  json["energy"] = {{"summed", energy.summed},
                    {"rule", energy.rule},
                    {"missing", energy.missing},
                    {"covered_s", seconds_in(energy.covered)},
                    {"gross_j", range_json(energy.gross)},
                    {"above_idle_j", range_json(energy.above_idle)},
                    {"power_w", watts_json(energy.average)},
                    {"peak_w", watts_json(energy.peak)},
                    {"peak_over_s", seconds_in(energy.peak_over)}};
  return json;
}

TotalEnergy energy_in(const Json& json, const std::string& provenance) {
  TotalEnergy energy;
  energy.summed = json.at("summed").get<std::vector<std::string>>();
  energy.rule = json.at("rule").get<std::string>();
  energy.missing = json.at("missing").get<std::vector<std::string>>();
  energy.covered = nanoseconds_in(json.at("covered_s").get<double>());
  energy.gross = range_of(json.at("gross_j"));
  energy.above_idle = range_of(json.at("above_idle_j"));
  energy.average = watts_of(json.at("power_w"));
  energy.peak = watts_of(json.at("peak_w"));
  energy.peak_over = nanoseconds_in(json.at("peak_over_s").get<double>());
  energy.provenance = provenance_named(provenance).value_or(Provenance::Estimated);
  return energy;
}

}  // namespace

MachineRecord machine_record(const measure::Environment& environment) {
  MachineRecord machine;
  machine.name = environment.cpu.empty() ? environment.kernel : environment.cpu;
  machine.cpu = environment.cpu;
  if (environment.cpus > 0) machine.cpus = environment.cpus;
  if (environment.machine_cpus > 0) machine.machine_cpus = environment.machine_cpus;
  machine.core_cache_bytes = environment.core_cache_bytes;
  machine.last_cache_bytes = environment.last_cache_bytes;
  machine.memory_bytes = environment.memory_bytes;
  machine.gpus = environment.gpus;
  machine.system = environment.host_system;
  machine.kernel = environment.kernel;
  machine.governor = environment.governor.value_or("");
  machine.turbo = environment.turbo;
  machine.hypervisor = environment.hypervisor.value_or("");
  machine.sensors = environment.meters;
  return machine;
}

EngineRecord engine_record(const measure::Environment& environment) {
  EngineRecord engine;
  const auto name = environment.settings.find("engine");
  if (name != environment.settings.end()) split_engine(name->second, engine);
  engine.options = environment.settings;
  for (const std::string_view setting : kProtocol) engine.options.erase(std::string(setting));
  engine.device = taken(engine.options, "device");
  engine.provider = taken(engine.options, "provider");
  const std::string threads = taken(engine.options, "threads");
  std::int64_t count = 0;
  if (std::from_chars(threads.data(), threads.data() + threads.size(), count).ec == std::errc())
    engine.threads = count;
  return engine;
}

OperatorRecord operator_record(const ModelTree& tree, const TreeNode& node,
                               const std::string& key) {
  OperatorRecord record;
  record.key = key;
  record.op = node.type;
  if (const Node* const operation = node.operation) {
    record.op = operation->domain.empty() ? std::string(operation->op)
                                          : fmt::format("{}:{}", operation->domain, operation->op);
    record.direction = name_of(operation->phase);
    for (const Attribute& attribute : operation->attributes)
      if (auto text = attribute_text(attribute))
        record.attributes[std::string(attribute.name)] = std::move(*text);
    for (const ValueId id : operation->inputs) record.inputs.push_back(tensor_text(tree, id));
    record.signature = tree::operator_signature(tree, *operation);
    for (const ValueId id : operation->outputs) record.outputs.push_back(tensor_text(tree, id));
  }
  record.macs = as_number(node.totals.macs);
  record.flops = as_number(node.totals.flops);
  record.bytes = as_number(node.totals.bytes_moved());
  record.params = static_cast<double>(node.totals.params);
  return record;
}

MeasurementRecord measurement_record(const measure::Measured& measured) {
  MeasurementRecord record;
  const Summary& time = measured.trials.time;
  record.time_s = measure::time_of(measured);
  record.time_mean_s = time.mean;
  record.time_trimmed_mean_s = time.trimmed_mean;
  if (time.n > 1) record.time_deviation_s = time.deviation;
  record.time_min_s = time.min;
  record.time_max_s = time.max;
  record.windows = static_cast<std::int64_t>(time.n);
  record.runs = measured.trials.runs;
  record.precise = measured.trials.precise;
  record.copies = measured.copies;
  record.energy_j = measure::energy_of(measured);
  record.above_idle_j = measure::energy_above_idle_of(measured);
  if (const auto how = measure::energy_provenance_of(measured))
    record.energy_provenance = name_of(*how);
  if (measured.energy) {
    if (measured.energy->average) record.power_w = measured.energy->average->value;
    record.meters = fmt::format("{}", fmt::join(measured.energy->summed, ", "));
  }
  record.details = details_json(measured).dump(-1, ' ', false, Json::error_handler_t::replace);
  record.trials = packed_seconds(measured.trials.seconds);
  const auto runs = static_cast<double>(measured.trials.runs);
  for (const DomainEnergy& domain : measured.domains) {
    DomainRecord& one = record.domains.emplace_back();
    one.domain = domain.name;
    one.provenance = name_of(domain.provenance);
    if (domain.gross) {
      one.energy_j.value = domain.gross->value.value() / runs;
      if (domain.gross->low) one.energy_j.low = domain.gross->low->value() / runs;
      if (domain.gross->high) one.energy_j.high = domain.gross->high->value() / runs;
    }
    if (domain.above_idle) one.above_idle_j = domain.above_idle->value.value() / runs;
  }
  return record;
}

measure::Measured measured_of(const MeasurementRecord& record) {
  measure::Measured measured;
  measure::Trials& trials = measured.trials;
  trials.seconds = unpacked_seconds(record.trials);
  if (trials.seconds.empty())
    throw Error(ErrorKind::BadInput, "a measurement in the database has no trials");
  trials.runs = record.runs.value_or(static_cast<std::int64_t>(trials.seconds.size()));
  trials.time = summarize(trials.seconds);
  trials.precise = record.precise.value_or(false);
  measured.copies = static_cast<int>(record.copies.value_or(1));
  try {
    const Json details = parse_json<Json>(record.details);
    trials.end = trials.begin + nanoseconds_in(details.at("span_s").get<double>());
    if (!details.at("cpus").is_null()) measured.use.cpus = details["cpus"].get<double>();
    if (!details.at("memory_bytes").is_null())
      measured.use.memory_bytes = details["memory_bytes"].get<std::int64_t>();
    if (details.contains("energy"))
      measured.energy = energy_in(details["energy"], record.energy_provenance);
  } catch (const Json::exception& damaged) {
    throw Error(ErrorKind::BadInput,
                fmt::format("the details of a measurement in the database cannot be read: {}",
                            damaged.what()));
  }
  const auto runs = static_cast<double>(trials.runs);
  for (const DomainRecord& one : record.domains) {
    DomainEnergy& domain = measured.domains.emplace_back();
    domain.name = one.domain;
    domain.provenance = provenance_named(one.provenance).value_or(Provenance::Estimated);
    if (one.energy_j.value) {
      const auto all = [&](const std::optional<double>& each) {
        return each ? std::optional(Joules::from(*each * runs)) : std::nullopt;
      };
      domain.gross =
          EnergyRange{*all(one.energy_j.value), all(one.energy_j.low), all(one.energy_j.high)};
      if (one.above_idle_j) domain.above_idle = EnergyRange{*all(one.above_idle_j), {}, {}};
    }
  }
  return measured;
}

}  // namespace jouletree::store
