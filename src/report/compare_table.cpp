#include <ostream>

#include <fmt/format.h>

#include "base/number_format.hpp"
#include "base/text_table.hpp"
#include "report/compare_report.hpp"
#include "report/input_shapes.hpp"
#include "report/metric_text.hpp"
#include "report/type_differences.hpp"

namespace jouletree {
namespace {

using Align = TextTable::Align;

void print_metrics(const ComparedModels& models, std::ostream& out) {
  std::vector<TextTable::Column> columns{{"metric", Align::Left}, {models.labels[0]}};
  for (std::size_t i = 1; i < models.trees.size(); ++i) {
    columns.push_back({models.labels[i]});
    columns.push_back({"vs " + models.labels[0], Align::Left, TextTable::Fit::Whole});
  }
  TextTable table(columns);
  for (std::size_t which = 0; which < models.metrics[0].size(); ++which) {
    const Metric& metric = models.metrics[0][which].entry.metric;
    const MetricValue& first = models.metrics[0][which].value;
    std::vector<std::string> row{std::string(metric.friendly_name),
                                 short_metric_text(metric, first)};
    for (std::size_t i = 1; i < models.trees.size(); ++i) {
      const MetricValue& other = models.metrics[i][which].value;
      row.push_back(short_metric_text(metric, other));
      row.push_back(comparison_text(metric, compare_values(metric, first, other)));
    }
    table.add_row(std::move(row));
  }
  table.print(out);
}

std::string flops_text(const TypeUse& use) {
  const auto flops = use.totals.flops.value();
  if (!flops) return "?";
  return (use.totals.flops.lower_bound() ? "≥ " : "") + shortened(static_cast<double>(*flops));
}

void print_types(const ComparedModels& models, std::ostream& out) {
  const TypeDifferences differences = type_differences(models.trees);
  out << '\n';
  if (differences.different.empty()) {
    out << "The models use every type of operator alike.\n";
    return;
  }
  std::vector<TextTable::Column> columns{{"operator type", Align::Left}};
  for (const std::string& label : models.labels) {
    columns.push_back({label + ": count"});
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
  for (std::size_t i = 0; i < models.trees.size(); ++i) {
    out << printable(models.labels[i]) << '\n';
    print_inputs(models.trees[i].inference.inputs, out);
  }
  out << '\n';
  print_metrics(models, out);
  if (by_type) print_types(models, out);
  out << '\n';
  for (std::size_t i = 0; i < models.trees.size(); ++i) {
    for (const std::string& note : models.trees[i].notes)
      out << printable(fmt::format("Note on {}: {}.", models.labels[i], note)) << '\n';
  }
  print_plugin_notes(models.metrics[0], out);
}

}  // namespace jouletree
