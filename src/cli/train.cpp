#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/message.hpp"
#include "base/replaced_file.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/predict_options.hpp"
#include "report/training.hpp"

namespace jouletree::cli {
namespace {

struct TrainCommand {
  std::vector<std::string> data;
  std::string file;
  std::string from;
  std::size_t runs = 0;
  FitOptions fit;
};

constexpr const char* kTrainFooter =
    "Examples:\n"
    "  jouletree train profiles/ -o machine.json\n"
    "  jouletree train resnet18/ bert/ runs.jsonl -o machine.json\n"
    "  jouletree train table_of_models.csv --set classes=100 -o board.json\n"
    "  jouletree train few_runs.jsonl --from machine.json --runs 3 -o other_machine.json\n"
    "\n"
    "DATA are tree files with measured times or energies, CSVs with one operator per row, folders\n"
    "that 'jouletree profile -o' wrote or above such folders, and tables with one model per row: "
    "a\n"
    "column names model files or models of the zoo, others tell what was measured (latency_ms,\n"
    "energy_mj) and settings. Of whole models, prices of operators are those that add up to them.";

std::optional<report::AdaptFrom> adapted_from(const TrainCommand& options) {
  if (options.from.empty()) return std::nullopt;
  return report::AdaptFrom{Predictor::read(options.from), options.runs};
}

void run(const TrainCommand& options) {
  // A file that cannot be written is told of before the work.
  ReplacedFile file(options.file);
  const TrainOptions settled = options.fit.settled();
  const report::Training training = train_on(options.data, settled, adapted_from(options), warn,
                                             options.fit.place, options.fit.tables);
  for (const std::string& note : training.notes) say(note);
  file.write(training.predictor.text());
  file.commit();
  std::cout << fmt::format("{}: {}\n", options.file,
                           report::training_text(training.predictor.info()));
  for (const std::string& warning : training.warnings) warn(warning);
  finish_output();
}

}  // namespace

void add_train(CLI::App& app) {
  const auto options = std::make_shared<TrainCommand>();
  CLI::App* command =
      app.add_subcommand("train", "Learn from measured models to predict models that never ran");
  command->footer(kTrainFooter);
  command->add_option("data", options->data, kDataHelp)->required()->type_name("DATA");
  command->add_option("-o,--output", options->file, "Predictor file to write")
      ->required()
      ->type_name("PREDICTOR");
  options->fit.add_to(*command);
  command
      ->add_option("--from", options->from,
                   "Adapt this predictor of another device instead of starting anew")
      ->type_name("PREDICTOR");
  command
      ->add_option("--runs", options->runs,
                   "With --from: use the N runs that tell most, and name the N that would help "
                   "most next")
      ->type_name("N")
      ->check([](const std::string& text) {
        return text.find_first_not_of('0') == std::string::npos ? "give 1 or more runs" : "";
      })
      ->needs("--from");
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
