#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "base/replaced_file.hpp"
#include "cli/command.hpp"
#include "cli/predict_options.hpp"
#include "jouletree/error.hpp"

namespace jouletree::cli {
namespace {

struct TrainCommand {
  std::string data;
  std::string file;
  std::string from;
  std::size_t runs = 0;
  FitOptions fit;
};

constexpr const char* kFooter =
    "Example:\n"
    "  jouletree train profiles.jsonl -o machine.json\n"
    "  jouletree train few_runs.jsonl --from machine.json --runs 3 -o other_machine.json\n"
    "\n"
    "DATA is a tree file with measured times or energies, or a CSV with one operator per row.";

std::string run_text(const TreeRun& run) {
  std::string text = run.model;
  if (run.batch) text += fmt::format(", batch {}", *run.batch);
  if (run.sequence) text += fmt::format(", sequence {}", *run.sequence);
  return text;
}

/// Takes the runs that tell most and names those that would help most beside them.
Predictor adapt(const TrainCommand& options, const std::vector<TreeRun>& runs) {
  const Predictor other = Predictor::read(options.from);
  std::vector<std::size_t> measured;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (runs[i].nodes.front().energy_j || runs[i].nodes.front().time_s) measured.push_back(i);
  if (measured.empty()) throw Error(ErrorKind::BadInput, "no run is measured");
  std::vector<TreeRun> candidates;
  candidates.reserve(measured.size());
  for (const std::size_t i : measured) candidates.push_back(runs[i]);
  const std::size_t count = options.runs == 0 ? candidates.size() : options.runs;
  std::vector<TreeRun> used;
  std::vector<std::size_t> places;
  for (const std::size_t i : most_informative(candidates, {}, count)) {
    used.push_back(candidates[i]);
    places.push_back(measured[i]);
  }
  Predictor adapted = Predictor::adapt(other, used);
  for (const TreeRun& run : used) std::cerr << "jouletree: adapted to " << run_text(run) << '\n';
  for (const std::size_t i : most_informative(runs, places, options.runs))
    std::cerr << "jouletree: would help most next: " << run_text(runs[i]) << '\n';
  return adapted;
}

void run(const TrainCommand& options) {
  const std::vector<TreeRun> runs = read_data(options.data);
  const TrainOptions settled = options.fit.settled();
  const Predictor predictor = of_file(options.data, [&] {
    return options.from.empty() ? Predictor::train(runs, settled) : adapt(options, runs);
  });
  ReplacedFile file(options.file);
  file.write(predictor.text());
  file.commit();
  const PredictorInfo& info = predictor.info();
  std::cout << fmt::format("{}: {} trained on {} runs of {} models ({} nodes)\n", options.file,
                           name_of(info.method), info.runs, info.models.size(), info.nodes);
  if (info.models.size() < 2) warn("intervals need at least two models; this predictor gives none");
  finish_output();
}

}  // namespace

void add_train(CLI::App& app) {
  const auto options = std::make_shared<TrainCommand>();
  CLI::App* command =
      app.add_subcommand("train", "Learn from measured models to predict models that never ran");
  command->footer(kFooter);
  command->add_option("data", options->data, "Tree file or per-operator CSV")
      ->required()
      ->type_name("DATA");
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
      ->needs("--from");
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
