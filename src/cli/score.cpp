#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/progress.hpp"
#include "base/text_table.hpp"
#include "cli/command.hpp"
#include "cli/engine_flags.hpp"
#include "cli/format_option.hpp"
#include "cli/input_options.hpp"
#include "cli/interrupts.hpp"
#include "cli/meter_options.hpp"
#include "cli/model_to_run.hpp"
#include "cli/output.hpp"
#include "cli/score_options.hpp"
#include "engines/engine_list.hpp"
#include "jouletree/error.hpp"
#include "jouletree/profile.hpp"
#include "jouletree/score_model.hpp"
#include "report/score_report.hpp"
#include "zoo/named_model.hpp"

namespace jouletree::cli {
namespace {

struct ScoreCommand {
  std::string model;
  ScoreOptions score{"--data"};
  InputOptions inputs;
  EngineFlags engine;
  MeterOptions meters;
  Format format = Format::Table;
  std::string profile;
};

constexpr const char* kScoreFooter =
    "Examples:\n"
    "  jouletree score net.onnx --data x.npy --labels y.npy --metric top1 --metric top5\n"
    "  jouletree score bert.onnx --data input_ids=ids.npy --data attention_mask=mask.npy \\\n"
    "    --labels y.npy --metric f1 --batch 16\n"
    "  jouletree score net.onnx --data x.npy --labels y.npy --into profiles/net\n"
    "\n"
    "All examples are run in batches, and the time and energy of that are measured. With --into "
    "the\n"
    "score becomes part of a profile, so that 'jouletree compare' shows accuracy beside joules.";

Score measure_score(const ScoreCommand& command) {
  ScoreSettings settings = command.score.settings();
  settings.inputs = command.inputs.settings();
  command.engine.put_into(settings);
  settings.meters = command.meters.probe_options();
  settings.tell = tell_of_meters;
  StagedProgress shown;
  settings.progress = [&](const std::string& what, std::size_t done, std::size_t total) {
    shown.tell(what, done, total);
  };
  settings.check = Interrupts::check;
  const Interrupts interrupts;
  const ModelToRun model(command.model);
  settings.told_as = model.told_as();
  return score_model(model.file(), settings);
}

void print(const Score& score, Format format) {
  if (format == Format::Json) {
    report::print_score_json(score, std::cout);
  } else {
    report::print_score_table(score, std::cout);
  }
  finish_output();
}

void run(const ScoreCommand& command) {
  if (command.score.data.empty())
    throw Error(ErrorKind::BadInput, "a score needs examples: --data FILE.npy");
  command.score.check();
  zoo::refuse_unknown_name(command.model);
  if (!zoo::is_zoo_name(command.model)) (void)engines::model_file(command.model);
  // A folder without a profile is refused before anything runs.
  if (!command.profile.empty()) (void)read_profile(command.profile);
  const Score score = measure_score(command);
  if (command.profile.empty()) {
    print(score, command.format);
    return;
  }
  // Alone, it is right for its own model.
  Score shown = score;
  write_and_show([&] { shown = jouletree::add_score(score, command.profile); },
                 [&](Written) { print(shown, command.format); });
}

}  // namespace

void add_score(CLI::App& app) {
  const auto command = std::make_shared<ScoreCommand>();
  CLI::App* score = app.add_subcommand(
      "score", "Score a model on data whose answers are known, with time and energy");
  score->footer(kScoreFooter);
  score
      ->add_option(
          "model", command->model,
          "ONNX file, TorchScript file (.pt), program of torch.export (.pt2), or a name of the zoo")
      ->required()
      ->type_name("MODEL");
  command->score.add_to(*score);
  score
      ->add_option("--into", command->profile,
                   "Profile that the score is added to: a folder that 'jouletree profile -o' wrote")
      ->type_name("FOLDER");
  score
      ->add_option("--value", command->inputs.values,
                   "Content of a small input that has no data, e.g. sr=16000 (repeatable)")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
  add_format(*score, command->format);
  command->engine.add_to(*score);
  command->meters.add_to(*score);
  score->callback([command] { run(*command); });
}

}  // namespace jouletree::cli
