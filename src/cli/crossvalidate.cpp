#include <iostream>
#include <memory>

#include "base/progress.hpp"
#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/format_option.hpp"
#include "cli/output.hpp"
#include "cli/predict_options.hpp"
#include "report/kept_folds.hpp"
#include "report/predict_report.hpp"
#include "report/training_data.hpp"

namespace jouletree::cli {
namespace {

struct CrossvalidateCommand {
  std::vector<std::string> data;
  LeaveOut leave_out = LeaveOut::Model;
  FitOptions fit;
  bool chose_features = false;
  std::string folder;
  Format format = Format::Table;
};

constexpr const char* kCrossvalidateFooter =
    "Example:\n"
    "  jouletree crossvalidate device.jsonl --leave-out family\n"
    "\n"
    "Each model (family, sequence length, …) is left out once, predicted by a predictor that has\n"
    "not seen it, and compared with what was measured. Intervals are made from the other models\n"
    "alone.";

void print(const CrossvalidateCommand& options, const CrossValidation& report) {
  for (const std::string& warning : report.warnings) warn(warning);
  if (options.format == Format::Json) {
    report::print_crossvalidation_json(report, std::cout);
  } else {
    report::print_crossvalidation_table(report, std::cout);
  }
  finish_output();
}

void run(const CrossvalidateCommand& options) {
  TrainOptions settled = options.fit.settled();
  const std::vector<TreeRun> runs = report::read_training_data(
      options.data, settled, warn, options.fit.place, options.fit.tables);
  if (!options.chose_features) settled.features = features_of_predictions(runs);
  std::optional<report::KeptFolds> kept;
  if (!options.folder.empty()) kept.emplace(options.folder, runs);
  const FoldKeeper keep = [&](const KeptFold& fold) { kept->write(fold); };
  const CrossValidation report = store::of_data(options.data, runs, [&] {
    StagedProgress shown;
    return crossvalidate(
        runs, options.leave_out, settled,
        [&](std::size_t done, std::size_t total) { shown.tell("cross-validation", done, total); },
        kept ? keep : FoldKeeper());
  });
  write_and_show(
      [&] {
        if (kept) kept->write_report(report);
      },
      [&](Written) { print(options, report); });
}

}  // namespace

void add_crossvalidate(CLI::App& app) {
  const auto options = std::make_shared<CrossvalidateCommand>();
  CLI::App* command = app.add_subcommand(
      "crossvalidate", "Check how well a predictor does on models that it has not seen");
  command->footer(kCrossvalidateFooter);
  command->add_option("data", options->data, kDataHelp)->required()->type_name("DATA");
  add_choice<LeaveOut>(*command, "--leave-out", options->leave_out,
                       {{"model", LeaveOut::Model},
                        {"family", LeaveOut::Family},
                        {"seq", LeaveOut::Sequence},
                        {"batch", LeaveOut::Batch},
                        {"device", LeaveOut::Device}},
                       "What is left out together (default: model)");
  options->fit.add_to(*command);
  command->get_option("--features")
      ->description(
          "What to predict from: nothing measured (specs, the default), as for a model that never "
          "ran; measured time and GPU energy of operators (leaves), and of the children of a "
          "module "
          "(all)");
  command
      ->add_option("-o,--output", options->folder,
                   "New folder for the predictor, the predictions and the errors of every fold")
      ->type_name("DIR");
  add_format(*command, options->format);
  command->callback([options, command] {
    options->chose_features = command->count("--features") > 0;
    run(*options);
  });
}

}  // namespace jouletree::cli
