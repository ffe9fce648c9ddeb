#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/duration_text.hpp"
#include "base/json_or_null.hpp"
#include "base/message.hpp"
#include "base/progress.hpp"
#include "base/text_table.hpp"
#include "campaign/time_left.hpp"
#include "cli/command.hpp"
#include "cli/engine_flags.hpp"
#include "cli/exit_status.hpp"
#include "cli/expanded_braces.hpp"
#include "cli/format_option.hpp"
#include "cli/input_options.hpp"
#include "cli/interrupts.hpp"
#include "cli/meter_options.hpp"
#include "cli/output.hpp"
#include "cli/sweep_models.hpp"
#include "cli/whole_number.hpp"
#include "jouletree/error.hpp"
#include "measure/metered_machine.hpp"
#include "measure/sweep/size_list.hpp"
#include "report/si_text.hpp"
#include "report/sweep_report.hpp"
#include "store/made_folders.hpp"
#include "store/profile_json.hpp"
#include "store/run_sweep.hpp"
#include "store/sweep_json.hpp"

namespace jouletree::cli {
namespace {

struct SweepCommand {
  std::vector<std::string> models;
  std::vector<std::string> patterns;
  std::vector<std::string> dims;
  InputOptions inputs;
  std::string batch;
  std::string threads;
  EngineFlags engine;
  MeterOptions meters;
  std::string folder;
  int runs = 10;
  double seconds = 20;
  std::optional<std::int64_t> inferences;
  std::string cool_down = "1s";
  std::string baseline = "2s";
  std::string warm_up = "1s";
  std::string budget;
  std::uint64_t seed = 1;
  Format format = Format::Table;
};

struct CompileCommand {
  std::string folder;
  bool runs = false;
  Format format = Format::Table;
};

constexpr const char* kSweepFooter =
    "Examples:\n"
    "  jouletree sweep resnet-18 --vary 'input=1x3x{32,64,128,224}x{=}' -o studies/resnet\n"
    "  jouletree sweep bert-l2-h128 --dim sequence=50:500:50 --dim batch=1 -o studies/bert\n"
    "  jouletree sweep a.onnx b.onnx --vary 'x=1x{8..64..8}' --batch 1,8 --runs 5 --seconds 10 -o "
    "studies/ab\n"
    "  jouletree sweep compile studies/bert --format csv --runs\n"
    "\n"
    "Braces list sizes (8,32,64), or a range (8..64..8: first, last, step); {=} repeats the sizes "
    "of the\n"
    "braces before it. Every size is run many times, in an order drawn anew for each round. Start "
    "the same\n"
    "command again after an interruption: runs that are done are kept.";

void check_sweep() {
  const int signal = Interrupts::pending();
  if (signal == 0) return;
  say("interrupted; runs that are done are kept, and the same command goes on from there");
  throw ExitStatus{128 + signal};
}

/// What stands behind --vary and is no pattern is a model.
void take_models_behind_patterns(SweepCommand& command) {
  const auto is_pattern = [](const std::string& word) {
    return word.find('=') != std::string::npos;
  };
  const auto models =
      std::stable_partition(command.patterns.begin(), command.patterns.end(), is_pattern);
  command.models.insert(command.models.end(), models, command.patterns.end());
  command.patterns.erase(models, command.patterns.end());
}

measure::Variation variation_of(const SweepCommand& command) {
  measure::Variation variation;
  variation.patterns = with_braces_again(command.patterns);
  variation.dims = command.dims;
  if (!command.batch.empty())
    variation.batches = measure::parse_sizes(command.batch, "--batch " + printable(command.batch));
  if (!command.threads.empty()) {
    const std::string where = "--threads " + printable(command.threads);
    variation.threads = measure::parse_sizes(command.threads, where);
    constexpr Dim kMostThreads = 1024;
    if (variation.threads.back() > kMostThreads)
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}: give {} threads at most", where, kMostThreads));
  }
  if (variation.patterns.empty() && variation.dims.empty() && variation.batches.empty() &&
      variation.threads.empty()) {
    throw Error(ErrorKind::BadInput,
                "a sweep varies something: give --vary 'input=1x3x{32,64}x{=}', --dim "
                "sequence=50:500:50, --batch 1,8 or --threads 1,2");
  }
  return variation;
}

measure::SweepRunPlan run_plan(const SweepCommand& command) {
  measure::SweepRunPlan plan;
  plan.cool_down = duration_of_flag("--cool-down", command.cool_down);
  plan.baseline = duration_of_flag("--baseline", command.baseline);
  plan.warm_up = duration_of_flag("--warm-up", command.warm_up);
  plan.seconds = measure::SweepRunPlan::Duration(command.seconds);
  plan.inferences = command.inferences;
  plan.step = command.meters.sampling_interval();
  return plan;
}

/// What must be the same when the study goes on.
nlohmann::ordered_json settings_json(const SweepCommand& command,
                                     const measure::SweepRunPlan& plan) {
  nlohmann::ordered_json json = {{"runs", command.runs}};
  json["seconds"] =
      plan.inferences ? nlohmann::ordered_json() : nlohmann::ordered_json(plan.seconds.count());
  json["inferences"] = or_null(plan.inferences);
  json["cool_down_s"] = plan.cool_down.count();
  json["baseline_s"] = plan.baseline.count();
  json["warm_up_s"] = plan.warm_up.count();
  json["interval_s"] = plan.step.count();
  json["seed"] = command.seed;
  json["device"] = command.engine.device;
  json["level"] = command.engine.level;
  json["execution"] = command.engine.execution;
  json["provider_options"] = command.engine.device_options();
  json["vary"] = with_braces_again(command.patterns);
  json["dim"] = command.dims;
  json["batch"] = command.batch;
  json["threads"] = command.threads;
  json["input"] = command.inputs.shapes;
  json["value"] = command.inputs.values;
  json["sources"] = command.meters.sources;
  json["external"] = command.meters.external;
  json["cpu_watts"] = command.meters.cpu_watts;
  return json;
}

std::string done_text(const store::SweepRunDone& done) {
  std::string line = fmt::format("[{}/{}] {} {} run {}: ", done.done, done.total,
                                 printable(done.model), done.format, done.run);
  const auto known = [&](const char* name) -> const measure::KnownValue* {
    const auto found = done.values.find(name);
    return found == done.values.end() ? nullptr : &found->second;
  };
  if (!done.failure.empty()) line += "failed: " + printable(done.failure);
  if (const auto* const latency = known("latency_median_s"))
    line += report::si_text(latency->value, "s");
  if (const auto* const energy = known("energy_j"))
    line += fmt::format(", {} ({})", report::si_text(energy->value, "J"), energy->provenance);
  line += "; took " + campaign::span_text(done.took_s);
  if (done.left_s) line += fmt::format("; about {} left", campaign::span_text(*done.left_s));
  return line;
}

void print_study(const store::AnalysedStudy& study, Format format, bool runs) {
  if (format == Format::Json) {
    std::cout << store::json_text(store::sweep_json(study));
  } else if (format == Format::Csv || runs) {
    std::cout << store::sweep_csv(study, runs ? store::SweepRows::Runs : store::SweepRows::Formats);
  } else {
    report::print_sweep(study, std::cout);
  }
  finish_output();
}

store::SweepOutcome measure_study(const SweepCommand& command) {
  const measure::Variation variation = variation_of(command);
  store::SweepSettings settings;
  settings.folder = command.folder;
  settings.run = run_plan(command);
  settings.runs = command.runs;
  settings.seed = command.seed;
  if (!command.budget.empty()) settings.budget = duration_of_flag("--budget", command.budget);
  if (settings.budget && settings.budget->count() <= 0)
    throw Error(ErrorKind::BadInput, "--budget: give a time above 0, like 30m");
  const ProbeOptions meters = command.meters.probe_options();
  settings.root = meters.root;
  settings.plan.settings = settings_json(command, settings.run);
  const InputSettings fixed = command.inputs.settings();
  const Interrupts interrupts;
  const SweepModels models(command.models, variation, fixed, command.engine, command.seed,
                           check_sweep);
  settings.plan.models = models.planned();
  // A folder that cannot be used is told of before meters are opened.
  const store::MadeFolders made(command.folder);
  store::begin_study(settings.folder, settings.plan);
  StagedProgress shown;
  const measure::Tell tell = [&](const std::string& sentence) {
    shown.clear();
    say(sentence);
  };
  measure::MeteredMachine machine(meters, tell_of_meters);
  measure::SessionEnergy energy(machine.session(), check_sweep);
  settings.gpus = machine.gpus();
  settings.open = [&](std::size_t model, const measure::SweepFormat& format) {
    return models.open(model, format);
  };
  settings.watch_usage = [&] {
    const auto watch = std::make_shared<measure::UsageWatch>(machine.gpus(), machine_clock().now());
    return [watch](Time now) { return watch->look(now); };
  };
  settings.progress = [&](std::size_t done, std::size_t total) {
    shown.tell("measuring", done, total);
  };
  settings.tell = [&](const store::SweepRunDone& done) { tell(done_text(done)); };
  settings.check = check_sweep;
  const store::SweepOutcome outcome = store::run_sweep(settings, energy, machine_clock());
  shown.clear();
  if (outcome.out_of_time)
    tell("the budget ended before all runs were done; the same command goes on with the rest");
  return outcome;
}

void run_sweep_command(SweepCommand command) {
  take_models_behind_patterns(command);
  if (command.models.empty()) {
    throw Error(ErrorKind::BadInput,
                "name a model: an ONNX file, a TorchScript file (.pt), a program of torch.export "
                "(.pt2), or a name of the zoo");
  }
  if (command.folder.empty())
    throw Error(ErrorKind::BadInput, "a study is kept in a folder: name it with -o FOLDER");
  if (!(command.seconds > 0))
    throw Error(ErrorKind::BadInput, "--seconds: give a time above 0, like 20");
  const store::SweepOutcome outcome = measure_study(command);
  const store::AnalysedStudy study = store::analyse(store::read_study(command.folder));
  write_and_show([&] { store::write_sweep(study, command.folder); },
                 [&](Written) { print_study(study, command.format, false); });
  if (outcome.failed > 0) throw ExitStatus{exit_code(ErrorKind::Failed)};
}

void run_compile(const CompileCommand& command) {
  if (command.runs && command.format == Format::Json) {
    throw Error(ErrorKind::BadInput,
                "--runs prints one row per run; leave out --format json, or --runs");
  }
  const store::AnalysedStudy study = store::analyse(store::read_study(command.folder));
  write_and_show([&] { store::write_sweep(study, command.folder); },
                 [&](Written) { print_study(study, command.format, command.runs); });
}

void add_compile(CLI::App& sweep) {
  const auto command = std::make_shared<CompileCommand>();
  CLI::App* compile = sweep.add_subcommand(
      "compile", "Make results.csv and sweep.json again from the runs in a folder");
  compile->footer(
      "Example:\n"
      "  jouletree sweep compile studies/bert --format csv\n"
      "\n"
      "Reads the runs of 'jouletree sweep' and of AIPowerMeter's experiments: "
      "input_FORMAT/run_NUMBER\n"
      "with power_metrics.json and latency.csv.");
  compile->add_option("folder", command->folder, "Folder of a study")
      ->required()
      ->type_name("FOLDER");
  compile->add_flag("--runs", command->runs, "Print every single run, as CSV");
  add_format(*compile, command->format, {Format::Table, Format::Json, Format::Csv},
             "; csv is one row per input format");
  compile->callback([command] { run_compile(*command); });
}

void add_size_options(CLI::App& sweep, SweepCommand& command) {
  sweep
      .add_option("--vary", command.patterns,
                  "Shape of an input with sizes in braces, e.g. 'input=1x3x{32,64,128}x{=}' "
                  "(repeatable)")
      ->type_name("NAME=PATTERN");
  sweep
      .add_option("--dim", command.dims,
                  "Sizes of a symbolic dimension, e.g. sequence=50:500:50 (first, last, step), "
                  "sequence=50,100 or batch=1 (repeatable)")
      ->type_name("NAME=SIZES")
      ->allow_extra_args(false);
  sweep
      .add_option("--batch", command.batch,
                  "Sizes of the batch, the first dimension of the inputs, e.g. 1,8,32")
      ->type_name("SIZES");
  sweep
      .add_option("--threads", command.threads,
                  "Numbers of threads of the engine, e.g. 1,2 (default: 1)")
      ->type_name("NUMBERS");
  sweep
      .add_option("--input", command.inputs.shapes,
                  "Shape of an input that does not vary, e.g. mask=1x128:int64 (repeatable)")
      ->type_name("NAME=SHAPE")
      ->allow_extra_args(false);
  sweep
      .add_option("--value", command.inputs.values,
                  "Content of a small input that decides shapes or branches, e.g. sr=16000 "
                  "(repeatable)")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
}

std::string refuse_below_one(const std::string& text) {
  return text == "0" || text.starts_with('-') ? "give a number of 1 or more" : "";
}

void add_run_options(CLI::App& sweep, SweepCommand& command) {
  sweep.add_option("--runs", command.runs, "Runs of every input format (default: 10)")
      ->type_name("N")
      ->check(refuse_below_one);
  CLI::Option* const seconds =
      sweep.add_option("--seconds", command.seconds, "Length of a run (default: 20)")
          ->type_name("S");
  sweep.add_option("--inferences", command.inferences, "Inferences in a run, instead of a length")
      ->type_name("N")
      ->check(refuse_below_one)
      ->excludes(seconds);
  sweep
      .add_option("--cool-down", command.cool_down,
                  "Pause before every run; 0 skips that (default: 1s)")
      ->type_name("TIME");
  sweep
      .add_option("--baseline", command.baseline,
                  "How long to measure the idle machine before every run; 0 skips that (default: "
                  "2s)")
      ->type_name("TIME");
  sweep
      .add_option("--warm-up", command.warm_up,
                  "How long the model runs before a run counts (default: 1s)")
      ->type_name("TIME");
  sweep
      .add_option("--budget", command.budget,
                  "Time for everything, e.g. 2h; what is not done then, the same command does "
                  "later")
      ->type_name("TIME");
  sweep
      .add_option("--seed", command.seed,
                  "Seed of the random inputs and of the order of runs (default: 1)")
      ->type_name("N")
      ->check(whole_number_problem);
}

}  // namespace

void add_sweep(CLI::App& app) {
  const auto command = std::make_shared<SweepCommand>();
  command->meters.interval = "500ms";
  CLI::App* sweep = app.add_subcommand(
      "sweep", "Measure models over sizes of their inputs, and find how time and energy grow");
  sweep->footer(kSweepFooter);
  sweep
      ->add_option("models", command->models,
                   "ONNX files, TorchScript files (.pt), programs of torch.export (.pt2), or names "
                   "of the zoo")
      ->type_name("MODEL");
  add_size_options(*sweep, *command);
  sweep
      ->add_option("-o,--output", command->folder,
                   "Folder of the study: input_FORMAT/run_NUMBER with power_metrics.json and "
                   "latency.csv, results.csv, sweep.json")
      ->type_name("FOLDER");
  add_run_options(*sweep, *command);
  command->engine.add_all_but_threads(*sweep);
  add_format(*sweep, command->format, {Format::Table, Format::Json, Format::Csv},
             "; csv is one row per input format");
  command->meters.add_to(*sweep);
  sweep->require_subcommand(0, 1);
  add_compile(*sweep);
  sweep->callback([command, sweep] {
    if (sweep->get_subcommands().empty()) run_sweep_command(*command);
  });
}

}  // namespace jouletree::cli
