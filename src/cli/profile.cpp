#include "jouletree/profile.hpp"

#include <charconv>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/duration_text.hpp"
#include "base/message.hpp"
#include "base/progress.hpp"
#include "base/text_table.hpp"
#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/cost_options.hpp"
#include "cli/engine_flags.hpp"
#include "cli/format_option.hpp"
#include "cli/input_options.hpp"
#include "cli/interrupts.hpp"
#include "cli/meter_options.hpp"
#include "cli/model_to_run.hpp"
#include "cli/output.hpp"
#include "cli/plugin_options.hpp"
#include "cli/score_options.hpp"
#include "cli/whole_number.hpp"
#include "engines/engine_list.hpp"
#include "report/profile_report.hpp"
#include "store/made_folders.hpp"
#include "store/model_profile.hpp"
#include "store/profile_json.hpp"
#include "zoo/named_model.hpp"

namespace jouletree::cli {
namespace {

struct ProfileCommand {
  std::string model;
  InputOptions inputs;
  MeterOptions meters;
  PluginOptions plugins;
  std::vector<std::string> data;
  ScoreOptions score{"--score-data"};
  EngineFlags engine;
  CacheMode cache = CacheMode::Model;
  std::string precision = "2%";
  std::string budget;
  std::string target;
  std::string baseline = "2s";
  bool no_modules = false;
  std::uint64_t seed = 1;
  std::optional<int> depth;
  CostOptions costs;
  Format format = Format::Table;
  std::string folder;
  bool replace = false;
  bool quiet = false;
  std::vector<std::string> database;  ///< One, or none: that of the user.
  bool use_database = false;
  bool fresh = false;

  [[nodiscard]] OlderProfile older() const {
    return replace ? OlderProfile::Replace : OlderProfile::Keep;
  }
  /// Empty: the user's own database.
  [[nodiscard]] std::optional<std::string> location() const {
    if (!use_database) return std::nullopt;
    return database.empty() ? "" : database.front();
  }
};

constexpr const char* kProfileFooter =
    "Examples:\n"
    "  jouletree profile bert.onnx --dim batch=1 --dim sequence=128 --budget 60s\n"
    "  jouletree profile bert.onnx --data input_ids=ids.npy --data attention_mask=mask.npy\n"
    "  jouletree profile resnet.pt --input x=1x3x224x224 --python venv/bin/python\n"
    "  jouletree profile net.onnx --score-data x.npy --labels y.npy --metric top1 -o profiles/net\n"
    "\n"
    "Operators are those that the engine really runs: ONNX Runtime for ONNX files, PyTorch for its "
    "own.\n"
    "Each is run alone with the data that it sees inside the model; the ledger says how much of "
    "the whole\n"
    "they explain.";

/// "90%" and "90" are 0.9. Below 1 the sign is needed: who writes 0.9 may mean 90 %.
double parse_share(const std::string& flag, const std::string& text, double most_percent) {
  const bool has_sign = text.ends_with('%');
  const std::string number = has_sign ? text.substr(0, text.size() - 1) : text;
  double percent = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), percent);
  const bool fits = error == std::errc() && end == number.data() + number.size() && percent > 0 &&
                    percent <= most_percent;
  if (fits && !has_sign && percent < 1) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{} {}: say {}% or {:g}%", flag, number, number, 100 * percent));
  }
  if (fits) return percent / 100;
  throw Error(ErrorKind::BadInput,
              fmt::format("{} {}: give per cent above 0 and up to {}, like 2% or 90%", flag,
                          printable(text), most_percent));
}

ProfileSettings settings_of(const ProfileCommand& command) {
  ProfileSettings settings;
  settings.inputs = command.inputs.settings();
  settings.data = command.data;
  settings.seed = command.seed;
  command.engine.put_into(settings);
  settings.cache = command.cache;
  settings.precision = parse_share("--precision", command.precision, 100);
  settings.baseline = duration_of_flag("--baseline", command.baseline);
  if (!command.budget.empty()) settings.budget = duration_of_flag("--budget", command.budget);
  if (settings.budget && settings.budget->count() <= 0)
    throw Error(ErrorKind::BadInput, "--budget: give a time above 0, like 60s");
  if (!command.target.empty()) settings.target = parse_share("--target", command.target, 100);
  settings.modules = !command.no_modules;
  settings.meters = command.meters.probe_options();
  settings.database = command.location();
  settings.fresh = command.fresh;
  settings.tell = tell_of_meters;
  return settings;
}

/// On the user's data, in the same engine and with the same meters.
Score score_too(const ProfileCommand& command, const ProfileSettings& settings,
                const ModelToRun& model) {
  ScoreSettings score = command.score.settings();
  score.inputs = settings.inputs;
  command.engine.put_into(score);
  score.meters = settings.meters;
  score.progress = settings.progress;
  score.check = settings.check;
  score.told_as = model.told_as();
  return score_model(model.file(), score);
}

ModelProfile measure_model(const ProfileCommand& command) {
  ProfileSettings settings = settings_of(command);
  StagedProgress shown;
  settings.progress = [&](const std::string& what, std::size_t done, std::size_t total) {
    shown.tell(what, done, total);
  };
  settings.check = Interrupts::check;
  const Interrupts interrupts;
  const ModelToRun model(command.model);
  settings.told_as = model.told_as();
  // Data that cannot be used are told of before the long work.
  std::optional<Score> score;
  if (command.score.is_asked()) score = score_too(command, settings, model);
  shown.clear();
  const ModelProfile profile = profile_model(model.file(), settings);
  return score ? with_score(profile, *score, ScoreOf::ThisModel) : profile;
}

/// Metrics of plug-ins are kept in the folder, too: those of trees cannot be computed from it.
ModelProfile with_plugins(const ModelProfile& profile, tree::NotedMetrics& metrics) {
  const std::string& name = profile.content().model;
  MeasuredModel measured = profile.measured();
  measured.counted =
      tree::counted_metrics(metrics.of(profile.state().measured->given_tree(), name));
  return store::with_metrics(profile, measured.counted, metrics.of(measured, name));
}

void print(const ProfileCommand& command, const ModelProfile& profile,
           const FootprintFactors& factors) {
  const store::ProfileView& view = profile.state().view;
  if (command.format == Format::Json) {
    nlohmann::ordered_json json = store::json_of(profile);
    json["metrics"].update(report::footprint_json(report::footprint_energy(view), factors));
    std::cout << store::json_text(json);
  } else if (command.format == Format::Csv) {
    std::cout << profile.layers();
  } else if (command.format == Format::Jsonl) {
    std::cout << profile.tree_line();
  } else {
    report::print_profile_table(view, command.depth, factors, std::cout);
  }
  finish_output();
}

/// Nothing is lost where one of the places cannot be written, standard output included.
void keep_and_print(const ProfileCommand& command, const ModelProfile& profile,
                    const FootprintFactors& factors) {
  std::string place;
  write_and_show(
      [&] {
        if (const auto database = command.location()) place = keep_profile(profile, *database);
      },
      [&](Written in_database) {
        write_and_show(
            [&] {
              if (!command.folder.empty()) write_profile(profile, command.folder, command.older());
            },
            [&](Written in_folder) {
              const bool all_written = in_database == Written::Yes && in_folder == Written::Yes;
              if (!command.quiet || !all_written) print(command, profile, factors);
            });
      });
  if (!place.empty()) say(fmt::format("kept in {}", place));
}

void run(const ProfileCommand& command) {
  const FootprintFactors factors = command.costs.factors();
  tree::NotedMetrics metrics = command.plugins.metrics();
  throw_bad_plugins(metrics);
  refuse_unused_plugins(command.plugins, command.format);
  if (command.replace && command.folder.empty())
    throw Error(ErrorKind::BadInput, "--replace needs the folder of the older profile: -o FOLDER");
  if (command.quiet && command.folder.empty() && !command.use_database) {
    throw Error(ErrorKind::BadInput,
                "-q shows nothing, so say where the profile goes: -o FOLDER, or --db");
  }
  if (command.fresh && !command.use_database)
    throw Error(ErrorKind::BadInput, "--fresh measures again what a database knows; it needs --db");
  command.score.check();
  zoo::refuse_unknown_name(command.model);
  // A file that is no model is refused before anything is made.
  if (!zoo::is_zoo_name(command.model)) (void)engines::model_file(command.model);
  const store::MadeFolders made(command.folder);
  if (!command.folder.empty()) prepare_profile(command.folder, command.older());
  const ModelProfile profile = with_plugins(measure_model(command), metrics);
  keep_and_print(command, profile, factors);
  throw_problems(metrics);
}

void add_protocol_options(CLI::App& profile, ProfileCommand& command) {
  add_choice<CacheMode>(
      profile, "--cache", command.cache,
      {{"hot", CacheMode::Hot}, {"model", CacheMode::Model}, {"cold", CacheMode::Cold}},
      "What the caches hold when an operator or module runs alone: all that it reads (hot), what "
      "they would hold inside the model (model, the default), or nothing of it (cold)");
  profile
      .add_option("--precision", command.precision,
                  "Measure each time until its 95 % interval is no wider than ± this (default: 2%)")
      ->type_name("PERCENT");
  profile
      .add_option("--budget", command.budget,
                  "Time for all windows together, e.g. 60s; the largest operators come first")
      ->type_name("TIME")
      ->check([](const std::string& text) { return text.empty() ? "give a time, like 60s" : ""; });
  profile
      .add_option("--target", command.target,
                  "Measure the largest operators first and stop when they explain this much of the "
                  "time, e.g. 90%")
      ->type_name("PERCENT");
  profile
      .add_option("--baseline", command.baseline,
                  "How long to measure the idle machine first; 0 skips that (default: 2s)")
      ->type_name("TIME");
  profile.add_flag("--no-modules", command.no_modules,
                   "Do not run modules alone; add up their operators instead");
}

}  // namespace

void add_profile(CLI::App& app) {
  const auto command = std::make_shared<ProfileCommand>();
  CLI::App* profile = app.add_subcommand(
      "profile", "Measure time and energy of a model, its modules and its operators");
  profile->footer(kProfileFooter);
  profile
      ->add_option(
          "model", command->model,
          "ONNX file, TorchScript file (.pt), program of torch.export (.pt2), or a name of the zoo")
      ->required()
      ->type_name("MODEL");
  command->inputs.add_to(*profile);
  profile
      ->add_option("--data", command->data,
                   "Real data for inputs: NAME=FILE.npy, NAME=FILE.pb, FILE.npz or an ONNX "
                   "test_data_set folder (repeatable); inputs without any get random data")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command->engine.add_to(*profile);
  add_protocol_options(*profile, *command);
  profile
      ->add_option("-o,--output", command->folder,
                   "Folder for tree.jsonl, layers.csv, profile.json, trials.jsonl, latency.csv, "
                   "environment.json, trace.json and run_trace.json; 'jouletree show' reads it")
      ->type_name("FOLDER");
  profile->add_flag("--replace", command->replace,
                    "Replace an older profile in that folder, when the new one is complete");
  CLI::Option* const database =
      profile
          ->add_option("--db", command->database,
                       "Keep everything in a database, and take from it what was measured under "
                       "the same conditions: sqlite:FILE or postgresql://…; without a value the "
                       "file in your data folder")
          ->expected(0, 1)
          ->type_name("DATABASE");
  profile->parse_complete_callback(
      [command, database] { command->use_database = database->count() > 0; });
  profile->add_flag("--fresh", command->fresh, "With --db: measure again what the database knows");
  profile->add_flag("-q,--quiet", command->quiet, "Do not show the view; needs -o or --db");
  add_format(*profile, command->format, {Format::Table, Format::Json, Format::Csv, Format::Jsonl},
             "; csv is one row per operator, jsonl the tree file");
  profile->add_option("--seed", command->seed, "Seed of the random inputs (default: 1)")
      ->type_name("N")
      ->check(whole_number_problem);
  profile->add_option("--depth", command->depth, "Levels of the tree to show")
      ->type_name("N")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "give a number of levels, 0 or more" : "";
      });
  command->score.add_to(*profile);
  command->meters.add_to(*profile);
  command->costs.add_to(*profile);
  command->plugins.add_to(*profile);
  profile->callback([command] { run(*command); });
}

}  // namespace jouletree::cli
