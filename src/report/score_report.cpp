#include "report/score_report.hpp"

#include <ostream>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "base/text_table.hpp"
#include "base/wrapped_text.hpp"
#include "report/interval_text.hpp"
#include "report/metric_text.hpp"
#include "report/si_text.hpp"
#include "store/profile_json.hpp"
#include "store/score_json.hpp"
#include "tree/score_metrics.hpp"

namespace jouletree::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

std::string how_of(const MetricValue& value) {
  return value.value && value.provenance ? std::string(name_of(*value.provenance)) : "";
}

void add_metric(const tree::MetricResult& result, const Score& score, TextTable& table) {
  const MetricValue& value = result.value;
  table.add_row({std::string(result.entry.metric.friendly_name),
                 metric_text(result.entry.metric, value),
                 interval_text({value.value, value.low, value.high}),
                 std::string(name_of(tree::provenance_of(result))), score_detail(result, score)});
}

void add_totals(const Score& score, TextTable& table) {
  const std::string measured(name_of(Provenance::Measured));
  table.add_row(
      {"Time", si_text(score.time_s, "s"), "", measured, "with reading the data and scoring"});
  if (score.model_time_s)
    table.add_row({"  in the model", si_text(*score.model_time_s, "s"), "", measured, ""});
  const MetricValue& energy = score.energy_j;
  table.add_row({"Energy", (energy.lower_bound ? "at least " : "") + si_text(energy.value, "J"),
                 interval_text({energy.value, energy.low, energy.high}), how_of(energy),
                 score.energy_covers.empty() ? "no meter" : printable(score.energy_covers)});
}

}  // namespace

std::string score_detail(const tree::MetricResult& result, const Score& score) {
  const std::string_view name = result.entry.metric.name;
  if (name == tree::epr_key(score.epr_alpha))
    return fmt::format("error^{} × energy per example", score.epr_alpha);
  const bool is_first =
      !score.metrics.empty() && name == tree::score_key(score.metrics.front().name);
  return is_first ? fmt::format("of {}", number_of(score.examples, "example")) : "";
}

std::string primary_text(const Score& score) {
  if (score.metrics.empty()) return "";
  const ScoredMetric& first = score.metrics.front();
  Metric row{};
  row.scale = first.scale;
  row.of_score = true;
  return fmt::format("{} ({})", short_metric_text(row, {first.value}), first.friendly_name);
}

void print_score_table(const Score& score, std::ostream& out) {
  const WrappedText wrapped(out);
  out << printable(score.model);
  if (!score.engine.empty()) out << " in " << printable(score.engine);
  out << ": " << number_of(score.examples, "example");
  if (score.batch > 0) out << fmt::format(", up to {} at a time", score.batch);
  out << "\n\n";
  TextTable table({{"score", Align::Left, Fit::Whole},
                   {"value", Align::Right},
                   {"interval", Align::Right, Fit::Whole, 1},
                   {"how", Align::Left, Fit::Whole},
                   {"", Align::Left, Fit::Wrap, 2}});
  const std::vector<tree::MetricResult> results = tree::score_results(score);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i == score.metrics.size()) add_totals(score, table);
    add_metric(results[i], score, table);
  }
  table.print(out);
  if (!score.notes.empty()) out << '\n';
  for (const std::string& note : score.notes) out << "Note: " << printable(note) << ".\n";
}

void print_score_json(const Score& score, std::ostream& out) {
  out << store::json_text(store::score_json(score));
}

}  // namespace jouletree::report
