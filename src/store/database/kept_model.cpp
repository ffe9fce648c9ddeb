#include "store/database/kept_model.hpp"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "base/json_problem.hpp"
#include "jouletree/error.hpp"
#include "store/database/cells.hpp"
#include "store/database/database_entry.hpp"
#include "store/database/measurement_rows.hpp"
#include "store/database/source_files.hpp"
#include "store/profile_folder.hpp"
#include "store/profile_view_json.hpp"

namespace jouletree::store {
namespace {

using Json = nlohmann::ordered_json;

struct SourceOfModel {
  std::string format;
  std::string name;
  std::string origin;
  std::string header;
};

SourceOfModel source_with(Database& database, Id id) {
  const auto rows =
      database.connection().query("SELECT format, name, origin, header FROM sources WHERE id = ?",
                                  std::array<sql::Parameter, 1>{id});
  if (!rows->next()) return {};
  return {text_in(rows->value(0)), text_in(rows->value(1)), text_in(rows->value(2)),
          text_in(rows->value(3))};
}

/// What the columns of a model tell.
void add_counts(Database& database, Id model, ProfileView& view) {
  const auto rows = database.connection().query(
      "SELECT params, macs, flops, bytes, file_bytes FROM models WHERE id = ?",
      std::array<sql::Parameter, 1>{model});
  if (!rows->next()) return;
  constexpr std::array<const char*, 4> kNames = {"params", "macs", "flops", "bytes_moved"};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (const auto value = number_in(rows->value(i)))
      view.counted.push_back({kNames.at(i), "", {value}});
  view.model_bytes = whole_in(rows->value(4));
}

/// Nothing where the model was not run as a tree.
std::optional<std::vector<NodeRecord>> operators_of(Database& database, const FoundModel& found) {
  const auto runs =
      found.run ? database.connection().query("SELECT id FROM runs WHERE id = ?",
                                              std::array<sql::Parameter, 1>{*found.run})
                : database.connection().query(
                      "SELECT id FROM runs WHERE model_id = ? AND measurement_id = ? LIMIT 1",
                      std::array<sql::Parameter, 2>{found.model, found.measurement.value_or(0)});
  if (!runs->next()) return std::nullopt;
  const Id run = whole_in(runs->value(0)).value_or(0);
  std::vector<NodeRecord> nodes;
  const auto rows = database.connection().query(
      "SELECT type, params, macs, flops, bytes FROM nodes WHERE run_id = ? AND level = 'ml' ORDER "
      "BY position",
      std::array<sql::Parameter, 1>{run});
  while (rows->next()) {
    NodeRecord& node = nodes.emplace_back();
    node.type = text_in(rows->value(0));
    node.params = number_in(rows->value(1));
    node.macs = number_in(rows->value(2));
    node.flops = number_in(rows->value(3));
    node.bytes = number_in(rows->value(4));
  }
  // Trees of models whose operators nobody told apart.
  return nodes.empty() ? std::nullopt : std::optional(std::move(nodes));
}

void set_whole(const MeasurementRecord& one, ProfileView& view) {
  view.time.figure = one.time_s;
  if (one.time_s.value) view.time.provenance = one.time_provenance;
  view.energy.figure = one.energy_j;
  if (one.energy_j.value) view.energy.provenance = one.energy_provenance;
  view.energy_above_idle.figure = one.above_idle_j;
  if (one.above_idle_j.value) view.energy_above_idle.provenance = one.energy_provenance;
  view.energy_covers = one.meters;
  view.windows = one.windows.value_or(0);
  view.precise = one.precise.value_or(false);
  view.asked_precision = one.asked_precision;
}

/// Of tables and tree files: what they say, and nothing else.
void read_tables(Database& database, const ChosenModel& chosen, const SourceOfModel& source,
                 KeptModel& kept) {
  const FoundModel& found = chosen.found;
  ProfileView& view = kept.view;
  view.model = found.name;
  view.engine = found.engine;
  view.date = found.date;
  view.cpu = found.machine;
  add_counts(database, found.model, view);
  if (found.measurement) {
    if (const auto whole =
            model_measurement(database.connection(), found.model, *found.measurement))
      set_whole(*whole, view);
  }
  kept.operators = operators_of(database, found);
  if (kept.operators) {
    view.counted.push_back({"operators", "", {static_cast<double>(kept.operators->size())}});
  }
  kept.notes.push_back(
      fmt::format("from {}{}{}, measured on {} in {}; what that source does not tell is unknown",
                  source.name, source.origin.empty() ? "" : fmt::format(" ({})", source.origin),
                  chosen.size.empty() ? "" : ", " + chosen.size, found.machine,
                  found.engine.empty() ? "an unknown engine" : found.engine));
}

/// False where the source holds no profile.
bool read_profile_of(Database& database, const FoundModel& found, const SourceOfModel& source,
                     KeptModel& kept) {
  const auto text = source_file(database, found.source, source.header, kProfileFile);
  const auto tree = source_file(database, found.source, source.header, kTreeFile);
  if (source.format != "profile" || !text || !tree) return false;
  try {
    kept.view = parse_view(parse_json<Json>(*text), kept.place);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: is a damaged profile ({}); profile the model again", kept.place,
                            json_problem(error, *text)));
  }
  kept.tree_line = *tree;
  if (const auto trials = source_file(database, found.source, source.header, kTrialsFile))
    kept.trials = parse_trials(*trials);
  return true;
}

/// Older programs kept no more than the windows of the whole model, and tables not even these.
ProfileTrials trials_of_whole(Database& database, const FoundModel& found) {
  std::vector<double> seconds;
  if (found.measurement) {
    if (const auto whole =
            model_measurement(database.connection(), found.model, *found.measurement))
      seconds = unpacked_seconds(whole->trials);
  }
  return trials_of_seconds(seconds);
}

KeptModel kept_model(Database& database, const ChosenModel& chosen) {
  const FoundModel& found = chosen.found;
  constexpr std::size_t kDay = 10;
  KeptModel kept;
  kept.place = fmt::format("{}#{}@source={}", database.place(), found.name, found.source);
  std::string details = chosen.size;
  if (!found.date.empty())
    details += fmt::format("{}{}", details.empty() ? "" : ", ", found.date.substr(0, kDay));
  kept.longer_label = details.empty() ? found.name : fmt::format("{} ({})", found.name, details);
  kept.label = chosen.has_sizes ? kept.longer_label : found.name;
  kept.notes = chosen.notes;
  const SourceOfModel source = source_with(database, found.source);
  if (!read_profile_of(database, found, source, kept)) read_tables(database, chosen, source, kept);
  if (kept.trials.series.empty()) kept.trials = trials_of_whole(database, found);
  return kept;
}

}  // namespace

std::vector<KeptModel> kept_models(Database& database, const std::string& wanted) {
  std::vector<KeptModel> kept;
  for (const ChosenModel& chosen : choose_models(database, wanted))
    kept.push_back(kept_model(database, chosen));
  return kept;
}

std::optional<std::vector<KeptModel>> kept_models_of(const std::string& entry) {
  const auto parsed = parse_entry(entry);
  if (!parsed) return std::nullopt;
  return glance(sql::parse_location(parsed->database),
                [&](Database& database) { return kept_models(database, parsed->model); });
}

}  // namespace jouletree::store
