#include "report/kept_folds.hpp"

#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "base/csv.hpp"
#include "base/replaced_file.hpp"
#include "jouletree/error.hpp"
#include "report/predict_report.hpp"

namespace jouletree::report {
namespace {

namespace fs = std::filesystem;

/// A part of a path, whatever a model is called.
std::string folder_name(std::size_t number, const std::string& left_out) {
  constexpr std::size_t kLongest = 60;
  std::string name = fmt::format("{:02}-", number);
  for (const char letter : left_out) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' ||
                          letter == '_' || letter == '.';
    name += is_plain ? letter : '-';
  }
  return name.substr(0, kLongest);
}

void make_folder(const fs::path& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: cannot be made: {}; name another folder with -o", folder.string(),
                            problem.message()));
  }
}

struct Measured {
  const char* key;
  const char* unit;
  std::optional<double> RunNode::*truth;
  std::optional<double> NodePrediction::*value;
  std::optional<Range> NodePrediction::*range;
};
constexpr Measured kMeasured[] = {
    {"energy", "j", &RunNode::energy_j, &NodePrediction::energy_j, &NodePrediction::energy_range},
    {"time", "s", &RunNode::time_s, &NodePrediction::time_s, &NodePrediction::time_range}};

void add_row(const TreeRun& run, const RunNode& node, const NodePrediction& predicted,
             CsvSheet& sheet) {
  sheet.begin_row();
  sheet.set("model", run.model);
  sheet.set("batch_size", run.batch);
  sheet.set("seq_len", run.sequence);
  sheet.set("id", node.id);
  sheet.set("level", std::string(name_of(node.level)));
  sheet.set("type", node.type);
  for (const Measured& measured : kMeasured) {
    const auto& truth = node.*measured.truth;
    const auto& value = predicted.*measured.value;
    const auto& range = predicted.*measured.range;
    const auto column = [&](const char* what) {
      return fmt::format("{}{}_{}", what, measured.key, measured.unit);
    };
    sheet.set(column("true_"), truth);
    sheet.set(column("predicted_"), value);
    sheet.set(column("low_"), range ? std::optional(range->low) : std::nullopt);
    sheet.set(column("high_"), range ? std::optional(range->high) : std::nullopt);
    const bool has_error = truth && value;
    sheet.set(fmt::format("{}_error_percent", measured.key),
              has_error ? std::optional(100 * (*value - *truth) / *truth) : std::nullopt);
  }
}

}  // namespace

KeptFolds::KeptFolds(fs::path folder, const std::vector<TreeRun>& runs)
    : folder_(std::move(folder)), runs_(runs) {
  std::error_code problem;
  const bool exists = fs::exists(folder_, problem);
  if (exists && (!fs::is_directory(folder_, problem) || !fs::is_empty(folder_, problem))) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: is there already and not empty; name a new folder with -o",
                            folder_.string()));
  }
  make_folder(folder_);
}

void KeptFolds::write(const KeptFold& fold) {
  const fs::path folder = folder_ / folder_name(++written_, fold.left_out);
  make_folder(folder);
  replace_file(folder / "predictor.json", fold.predictor.text());
  CsvSheet sheet;
  for (std::size_t i = 0; i < fold.runs.size(); ++i) {
    const TreeRun& run = runs_[fold.runs[i]];
    for (std::size_t n = 0; n < run.nodes.size(); ++n)
      add_row(run, run.nodes[n], fold.predictions[i][n], sheet);
  }
  std::ostringstream text;
  sheet.print(text);
  replace_file(folder / "predictions.csv", text.str());
}

void KeptFolds::write_report(const CrossValidation& report) const {
  std::ostringstream text;
  print_crossvalidation_json(report, text);
  replace_file(folder_ / "crossvalidation.json", text.str());
}

}  // namespace jouletree::report
