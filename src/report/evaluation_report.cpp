#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text_table.hpp"
#include "report/error_statistics.hpp"
#include "report/predict_report.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

/// Two decimals at most: 3.4 stays 3.4.
double rounded(double number) { return std::round(number * 100) / 100; }

Json rounded_levels_json(const LevelErrors& errors) {
  Json json = Json::object();
  if (errors.ml) json["ml"] = rounded(*errors.ml);
  if (errors.module) json["module"] = rounded(*errors.module);
  if (errors.model) json["model"] = rounded(*errors.model);
  return json;
}

std::string error_cell(const std::optional<double>& number) {
  return number ? fmt::format("{:.2f}", *number) : "–";
}

}  // namespace

void print_evaluation(const Evaluation& evaluation, bool detail, std::ostream& out) {
  out << "Percentage Error Results:\n" << rounded_levels_json(evaluation.errors).dump(4) << "\n\n";
  print_error_statistics({{"energy", evaluation.statistics}}, out);
  if (!detail) return;
  out << '\n';
  TextTable types({{"type", TextTable::Align::Left},
                   {"level", TextTable::Align::Left},
                   {"nodes"},
                   {"error %"}});
  for (const TypeError& type : evaluation.types) {
    types.add_row({type.type.empty() ? "–" : printable(type.type), std::string(name_of(type.level)),
                   fmt::format("{}", type.nodes), fmt::format("{:.2f}", type.error)});
  }
  types.print(out);
  out << '\n';
  TextTable models({{"model", TextTable::Align::Left}, {"ml"}, {"module"}, {"model"}});
  for (const auto& [name, errors] : evaluation.models) {
    models.add_row({printable(name), error_cell(errors.ml), error_cell(errors.module),
                    error_cell(errors.model)});
  }
  models.print(out);
}

void print_evaluation_json(const Evaluation& evaluation, std::ostream& out) {
  Json json;
  json["errors"] = rounded_levels_json(evaluation.errors);
  json["statistics"] = {{"energy", error_statistics_json(evaluation.statistics)}};
  Json& types = json["types"] = Json::array();
  for (const TypeError& type : evaluation.types) {
    types.push_back({{"type", type.type},
                     {"level", name_of(type.level)},
                     {"nodes", type.nodes},
                     {"error", rounded(type.error)}});
  }
  Json& models = json["models"] = Json::array();
  for (const auto& [name, errors] : evaluation.models) {
    Json entry;
    entry["model"] = name;
    entry.update(rounded_levels_json(errors));
    models.push_back(std::move(entry));
  }
  json["warnings"] = evaluation.warnings;
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree::report
