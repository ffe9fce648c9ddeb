#include <functional>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/number_format.hpp"
#include "base/text_table.hpp"
#include "jouletree/provenance.hpp"
#include "report/predict_report.hpp"

namespace jouletree {
namespace {

using Json = nlohmann::ordered_json;

/// "4.05 J", "303 µs": three digits and a prefix.
std::string quantity(double number, const char* unit) {
  static constexpr std::pair<double, const char*> kPrefixes[] = {
      {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
  for (const auto& [factor, prefix] : kPrefixes)
    if (number >= factor) return fmt::format("{:.3g} {}{}", number / factor, prefix, unit);
  return fmt::format("{:.3g} {}", number, unit);
}

std::string cell(const std::optional<double>& number, const char* unit) {
  return number ? quantity(*number, unit) : "–";
}

std::string cell(const std::optional<Range>& range, const char* unit) {
  if (!range) return "–";
  return quantity(range->low, unit) + " to " + quantity(range->high, unit);
}

std::string last_part(const std::string& scope) {
  const std::size_t dot = scope.rfind('.');
  return dot == std::string::npos ? scope : scope.substr(dot + 1);
}

std::string size_text(const TreeRun& run) {
  std::string text;
  if (run.batch) text += fmt::format("batch {}", *run.batch);
  if (run.sequence) text += fmt::format("{}sequence {}", text.empty() ? "" : ", ", *run.sequence);
  return text;
}

std::vector<std::string> cells_of(std::string name, const std::string& type,
                                  const NodePrediction& node) {
  return {std::move(name),           printable(type),
          cell(node.energy_j, "J"),  cell(node.energy_range, "J"),
          cell(node.time_s, "s"),    cell(node.time_range, "s"),
          cell(node.power_w(), "W"), node.beyond_training ? "beyond training data" : ""};
}

std::vector<TextTable::Column> columns(const char* first, const char* second) {
  return {{first, TextTable::Align::Left},
          {second, TextTable::Align::Left, TextTable::Fit::Whole},
          {"energy"},
          {"interval"},
          {"time"},
          {"interval"},
          {"power"},
          {"", TextTable::Align::Left}};
}

Json metric(const std::optional<double>& value, const std::optional<Range>& range,
            const char* unit) {
  Json json;
  json["value"] = value ? Json(*value) : Json(nullptr);
  json["unit"] = unit;
  json["provenance"] = name_of(Provenance::Predicted);
  if (range) {
    json["low"] = range->low;
    json["high"] = range->high;
  }
  return json;
}

Json metrics(const NodePrediction& node, Provenance learned_from) {
  Json json = {{"energy_j", metric(node.energy_j, node.energy_range, "J")},
               {"time_s", metric(node.time_s, node.time_range, "s")},
               {"power_w", metric(node.power_w(), std::nullopt, "W")}};
  if (node.energy_j) json["energy_j"]["learned_from"] = name_of(learned_from);
  return json;
}

/// An estimate must not become a measurement by way of a prediction.
void note_estimate(const PredictedRun& predicted, std::ostream& out) {
  if (predicted.learned_from == Provenance::Estimated && predicted.nodes.front().energy_j)
    out << "\nEnergy and power were learned from estimated, not measured energies.\n";
}

}  // namespace

void print_prediction_tree(const PredictedRun& predicted, int depth, std::ostream& out) {
  const TreeRun& run = predicted.run;
  out << printable(run.model);
  if (const std::string size = size_text(run); !size.empty()) out << " (" << size << ")";
  out << ", predicted from " << name_of(predicted.features) << "\n\n";
  TextTable table(columns("module", "type"));
  const std::function<void(std::size_t, int)> add = [&](std::size_t index, int level) {
    const RunNode& node = run.nodes[index];
    const std::string name = index == 0 ? run.model : last_part(node.scope);
    table.add_row(cells_of(std::string(2 * static_cast<std::size_t>(level), ' ') + printable(name),
                           node.type, predicted.nodes[index]));
    if (level >= depth) return;
    for (const std::size_t child : node.children) add(child, level + 1);
  };
  add(0, 0);
  table.print(out);
  note_estimate(predicted, out);
}

void print_prediction_totals(const std::vector<PredictedRun>& predicted, std::ostream& out) {
  TextTable table(columns("model", "inputs"));
  for (const PredictedRun& one : predicted)
    table.add_row(cells_of(printable(one.run.model), size_text(one.run), one.nodes.front()));
  table.print(out);
  if (!predicted.empty()) note_estimate(predicted.front(), out);
}

void print_prediction_json(const std::vector<PredictedRun>& predicted, std::ostream& out) {
  Json json;
  Json& runs = json["runs"] = Json::array();
  for (const PredictedRun& one : predicted) {
    Json run;
    run["model"] = one.run.model;
    run["batch_size"] = one.run.batch ? Json(*one.run.batch) : Json(nullptr);
    run["seq_len"] = one.run.sequence ? Json(*one.run.sequence) : Json(nullptr);
    run["features"] = name_of(one.features);
    run["metrics"] = metrics(one.nodes.front(), one.learned_from);
    run["beyond_training"] = one.nodes.front().beyond_training;
    Json& nodes = run["nodes"] = Json::array();
    for (std::size_t i = 0; i < one.nodes.size(); ++i) {
      nodes.push_back({{"id", one.run.nodes[i].id},
                       {"type", one.run.nodes[i].type},
                       {"level", name_of(one.run.nodes[i].level)},
                       {"metrics", metrics(one.nodes[i], one.learned_from)},
                       {"beyond_training", one.nodes[i].beyond_training}});
    }
    runs.push_back(std::move(run));
  }
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree
