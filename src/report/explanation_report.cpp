#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text_table.hpp"
#include "base/wrapped_text.hpp"
#include "report/predict_report.hpp"

namespace jouletree::report {
namespace {

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

}  // namespace

void print_explanations(const std::vector<Explanation>& lines, bool of_node,
                        const std::vector<FeatureRange>& ranges, std::ostream& out) {
  const WrappedText wrapped(out);
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
  if (!ranges.empty()) print_ranges(ranges, out);
}

void print_explanations_json(const std::vector<Explanation>& lines,
                             const std::vector<FeatureRange>& ranges, std::ostream& out) {
  using Json = nlohmann::ordered_json;
  Json json;
  Json& terms = json["terms"] = Json::array();
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
  Json& trained = json["trained_ranges"] = Json::array();
  for (const FeatureRange& line : ranges) {
    trained.push_back({{"of", line.of},
                       {"feature", line.feature},
                       {"unit", line.unit},
                       {"low", line.range.low},
                       {"high", line.range.high}});
  }
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree::report
