#include "store/model_profile.hpp"

#include <sstream>
#include <utility>

#include "base/mapped_file.hpp"
#include "base/scratch_folder.hpp"
#include "base/told_as.hpp"
#include "engines/checked_engine.hpp"
#include "engines/engine_list.hpp"
#include "jouletree/error.hpp"
#include "jouletree/tree_files.hpp"
#include "measure/profile_figures.hpp"
#include "model/refused_sizes.hpp"
#include "store/database/database_parts.hpp"
#include "store/database/profile_rows.hpp"
#include "store/profile_folder.hpp"
#include "store/profile_json.hpp"
#include "store/profile_trials.hpp"
#include "store/score_fit.hpp"
#include "store/score_json.hpp"
#include "tree/score_metrics.hpp"

namespace jouletree::store {
namespace {

measure::ProfileOptions options_of(const ProfileSettings& settings) {
  measure::ProfileOptions options;
  options.root = settings.meters.root;
  options.cache = settings.cache;
  options.baseline = settings.baseline;
  options.precision = settings.precision;
  options.budget = settings.budget;
  options.target = settings.target;
  options.modules = settings.modules;
  options.only_types = settings.only_types;
  options.without_types = settings.without_types;
  return options;
}

std::string whole_text(const std::filesystem::path& path) {
  return std::string(MappedFile(path).bytes());
}

/// Of a model that is in no file: what it stores.
std::optional<std::int64_t> stored_bytes(const ModelTree& tree) {
  const bool is_live = tree.graph->recorded && tree.graph->file_bytes > 0;
  return is_live ? std::optional(tree.graph->file_bytes) : std::nullopt;
}

/// Into the content of profile.json.
void put_score(const Score& score, nlohmann::ordered_json& json) {
  json["score"] = score_json(score);
  nlohmann::ordered_json metrics = nlohmann::ordered_json::object();
  for (const auto& [name, metric] : json.at("metrics").items())
    if (!tree::is_score_key(name)) metrics[name] = metric;
  metrics.update(json["score"]["metrics"]);
  json["metrics"] = std::move(metrics);
}

}  // namespace

ModelProfile profile_with(engines::Engine& engine, const engines::ModelToLoad& model,
                          measure::MeteredMachine& machine, const ProfileSettings& settings,
                          std::optional<std::int64_t> model_bytes) {
  measure::ProfileOptions options = options_of(settings);
  options.gpus = machine.gpus();
  measure::SessionEnergy energy(machine.session(), settings.check);
  const auto tell = [&](const std::string& what, std::size_t done, std::size_t total) {
    if (settings.check) settings.check();
    if (settings.progress) settings.progress(what, done, total);
  };
  // Opened before anything is measured, so that a database that cannot be used costs no time.
  std::optional<Database> database;
  std::optional<DatabaseParts> known;
  if (settings.database) {
    database.emplace(sql::parse_location(*settings.database), sql::Access::Create);
    known.emplace(*database,
                  settings.fresh ? DatabaseParts::Reuse::Nothing : DatabaseParts::Reuse::Known);
    options.known = &*known;
  }
  auto state = std::make_shared<ModelProfile::State>();
  try {
    state->measured = std::make_shared<const measure::Profile>(
        measure::profile_model(engine, model, options, energy, tell));
  } catch (const Error&) {
    // A signal to all of a terminal ends the engine's process, too, and its end is not the reason.
    if (settings.check) settings.check();
    throw;
  }
  state->view = view_of(*state->measured, settings.target);
  state->view.model_bytes = model_bytes ? model_bytes : stored_bytes(state->measured->given_tree());
  state->view.metrics = tree::MetricSet().compute(measured_model(state->view));
  return ModelProfile(std::move(state));
}

ModelProfile with_metrics(const ModelProfile& profile, std::vector<CountedMetric> counted,
                          std::vector<tree::MetricResult> metrics) {
  auto state = std::make_shared<ModelProfile::State>(profile.state());
  state->view.counted = std::move(counted);
  state->view.metrics = std::move(metrics);
  return ModelProfile(std::move(state));
}

nlohmann::ordered_json json_of(const ModelProfile& profile) {
  const ModelProfile::State& state = profile.state();
  return state.measured ? profile_json(*state.measured, state.view) : state.json;
}

std::string trials_text(const ModelProfile& profile) {
  const ModelProfile::State& state = profile.state();
  if (state.measured) {
    std::ostringstream text;
    write_trials(*state.measured, text);
    return text.str();
  }
  const std::filesystem::path file = profile_file(state.folder, kTrialsFile);
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) ? whole_text(file) : std::string();
}

}  // namespace jouletree::store

namespace jouletree {

const ProfileContent& ModelProfile::content() const { return state_->view; }

MeasuredModel ModelProfile::measured() const { return store::measured_model(state_->view); }

std::string ModelProfile::json() const { return store::json_text(store::json_of(*this)); }

std::string ModelProfile::tree_line() const {
  if (!state_->measured) return state_->tree_line;
  std::ostringstream text;
  write_tree_line(state_->measured->tree, text, measure::figures_of(*state_->measured));
  return text.str();
}

std::string ModelProfile::layers() const {
  if (!state_->measured) return state_->layers;
  std::ostringstream text;
  write_layers(state_->measured->tree, text, measure::figures_of(*state_->measured));
  return text.str();
}

ModelProfile profile_model(const std::filesystem::path& model, const ProfileSettings& settings) {
  // A file that is no model is refused before anything is made or opened.
  const bool is_constructed = settings.recipe && settings.recipe->constructs;
  const engines::ModelFile file =
      is_constructed ? engines::ModelFile{"torch"} : engines::model_file(model);
  if (!is_constructed && file.engine == "torch") model::refuse_sizes(model, settings.inputs);
  const ScratchFolder scratch;
  const auto engine = engines::checked_engine(
      engines::open_engine(file.engine, {scratch.path(), settings.threads, settings.execution,
                                         settings.level, settings.device, settings.device_options,
                                         settings.python, settings.check, settings.recipe}),
      settings.check);
  measure::MeteredMachine machine(settings.meters, settings.tell);
  return with_errors_told_as(model, settings.told_as, [&] {
    return store::profile_with(
        *engine, {model, settings.inputs, settings.data, settings.seed, settings.told_as}, machine,
        settings, is_constructed ? std::nullopt : std::optional(file.bytes));
  });
}

std::string keep_profile(const ModelProfile& profile, const std::string& database) {
  if (!profile.state().measured) {
    throw Error(ErrorKind::BadInput,
                "this profile was read from a folder; 'jouletree db import FOLDER' keeps it");
  }
  store::Database opened(store::sql::parse_location(database), store::sql::Access::Create);
  store::add_profile(opened, profile);
  return opened.place();
}

ModelProfile with_score(const ModelProfile& profile, const Score& score, ScoreOf whose) {
  auto state = std::make_shared<ModelProfile::State>(profile.state());
  state->view.score =
      whose == ScoreOf::ThisModel ? score : store::score_that_fits(state->view, score);
  state->view.metrics = tree::MetricSet().compute(store::measured_model(state->view));
  if (!state->measured) store::put_score(*state->view.score, state->json);
  return ModelProfile(std::move(state));
}

Score add_score(const Score& score, const std::filesystem::path& folder) {
  store::StoredProfile stored = store::read_profile_folder(folder);
  Score fitting = store::score_that_fits(stored.view, score);
  store::put_score(fitting, stored.json);
  store::replace_profile_json(folder, store::json_text(stored.json));
  return fitting;
}

void prepare_profile(const std::filesystem::path& folder, OlderProfile older) {
  store::prepare_profile_folder(folder, older);
}

void write_profile(const ModelProfile& profile, const std::filesystem::path& folder,
                   OlderProfile older) {
  const ModelProfile::State& state = profile.state();
  if (state.measured) {
    store::write_profile_folder(*state.measured, state.view, folder, older);
  } else {
    store::copy_profile_folder(state.folder, folder, older, store::json_text(state.json));
  }
}

ModelProfile read_profile(const std::filesystem::path& folder) {
  store::StoredProfile stored = store::read_profile_folder(folder);
  auto state = std::make_shared<ModelProfile::State>();
  state->view = std::move(stored.view);
  state->json = std::move(stored.json);
  state->folder = std::filesystem::absolute(folder);
  state->tree_line = store::whole_text(store::profile_file(folder, store::kTreeFile));
  state->layers = store::whole_text(store::profile_file(folder, store::kLayersFile));
  return ModelProfile(std::move(state));
}

}  // namespace jouletree
