#include <ostream>

#include <fmt/format.h>

#include "base/number_format.hpp"
#include "base/text_table.hpp"
#include "base/wrapped_text.hpp"
#include "report/compare_report.hpp"
#include "report/input_shapes.hpp"
#include "report/metric_text.hpp"
#include "report/type_differences.hpp"

namespace jouletree::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

/// A value that says how it was obtained is shown with it.
std::string cell_of(const Metric& metric, const MetricValue& value) {
  std::string text = short_metric_text(metric, value);
  if (value.value && value.provenance) text += fmt::format(" ({})", name_of(*value.provenance));
  return text;
}

/// The models from `begin` to `end`, beside the first one.
TextTable metric_table(const ComparedModels& models, std::size_t begin, std::size_t end) {
  const ComparedModel& first = models.models.front();
  std::vector<TextTable::Column> columns{{"metric", Align::Left, Fit::Wrap},
                                         {first.label, Align::Right, Fit::Wrap}};
  for (std::size_t i = begin; i < end; ++i) {
    columns.push_back({models.models[i].label, Align::Right, Fit::Wrap});
    columns.push_back({"vs " + first.label, Align::Left, Fit::Wrap});
  }
  TextTable table(columns);
  for (std::size_t which = 0; which < first.metrics.size(); ++which) {
    const Metric& metric = first.metrics[which].entry.metric;
    const MetricValue& value = first.metrics[which].value;
    std::vector<std::string> row{std::string(metric.friendly_name), cell_of(metric, value)};
    for (std::size_t i = begin; i < end; ++i) {
      const MetricValue& other = models.models[i].metrics[which].value;
      row.push_back(cell_of(metric, other));
      row.push_back(comparison_text(metric, compare_values(metric, value, other)));
    }
    table.add_row(std::move(row));
  }
  return table;
}

/// As many models side by side as fit the terminal, the others below.
void print_metrics(const ComparedModels& models, std::ostream& out) {
  const std::size_t count = models.models.size();
  std::size_t begin = 1;
  do {
    std::size_t end = count;
    while (end > begin + 1 && !metric_table(models, begin, end).fits(out)) --end;
    if (begin > 1) out << '\n';
    metric_table(models, begin, end).print(out);
    begin = end;
  } while (begin < count);
}

std::string flops_text(const TypeUse& use) {
  const auto flops = use.totals.flops.value();
  if (!flops) return "?";
  return (use.totals.flops.lower_bound() ? "≥ " : "") + shortened(static_cast<double>(*flops));
}

void print_type_table(const ComparedModels& models, std::ostream& out) {
  const std::vector<const ComparedModel*> known = models_with_types(models);
  out << '\n';
  for (const ComparedModel& model : models.models)
    if (!model.knows_types)
      out << printable(fmt::format("The operators of {} are unknown.", model.label)) << '\n';
  if (known.size() < 2) return;
  const TypeDifferences differences = differences_in_types(known);
  if (differences.different.empty()) {
    out << "The models use every type of operator alike.\n";
    return;
  }
  std::vector<TextTable::Column> columns{{"operator type", Align::Left}};
  for (const ComparedModel* const model : known) {
    columns.push_back({model->label + ": count"});
    columns.push_back({"FLOPs", Align::Right, Fit::Whole, 1});
    columns.push_back({"params", Align::Right, Fit::Whole, 2});
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

void print_compare_table(const ComparedModels& models, bool by_type, std::ostream& out,
                         const ShownDifferences& shown) {
  const WrappedText wrapped(out);
  for (const ComparedModel& model : models.models) {
    out << printable(model.label) << '\n';
    print_inputs(model.inputs, out);
  }
  out << '\n';
  print_metrics(models, out);
  if (by_type) print_type_table(models, out);
  for (const Differences& one : models.differences) print_differences(one, shown, out);
  out << '\n';
  for (const ComparedModel& model : models.models) {
    for (const std::string& note : model.notes)
      out << printable(fmt::format("Note on {}: {}.", model.label, note)) << '\n';
  }
  for (const std::string& note : models.notes) out << printable("Note: " + note) << ".\n";
  print_plugin_notes(models.models.front().metrics, out);
}

}  // namespace jouletree::report
