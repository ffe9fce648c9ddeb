#include "report/model_rows.hpp"

#include <atomic>
#include <exception>
#include <ostream>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/csv.hpp"
#include "base/json_or_null.hpp"
#include "report/prediction_subject.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

std::vector<ModelRow> rows_of(const Predictor& predictor, const std::string& subject,
                              const RowSettings& settings) {
  std::vector<std::string> warnings;
  const auto warn = [&](const std::string& text) { warnings.push_back(text); };
  const Runner runner = settings.as_written ? Runner::Nobody : runner_for(predictor.info());
  const SubjectPrediction prediction(predictor, settings.predictor_name,
                                     read_subject(subject, settings.inputs, runner, warn,
                                                  {settings.zoo_settings, predictor.info().layout}),
                                     settings.features);
  warnings.insert(warnings.end(), prediction.warnings().begin(), prediction.warnings().end());
  std::vector<ModelRow> rows;
  for (const PredictedRun& one : prediction.runs()) {
    rows.push_back({subject,
                    one.run.model,
                    one.run.batch,
                    one.run.sequence,
                    one.nodes.front(),
                    one.foreign.has_value(),
                    "",
                    {}});
  }
  rows.front().warnings = std::move(warnings);
  return rows;
}

/// Messages name the subject; rows do so anyway.
std::string without_name(const std::string& message, const std::string& subject) {
  const std::string prefix = subject + ": ";
  return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

std::vector<ModelRow> rows_or_problem(const Predictor& predictor, const std::string& subject,
                                      const RowSettings& settings) {
  ModelRow failed;
  failed.subject = subject;
  try {
    return rows_of(predictor, subject, settings);
  } catch (const std::exception& problem) {
    failed.problem = without_name(problem.what(), subject);
  }
  return {failed};
}

struct Cell {
  const char* key;
  std::optional<double> value;
};

/// Numbers of a row, in the order in which files have them.
std::vector<Cell> numbers_of(const ModelRow& row) {
  const auto low = [](const std::optional<Range>& range) {
    return range ? std::optional(range->low) : std::nullopt;
  };
  const auto high = [](const std::optional<Range>& range) {
    return range ? std::optional(range->high) : std::nullopt;
  };
  const NodePrediction& root = row.root;
  return {{"batch_size", row.batch},
          {"seq_len", row.sequence},
          {"energy_j", root.energy_j},
          {"energy_low_j", low(root.energy_range)},
          {"energy_high_j", high(root.energy_range)},
          {"time_s", root.time_s},
          {"time_low_s", low(root.time_range)},
          {"time_high_s", high(root.time_range)},
          {"power_w", root.power_w()}};
}

Json row_json(const ModelRow& row, const PredictorUse& use) {
  Json json;
  json["subject"] = row.subject;
  json["model"] = text_or_null(row.model);
  for (const Cell& cell : numbers_of(row)) json[cell.key] = or_null(cell.value);
  const bool is_predicted = row.problem.empty();
  json["beyond_training"] = is_predicted ? Json(row.root.beyond_training) : Json(nullptr);
  json["foreign_operators"] = is_predicted ? Json(row.foreign) : Json(nullptr);
  Json& warnings = json["warnings"] = row.warnings;
  if (!use.warning.empty()) warnings.push_back(use.warning);
  json["problem"] = text_or_null(row.problem);
  return json;
}

std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::vector<ModelRow> predict_rows(const Predictor& predictor,
                                   const std::vector<std::string>& subjects,
                                   const RowSettings& settings, const RowProgress& progress) {
  std::vector<std::vector<ModelRow>> found(subjects.size());
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> done = 0;
  const auto work = [&](bool tells) {
    for (std::size_t i = next++; i < subjects.size(); i = next++) {
      found[i] = rows_or_problem(predictor, subjects[i], settings);
      ++done;
      if (tells && progress) progress(done, subjects.size());
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t count =
        std::min<std::size_t>(subjects.size(), std::max(1U, std::thread::hardware_concurrency()));
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work, false);
    work(true);
  }
  std::vector<ModelRow> rows;
  rows.reserve(subjects.size());
  for (std::vector<ModelRow>& some : found)
    rows.insert(rows.end(), std::make_move_iterator(some.begin()),
                std::make_move_iterator(some.end()));
  return rows;
}

void print_rows_csv(const std::vector<ModelRow>& rows, std::ostream& out) {
  CsvSheet sheet;
  for (const ModelRow& row : rows) {
    sheet.begin_row();
    sheet.set("subject", row.subject);
    sheet.set("model", row.model);
    for (const Cell& cell : numbers_of(row)) sheet.set(cell.key, cell.value);
    const auto word = [&](bool is_so) {
      return std::string(!row.problem.empty() ? "" : is_so ? "true" : "false");
    };
    sheet.set("beyond_training", word(row.root.beyond_training));
    sheet.set("foreign_operators", word(row.foreign));
    sheet.set("problem", row.problem);
  }
  sheet.print(out);
}

void print_rows_jsonl(const std::vector<ModelRow>& rows, std::ostream& out,
                      const PredictorUse& use) {
  for (const ModelRow& row : rows) out << text_of(row_json(row, use), -1) << '\n';
}

void print_rows_json(const std::vector<ModelRow>& rows, std::ostream& out,
                     const PredictorUse& use) {
  Json json;
  json["predictor"] = use_json(use);
  Json& models = json["models"] = Json::array();
  for (const ModelRow& row : rows) models.push_back(row_json(row, use));
  out << text_of(json, 1) << '\n';
}

}  // namespace jouletree::report
