#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "base/replaced_file.hpp"
#include "cli/command.hpp"
#include "cli/measured_data.hpp"
#include "cli/predict_options.hpp"
#include "jouletree/error.hpp"

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
    "Example:\n"
    "  jouletree train profiles/ -o machine.json\n"
    "  jouletree train resnet18/ bert/ runs.jsonl -o machine.json\n"
    "  jouletree train few_runs.jsonl --from machine.json --runs 3 -o other_machine.json\n"
    "\n"
    "DATA are tree files with measured times or energies of operators, CSVs with one operator per\n"
    "row, and folders that 'jouletree profile -o' wrote or above such folders.";

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

/// Whole models that were measured without their operators say nothing that can be learned.
void drop_what_teaches_nothing(std::vector<TreeRun>& runs) {
  const auto teaches = [](const TreeRun& run) { return teaches_operators(run); };
  if (std::none_of(runs.begin(), runs.end(), teaches)) return;  // refused with the reason
  std::map<std::string, std::size_t> dropped;
  for (const TreeRun& run : runs)
    if (!teaches(run)) ++dropped[run.file];
  for (const auto& [file, count] : dropped) {
    warn(fmt::format("{}: {} without measured operators {} nothing and {} left out", file,
                     number_of(count, "run"), agreeing(count, "teaches", "teach"),
                     agreeing(count, "is", "are")));
  }
  std::erase_if(runs, [&](const TreeRun& run) { return !teaches(run); });
}

void report(const TrainCommand& options, const Predictor& predictor,
            const std::vector<TreeRun>& runs) {
  const PredictorInfo& info = predictor.info();
  std::cout << fmt::format("{}: {} trained on {} of {} ({})\n", options.file, info.method,
                           number_of(info.runs, "run"), number_of(info.models.size(), "model"),
                           number_of(info.nodes, "node"));
  if (info.models.size() < 2) warn("intervals need at least two models; this predictor gives none");
  if (!teaches_specs(runs)) {
    warn(
        "no measured operator has flops and mem_bytes: this predictor fills measured data, but "
        "cannot predict models that never ran");
  }
}

void run(const TrainCommand& options) {
  std::vector<TreeRun> runs = read_data(options.data);
  const TrainOptions settled = options.fit.settled();
  if (options.from.empty()) drop_what_teaches_nothing(runs);
  const Predictor predictor = of_data(options.data, runs, [&] {
    return options.from.empty() ? Predictor::train(runs, settled) : adapt(options, runs);
  });
  ReplacedFile file(options.file);
  file.write(predictor.text());
  file.commit();
  report(options, predictor, runs);
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
      ->needs("--from");
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
