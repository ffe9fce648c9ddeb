#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "jouletree/error.hpp"
#include "meters/time_stamp.hpp"
#include "store/calendar.hpp"
#include "store/database/import_formats.hpp"
#include "store/profile_folder.hpp"
#include "store/recording.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

const std::string* file_in(const FolderFiles& files, std::string_view name) {
  const auto place = std::find_if(files.begin(), files.end(),
                                  [&](const auto& file) { return file.first == name; });
  return place == files.end() ? nullptr : &place->second;
}

/// An empty object where there is none, or what is there is damaged: it only adds to the rest.
Json environment_in(const FolderFiles& files) {
  const std::string* const text = file_in(files, "environment.json");
  Json read = text == nullptr ? Json::object() : Json::parse(*text, nullptr, false);
  return read.is_object() ? read : Json::object();
}

std::string text_member(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<std::int64_t> whole_member(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer()
             ? std::optional(found->get<std::int64_t>())
             : std::nullopt;
}

MachineRecord machine_in(const Json& environment) {
  MachineRecord machine;
  machine.cpu = text_member(environment, "cpu");
  machine.name = machine.cpu;
  machine.cpus = whole_member(environment, "cpus");
  machine.machine_cpus = whole_member(environment, "machine_cpus");
  machine.core_cache_bytes = whole_member(environment, "core_cache_bytes");
  machine.last_cache_bytes = whole_member(environment, "last_cache_bytes");
  machine.memory_bytes = whole_member(environment, "memory_bytes");
  machine.system = text_member(environment, "host_system");
  machine.kernel = text_member(environment, "kernel");
  machine.governor = text_member(environment, "governor");
  machine.hypervisor = text_member(environment, "hypervisor");
  const auto turbo = environment.find("turbo");
  if (turbo != environment.end() && turbo->is_boolean()) machine.turbo = turbo->get<bool>();
  const auto meters = environment.find("meters");
  if (meters != environment.end() && meters->is_array())
    for (const Json& meter : *meters)
      if (meter.is_string()) machine.sensors.push_back(meter.get<std::string>());
  return machine;
}

/// "ONNX Runtime 1.23.0" is a name and a version.
EngineRecord profiled_engine(const ProfileView& view) {
  EngineRecord engine;
  engine.name = view.engine.empty() ? "unknown" : view.engine;
  const std::size_t space = engine.name.rfind(' ');
  if (space != std::string::npos && space + 1 < engine.name.size() &&
      engine.name[space + 1] >= '0' && engine.name[space + 1] <= '9') {
    engine.version = engine.name.substr(space + 1);
    engine.name.resize(space);
  }
  const auto threads = view.settings.find("threads");
  if (threads != view.settings.end()) {
    std::int64_t count = 0;
    const std::string& text = threads->second;
    if (std::from_chars(text.data(), text.data() + text.size(), count).ec == std::errc{})
      engine.threads = count;
  }
  return engine;
}

/// How it was measured, beside the engine.
std::string profile_conditions(const ProfileView& view) {
  std::vector<std::string> words;
  for (const auto& [name, value] : view.settings)
    if (name != "engine" && name != "threads") words.push_back(name + "=" + value);
  return fmt::format("{}", fmt::join(words, ", "));
}

ModelRecord profiled_model(const ProfileView& view) {
  ModelRecord model;
  model.name = view.model;
  const auto mode = view.settings.find("mode");
  if (mode != view.settings.end() && mode->second.find("train") != std::string::npos)
    model.mode = "training";
  for (const InputShape& input : view.inputs) {
    std::vector<std::string> dims;
    for (const InputDim& dim : input.dims.value_or(std::vector<InputDim>()))
      dims.push_back(dim.size == kUnknownDim ? "?" : std::to_string(dim.size));
    model.inputs.push_back(fmt::format("{}[{}]", name_of(input.type), fmt::join(dims, ",")));
  }
  model.file_bytes = view.model_bytes;
  return model;
}

MeasurementRecord profiled_whole(const ProfileView& view) {
  MeasurementRecord one;
  one.time_s = view.time.figure;
  if (!view.time.provenance.empty()) one.time_provenance = view.time.provenance;
  one.energy_j = view.energy.figure;
  if (one.energy_j.value) one.energy_provenance = view.energy.provenance;
  one.above_idle_j = view.energy_above_idle.figure;
  one.windows = view.windows;
  one.precise = view.precise;
  one.asked_precision = view.asked_precision;
  one.meters = view.energy_covers;
  return one;
}

std::vector<double> sorted_latencies(const FolderFiles& files) {
  std::vector<double> seconds;
  const std::string* const text = file_in(files, "latency.csv");
  if (text == nullptr) return seconds;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (const auto value = meters::parse_decimal(std::string(line))) seconds.push_back(*value);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

/// UTC, as all times of the database; empty where it cannot be read.
std::string utc_of(const std::string& date) {
  const auto time = parse_date(date);
  return time ? utc_text(*time) : std::string();
}

}  // namespace

void import_profile(const std::filesystem::path& folder, const FolderFiles& files,
                    SourceWriter& writer) {
  const ProfileView view = read_profile_folder(folder).view;
  const std::string tree_file = (folder / kTreeFile).string();
  const std::string* const tree = file_in(files, kTreeFile);
  if (tree == nullptr) throw Error(ErrorKind::BadInput, fmt::format("{}: is missing", tree_file));
  const MachineRecord machine = machine_in(environment_in(files));
  RunPlace place;
  place.machine = machine.cpu.empty() ? writer.machine("") : writer.machine(machine);
  place.engine = writer.engine(profiled_engine(view));
  place.conditions = profile_conditions(view);
  place.measured_at = utc_of(view.date);
  for (std::size_t i = 0; i < files.size(); ++i)
    if (files[i].first == kTreeFile) place.source_row = static_cast<std::int64_t>(i);
  const TreeRuns data = read_tree_lines(*tree, tree_file);
  const std::optional<Id> whole =
      add_tree_run(data.runs.front(), place, writer, profiled_model(view), profiled_whole(view));
  if (whole) writer.add_latencies(*whole, sorted_latencies(files));
}

void import_recording(const std::filesystem::path& folder, SourceWriter& writer) {
  const Recording recording = read_recording(folder);
  for (const StoredRun& run : recording.runs.runs) {
    RecordingRecord record;
    record.machine = writer.machine("");
    record.run = run.number;
    record.command = fmt::format("{}", fmt::join(run.command, " "));
    record.began_at = utc_of(run.begin);
    record.duration_s = run.time_s;
    record.energy_j = run.total.energy_j;
    if (record.energy_j.value) record.energy_provenance = run.total.provenance;
    record.covers = fmt::format("{}", fmt::join(run.total.summed, ", "));
    writer.add(std::move(record));
  }
}

}  // namespace jouletree::store
