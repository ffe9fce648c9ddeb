#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "base/text_table.hpp"
#include "base/wrapped_text.hpp"
#include "report/error_statistics.hpp"
#include "report/predict_report.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

std::string cell(const std::optional<double>& number) {
  return number ? fmt::format("{:.2f}", *number) : "–";
}

bool has_any(const LevelErrors& errors) { return errors.ml || errors.module || errors.model; }

/// Rows of models, or of types of operators.
struct Rows {
  const char* title;
  const std::vector<Fold>& folds;
  bool are_types;

  explicit Rows(const CrossValidation& report)
      : title(report.operator_types.empty() ? "left out" : "operator type"),
        folds(report.operator_types.empty() ? report.folds : report.operator_types),
        are_types(!report.operator_types.empty()) {}
};

void print_errors(const CrossValidation& report, const std::string& title,
                  LevelErrors Fold::*of_fold, const LevelErrors& overall, std::ostream& out) {
  if (!has_any(overall)) return;
  const Rows rows(report);
  out << title << '\n';
  std::vector<TextTable::Column> columns = {{rows.title, TextTable::Align::Left}};
  if (rows.are_types) {
    columns.insert(columns.end(), {{"operators"}, {"ml"}});
  } else {
    columns.insert(columns.end(), {{"ml"}, {"module"}, {"model"}});
  }
  TextTable table(columns);
  std::size_t operators = 0;
  const auto add = [&](const std::string& name, const LevelErrors& errors, std::size_t count) {
    if (rows.are_types) {
      table.add_row(
          {printable(name), with_separators(static_cast<std::int64_t>(count)), cell(errors.ml)});
    } else {
      table.add_row({printable(name), cell(errors.ml), cell(errors.module), cell(errors.model)});
    }
  };
  for (const Fold& fold : rows.folds) {
    add(fold.left_out, fold.*of_fold, fold.operators);
    operators += fold.operators;
  }
  add("overall", overall, operators);
  table.print(out);
}

/// What the tables below mean, before anybody reads them.
void print_terms(const CrossValidation& report, std::ostream& out) {
  if (!report.operator_types.empty())
    out << "Operators measured by themselves: a tenth of them is left out at a time.\n";
  out << fmt::format("A prediction may look at (--features {}): {}.\n", name_of(report.features),
                     looked_at(report.features));
  if (report.features != FeatureSet::Specs) {
    out << "For models that never ran, none of that is known: see --features specs.\n";
  } else if (report.has_measured_times) {
    out << "The data also hold measured times of operators: --features leaves and --features all "
           "say how well energies of models follow that ran.\n";
  }
  if (report.operators_in_training > 0) {
    out << fmt::format("{} measured by themselves {} used for training and never left out.\n",
                       number_of(report.operators_in_training, "operator"),
                       agreeing(report.operators_in_training, "is", "are"));
  }
  if (report.operator_types.empty())
    out << "ml: operators; module: parts of models; model: whole models.\n";
  out << '\n';
}

/// Empty where there are no numbers, so that a reader finds no null where a level is missing.
Json levels_json(const LevelErrors& errors) {
  const auto number = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  return {{"ml", number(errors.ml)},
          {"module", number(errors.module)},
          {"model", number(errors.model)}};
}

Json statistics_json(const LevelStatistics& energy, const LevelStatistics& time) {
  return {{"energy", error_statistics_json(energy)}, {"time", error_statistics_json(time)}};
}

Json folds_json(const std::vector<Fold>& folds, const char* key) {
  Json json = Json::array();
  for (const Fold& fold : folds) {
    Json entry;
    entry[key] = fold.left_out;
    if (fold.operators > 0) entry["operators"] = fold.operators;
    entry.update(levels_json(fold.energy));
    if (has_any(fold.time)) entry["time"] = levels_json(fold.time);
    if (has_any(fold.coverage)) entry["coverage"] = levels_json(fold.coverage);
    entry["statistics"] = statistics_json(fold.energy_statistics, fold.time_statistics);
    json.push_back(std::move(entry));
  }
  return json;
}

}  // namespace

void print_crossvalidation_table(const CrossValidation& report, std::ostream& out) {
  const WrappedText wrapped(out);
  print_terms(report, out);
  const bool is_estimate = report.energy_provenance == Provenance::Estimated;
  print_errors(report,
               fmt::format("Energy{}: mean absolute error in per cent",
                           is_estimate ? " (the true ones are estimates, not measured)" : ""),
               &Fold::energy, report.energy, out);
  if (has_any(report.energy) && has_any(report.time)) out << '\n';
  print_errors(report, "Time: mean absolute error in per cent", &Fold::time, report.time, out);
  out << "\nAll values taken together; large folds count more than in the tables above\n";
  print_error_statistics({{"energy", report.energy_statistics}, {"time", report.time_statistics}},
                         out);
  if (!has_any(report.coverage)) return;
  out << '\n';
  print_errors(report,
               fmt::format("{} inside their {:g} % interval, in per cent",
                           is_estimate ? "Estimated energies" : "Energies", 100 * report.level),
               &Fold::coverage, report.coverage, out);
  if (report.operator_types.empty()) {
    out << fmt::format("Mean width of the intervals: ml {} %, module {} %, model {} %\n",
                       cell(report.width.ml), cell(report.width.module), cell(report.width.model));
  } else {
    out << fmt::format("Mean width of the intervals: {} %\n", cell(report.width.ml));
  }
}

void print_crossvalidation_json(const CrossValidation& report, std::ostream& out) {
  Json json;
  json["method"] = report.method;
  json["features"] = name_of(report.features);
  json["predictions_look_at"] = looked_at(report.features);
  json["energy_provenance"] = name_of(report.energy_provenance);
  json["folds"] = folds_json(report.folds, "left_out");
  if (!report.operator_types.empty())
    json["operator_types"] = folds_json(report.operator_types, "type");
  if (report.operators_in_training > 0)
    json["operators_in_training"] = report.operators_in_training;
  json["overall"] = levels_json(report.energy);
  if (has_any(report.time)) json["overall_time"] = levels_json(report.time);
  json["statistics"] = statistics_json(report.energy_statistics, report.time_statistics);
  json["intervals"] = {{"level", report.level},
                       {"coverage", levels_json(report.coverage)},
                       {"width", levels_json(report.width)}};
  json["warnings"] = report.warnings;
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree::report
