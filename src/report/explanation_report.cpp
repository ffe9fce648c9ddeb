#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_or_null.hpp"
#include "base/text_table.hpp"
#include "base/wrapped_text.hpp"
#include "report/predict_report.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

void print_ranges(const std::vector<FeatureRange>& ranges, std::ostream& out) {
  out << "\nThe training data end here; predictions beyond are marked.\n\n";
  TextTable table({{"of", TextTable::Align::Left},
                   {"feature", TextTable::Align::Left, TextTable::Fit::Wrap},
                   {"from"},
                   {"to"},
                   {"unit", TextTable::Align::Left}});
  for (const FeatureRange& line : ranges) {
    table.add_row({printable(line.of), line.feature, fmt::format("{:.4g}", line.range.low),
                   fmt::format("{:.4g}", line.range.high), line.unit});
  }
  table.print(out);
}

void print_lines(const std::vector<Explanation>& lines, bool of_node, std::ostream& out) {
  using enum TextTable::Align;
  using Fit = TextTable::Fit;
  std::vector<TextTable::Column> columns = {{"target", Left, Fit::Whole},
                                            {"of", Left},
                                            {"term", Left, Fit::Wrap},
                                            {"price", Right, Fit::Whole, of_node ? 2 : 0},
                                            {"unit", Left, Fit::Wrap, of_node ? 2 : 0}};
  if (of_node) {
    columns.push_back({"amount", Right, Fit::Whole, 3});
    columns.push_back({"cost"});
    columns.push_back({"share %"});
  }
  std::map<std::string, double> totals;
  for (const Explanation& line : lines) totals[line.target] += line.cost;
  TextTable table(columns);
  for (const Explanation& line : lines) {
    std::vector<std::string> cells = {line.target, printable(line.of), line.term,
                                      fmt::format("{:.4g}", line.coefficient), line.unit};
    if (of_node) {
      cells.push_back(fmt::format("{:.4g}", line.amount));
      cells.push_back(fmt::format("{:.4g} {}", line.cost, line.target == "energy" ? "J" : "s"));
      const double total = totals[line.target];
      cells.push_back(total > 0 ? fmt::format("{:.1f}", 100 * line.cost / total) : "");
    }
    table.add_row(std::move(cells));
  }
  table.print(out);
}

Json lines_json(const std::vector<Explanation>& lines) {
  Json terms = Json::array();
  for (const Explanation& line : lines) {
    Json entry = {{"target", line.target},
                  {"of", line.of},
                  {"term", line.term},
                  {"coefficient", line.coefficient},
                  {"unit", line.unit}};
    if (line.cost != 0) {
      entry["amount"] = line.amount;
      entry["cost"] = line.cost;
    }
    terms.push_back(std::move(entry));
  }
  return terms;
}

Json ranges_json(const std::vector<FeatureRange>& ranges) {
  Json all = Json::array();
  for (const FeatureRange& line : ranges) {
    all.push_back({{"of", line.of},
                   {"feature", line.feature},
                   {"unit", line.unit},
                   {"low", line.range.low},
                   {"high", line.range.high}});
  }
  return all;
}

void print_json(const Json& json, std::ostream& out) {
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

/// Where its data are from, and how far it missed what it had not seen.
void print_origin(const PredictorInfo& info, std::ostream& out) {
  const std::string places = places_text(info.measured_on);
  out << "\nWhere it was measured: " << (places.empty() ? "not said" : printable(places)) << '\n';
  if (const std::string from = places_text(info.adapted_from); !from.empty())
    out << "Adapted from a predictor of: " << printable(from) << '\n';
  if (info.median_error) {
    out << fmt::format("Error of models that were left out: {:.1f} % of their time in the median\n",
                       *info.median_error);
  }
}

}  // namespace

void print_predictor(const Predictor& predictor, std::ostream& out) {
  const WrappedText wrapped(out);
  print_lines(predictor.explain(), false, out);
  if (const auto ranges = predictor.trained_ranges(); !ranges.empty()) print_ranges(ranges, out);
  print_origin(predictor.info(), out);
}

void print_predictor_json(const Predictor& predictor, std::ostream& out) {
  const PredictorInfo& info = predictor.info();
  print_json({{"terms", lines_json(predictor.explain())},
              {"trained_ranges", ranges_json(predictor.trained_ranges())},
              {"measured_on", places_json(info.measured_on)},
              {"adapted_from", places_json(info.adapted_from)},
              {"median_error_percent", or_null(info.median_error)}},
             out);
}

void print_explanations(const std::vector<Explanation>& lines, std::ostream& out) {
  const WrappedText wrapped(out);
  print_lines(lines, true, out);
}

void print_explanations_json(const std::vector<Explanation>& lines, std::ostream& out) {
  print_json({{"terms", lines_json(lines)}, {"trained_ranges", Json::array()}}, out);
}

}  // namespace jouletree::report
