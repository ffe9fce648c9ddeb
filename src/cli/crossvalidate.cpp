#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text_table.hpp"
#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "jouletree/error.hpp"
#include "jouletree/predict.hpp"

namespace jouletree::cli {
namespace {
enum class Format { Table, Json };
struct CrossvalidateOptions {
  std::string data;
  LeaveOut leave_out = LeaveOut::Model;
  TrainOptions train;
  Format format = Format::Table;
};

std::string cell(const std::optional<double>& v) { return v ? fmt::format("{:.2f}", *v) : "–"; }

void run(const CrossvalidateOptions& options) {
  const TreeRuns data = read_tree_file(options.data);
  const CrossValidation report = crossvalidate(data.runs, options.leave_out, options.train);
  TextTable table({{"left out", TextTable::Align::Left},
                   {"ml"},
                   {"module"},
                   {"model"},
                   {"tml"},
                   {"tmodule"},
                   {"tmodel"},
                   {"cml"},
                   {"cmodule"},
                   {"cmodel"}});
  const auto row = [&](const std::string& n, const LevelErrors& a, const LevelErrors& b,
                       const LevelErrors& c) {
    table.add_row({n, cell(a.ml), cell(a.module), cell(a.model), cell(b.ml), cell(b.module),
                   cell(b.model), cell(c.ml), cell(c.module), cell(c.model)});
  };
  for (const Fold& fold : report.folds) row(fold.left_out, fold.energy, fold.time, fold.coverage);
  row("overall", report.energy, report.time, report.coverage);
  row("width", report.width, {}, {});
  table.print(std::cout);
}
}  // namespace

void add_crossvalidate(CLI::App& app) {
  const auto options = std::make_shared<CrossvalidateOptions>();
  CLI::App* command = app.add_subcommand("crossvalidate", "x");
  command->add_option("data", options->data, "Tree file")->required()->type_name("DATA");
  add_choice<LeaveOut>(*command, "--leave-out", options->leave_out,
                       {{"model", LeaveOut::Model},
                        {"family", LeaveOut::Family},
                        {"seq", LeaveOut::Sequence},
                        {"batch", LeaveOut::Batch},
                        {"device", LeaveOut::Device}},
                       "What to leave out");
  add_choice<FeatureSet>(
      *command, "--features", options->train.features,
      {{"all", FeatureSet::All}, {"leaves", FeatureSet::Leaves}, {"specs", FeatureSet::Specs}},
      "What");
  command->callback([options] { run(*options); });
}
}  // namespace jouletree::cli
