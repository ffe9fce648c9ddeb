#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text_table.hpp"
#include "report/predict_report.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

std::string cell(const std::optional<double>& number) {
  return number ? fmt::format("{:.2f}", *number) : "–";
}

bool has_any(const LevelErrors& errors) { return errors.ml || errors.module || errors.model; }

void print_errors(const CrossValidation& report, const char* title, LevelErrors Fold::*of_fold,
                  const LevelErrors& overall, std::ostream& out) {
  if (!has_any(overall)) return;
  out << title << '\n';
  TextTable table({{"left out", TextTable::Align::Left}, {"ml"}, {"module"}, {"model"}});
  const auto add = [&](const std::string& name, const LevelErrors& errors) {
    table.add_row({printable(name), cell(errors.ml), cell(errors.module), cell(errors.model)});
  };
  for (const Fold& fold : report.folds) add(fold.left_out, fold.*of_fold);
  add("overall", overall);
  table.print(out);
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

}  // namespace

void print_crossvalidation_table(const CrossValidation& report, std::ostream& out) {
  print_errors(report, "Energy: mean absolute error in per cent", &Fold::energy, report.energy,
               out);
  if (has_any(report.energy) && has_any(report.time)) out << '\n';
  print_errors(report, "Time: mean absolute error in per cent", &Fold::time, report.time, out);
  if (has_any(report.coverage)) {
    out << '\n';
    print_errors(
        report,
        fmt::format("Energies inside their {:g} % interval, in per cent", 100 * report.level)
            .c_str(),
        &Fold::coverage, report.coverage, out);
    out << fmt::format("Mean width of the intervals: ml {} %, module {} %, model {} %\n",
                       cell(report.width.ml), cell(report.width.module), cell(report.width.model));
  }
  out << fmt::format("\nA prediction may look at (--features {}): {}.\n", name_of(report.features),
                     looked_at(report.features));
}

void print_crossvalidation_json(const CrossValidation& report, std::ostream& out) {
  Json json;
  json["method"] = report.method;
  json["features"] = name_of(report.features);
  json["predictions_look_at"] = looked_at(report.features);
  Json& folds = json["folds"] = Json::array();
  for (const Fold& fold : report.folds) {
    Json entry;
    entry["left_out"] = fold.left_out;
    entry.update(levels_json(fold.energy));
    if (has_any(fold.time)) entry["time"] = levels_json(fold.time);
    if (has_any(fold.coverage)) entry["coverage"] = levels_json(fold.coverage);
    folds.push_back(std::move(entry));
  }
  json["overall"] = levels_json(report.energy);
  if (has_any(report.time)) json["overall_time"] = levels_json(report.time);
  json["intervals"] = {{"level", report.level},
                       {"coverage", levels_json(report.coverage)},
                       {"width", levels_json(report.width)}};
  json["warnings"] = report.warnings;
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree::report
