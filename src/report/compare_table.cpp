#include <ostream>

#include <fmt/format.h>

#include "base/number_format.hpp"
#include "base/text_table.hpp"
#include "report/compare_report.hpp"
#include "report/input_shapes.hpp"
#include "report/metric_text.hpp"
#include "report/si_text.hpp"
#include "report/type_differences.hpp"

namespace jouletree::report {
namespace {

using Align = TextTable::Align;

std::string figure_text(const MeasuredFigure* figure) {
  if (figure == nullptr) return "–";
  if (!figure->value) return "unknown";
  const std::string unit = figure->unit == "1/s" ? "/s" : figure->unit;
  return fmt::format("{} ({})", si_text(*figure->value, unit), figure->provenance);
}

std::string figure_comparison(const MeasuredFigure* first, const MeasuredFigure* other) {
  if (first == nullptr || other == nullptr) return "";
  const ComparedFigure compared = compare_figures(first, other);
  if (!compared.ratio || compared.verdict == "same") return compared.verdict;
  const std::string ratio = fmt::format("× {:.2f}", *compared.ratio);
  if (compared.verdict == "different") return ratio;
  return fmt::format("{}{} {}", ratio, compared.verdict == "intervals overlap" ? "," : "",
                     compared.verdict);
}

/// Below the counted metrics, what was measured of some of them.
void add_figures(const ComparedModels& models, TextTable& table) {
  const ComparedModel& first = models.models.front();
  for (const MeasuredFigure& figure : figures_of(models)) {
    const MeasuredFigure* const of_first = find_figure(first, figure.name);
    std::vector<std::string> row{figure.title, figure_text(of_first)};
    for (std::size_t i = 1; i < models.models.size(); ++i) {
      const MeasuredFigure* const other = find_figure(models.models[i], figure.name);
      row.push_back(figure_text(other));
      row.push_back(figure_comparison(of_first, other));
    }
    table.add_row(std::move(row));
  }
}

void print_metrics(const ComparedModels& models, std::ostream& out) {
  const ComparedModel& first = models.models.front();
  std::vector<TextTable::Column> columns{{"metric", Align::Left}, {first.label}};
  for (std::size_t i = 1; i < models.models.size(); ++i) {
    columns.push_back({models.models[i].label});
    columns.push_back({"vs " + first.label, Align::Left, TextTable::Fit::Whole});
  }
  TextTable table(columns);
  for (std::size_t which = 0; which < first.metrics.size(); ++which) {
    const Metric& metric = first.metrics[which].entry.metric;
    const MetricValue& value = first.metrics[which].value;
    std::vector<std::string> row{std::string(metric.friendly_name),
                                 short_metric_text(metric, value)};
    for (std::size_t i = 1; i < models.models.size(); ++i) {
      const MetricValue& other = models.models[i].metrics[which].value;
      row.push_back(short_metric_text(metric, other));
      row.push_back(comparison_text(metric, compare_values(metric, value, other)));
    }
    table.add_row(std::move(row));
  }
  add_figures(models, table);
  table.print(out);
}

std::string flops_text(const TypeUse& use) {
  const auto flops = use.totals.flops.value();
  if (!flops) return "?";
  return (use.totals.flops.lower_bound() ? "≥ " : "") + shortened(static_cast<double>(*flops));
}

void print_types(const ComparedModels& models, std::ostream& out) {
  std::vector<std::map<std::string, TypeUse>> types;
  types.reserve(models.models.size());
  for (const ComparedModel& model : models.models) types.push_back(model.types);
  const TypeDifferences differences = type_differences(types);
  out << '\n';
  if (differences.different.empty()) {
    out << "The models use every type of operator alike.\n";
    return;
  }
  std::vector<TextTable::Column> columns{{"operator type", Align::Left}};
  for (const ComparedModel& model : models.models) {
    columns.push_back({model.label + ": count"});
    columns.push_back({"FLOPs"});
    columns.push_back({"params"});
  }
  TextTable table(columns);
  for (const TypeDifference& difference : differences.different) {
    std::vector<std::string> row{difference.type};
    for (const TypeUse& use : difference.uses) {
      row.push_back(with_separators(use.calls));
      row.push_back(flops_text(use));
      row.push_back(with_separators(use.totals.params));
    }
    table.add_row(std::move(row));
  }
  table.print(out);
  if (differences.same > 0) {
    out << fmt::format("({} more {} alike in all models)\n", differences.same,
                       differences.same == 1 ? "type is" : "types are");
  }
}

}  // namespace

void print_compare_table(const ComparedModels& models, bool by_type, std::ostream& out) {
  for (const ComparedModel& model : models.models) {
    out << printable(model.label) << '\n';
    print_inputs(model.inputs, out);
  }
  out << '\n';
  print_metrics(models, out);
  if (by_type) print_types(models, out);
  out << '\n';
  for (const ComparedModel& model : models.models) {
    for (const std::string& note : model.notes)
      out << printable(fmt::format("Note on {}: {}.", model.label, note)) << '\n';
  }
  for (const std::string& note : models.notes) out << printable("Note: " + note) << ".\n";
  print_plugin_notes(models.models.front().metrics, out);
}

}  // namespace jouletree::report
