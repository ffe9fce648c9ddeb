#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "jouletree/error.hpp"
#include "meters/time_stamp.hpp"
#include "store/calendar.hpp"
#include "store/database/import_formats.hpp"
#include "store/database/measured_record.hpp"
#include "store/environment_json.hpp"
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

/// environment.json adds to the rest, so that a damaged one is as none; profiles that were kept in
/// a database have what it says in profile.json.
measure::Environment environment_of(const FolderFiles& files, const Json& profile) {
  const std::string* const text = file_in(files, kEnvironmentFile);
  Json read = text == nullptr ? Json() : parse_json_if_any<Json>(*text);
  if (!read.is_object()) read = profile.value("environment", Json::object());
  return environment_in(read);
}

/// Of profiles, as those that are measured into a database have it.
EngineRecord profiled_engine(const ProfileView& view, measure::Environment environment) {
  environment.settings = view.settings;
  if (!environment.settings.contains("engine") && !view.engine.empty())
    environment.settings["engine"] = view.engine;
  EngineRecord engine = engine_record(environment);
  if (engine.name.empty()) engine.name = "unknown";
  return engine;
}

/// How it was measured, beside the engine.
std::string profile_conditions(const ProfileView& view, const EngineRecord& engine) {
  constexpr std::array<std::string_view, 4> kOfEngines = {"engine", "threads", "device",
                                                          "provider"};
  std::vector<std::string> words;
  for (const auto& [name, value] : view.settings) {
    const bool is_of_engine =
        engine.options.contains(name) ||
        std::find(kOfEngines.begin(), kOfEngines.end(), name) != kOfEngines.end();
    if (!is_of_engine) words.push_back(name + "=" + value);
  }
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
  const std::string* const text = file_in(files, kLatencyFile);
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
  const StoredProfile stored = read_profile_folder(folder);
  const ProfileView& view = stored.view;
  const std::string tree_file = (folder / kTreeFile).string();
  const std::string* const tree = file_in(files, kTreeFile);
  if (tree == nullptr) throw Error(ErrorKind::BadInput, fmt::format("{}: is missing", tree_file));
  const measure::Environment environment = environment_of(files, stored.json);
  const MachineRecord machine = machine_record(environment);
  const EngineRecord engine = profiled_engine(view, environment);
  RunPlace place;
  place.machine = machine.name.empty() ? writer.machine("") : writer.machine(machine);
  place.engine = writer.engine(engine);
  place.conditions = profile_conditions(view, engine);
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
