#include "jouletree/metrics.hpp"

#include <algorithm>

#include "model/stored_size.hpp"

namespace jouletree {
namespace {

MetricValue from_sum(const Sum& sum) {
  const auto value = sum.value();
  return {value ? std::optional(static_cast<double>(*value)) : std::nullopt, sum.lower_bound()};
}

MetricValue from_number(std::int64_t number) { return {static_cast<double>(number), false}; }

MetricValue params(const ModelTree& tree) { return from_number(tree.root.totals.params); }

MetricValue trainable_params(const ModelTree& tree) {
  return from_number(tree.root.totals.params - tree.root.totals.frozen_params);
}

MetricValue macs(const ModelTree& tree) { return from_sum(tree.root.totals.macs); }
MetricValue flops(const ModelTree& tree) { return from_sum(tree.root.totals.flops); }
MetricValue bytes_moved(const ModelTree& tree) { return from_sum(tree.root.totals.bytes_moved()); }

MetricValue size_bytes(const ModelTree& tree) {
  return {static_cast<double>(model::stored_size(*tree.graph)),
          !tree.graph->missing_external_files.empty()};
}

MetricValue weight_bytes(const ModelTree& tree) {
  return from_number(tree.root.totals.weight_bytes);
}

MetricValue activation_bytes(const ModelTree& tree) {
  return {static_cast<double>(tree.peak.bytes), !tree.peak.complete};
}

MetricValue memory_bytes(const ModelTree& tree) {
  return {static_cast<double>((Count(tree.root.totals.weight_bytes) + tree.peak.bytes).value()),
          !tree.peak.complete};
}

MetricValue arithmetic_intensity(const ModelTree& tree) {
  const auto work = flops(tree);
  const auto bytes = bytes_moved(tree);
  if (!work.value || !bytes.value || *bytes.value <= 0 || work.lower_bound || bytes.lower_bound)
    return {};
  return {*work.value / *bytes.value, false};
}

MetricValue operators(const ModelTree& tree) { return from_number(tree.root.totals.operators); }

MetricValue coverage_nodes(const ModelTree& tree) {
  const Totals& totals = tree.root.totals;
  if (totals.operators == 0) return {};
  return {1.0 - static_cast<double>(totals.without_rule) / static_cast<double>(totals.operators),
          false};
}

MetricValue coverage_bytes(const ModelTree& tree) {
  const auto with = static_cast<double>(tree.root.totals.bytes_with_rule.value());
  const auto without = static_cast<double>(tree.root.totals.bytes_without_rule.value());
  if (with + without <= 0) return {};
  return {with / (with + without), false};
}

std::optional<double> quotient(const std::optional<double>& value,
                               const std::optional<double>& divisor) {
  return value && divisor && *divisor > 0 ? std::optional(*value / *divisor) : std::nullopt;
}

MetricValue profiled_size_bytes(const MeasuredModel& model) {
  return model.file_bytes ? from_number(*model.file_bytes) : MetricValue{};
}

MetricValue time_s(const MeasuredModel& model) { return model.time_s; }
MetricValue energy_j(const MeasuredModel& model) { return model.energy_j; }
MetricValue energy_above_idle_j(const MeasuredModel& model) { return model.energy_above_idle_j; }

template <double MeasuredLatency::*Which>
MetricValue latency(const MeasuredModel& model) {
  if (!model.latency) return {};
  return {(*model.latency).*Which, false, {}, {}, Provenance::Measured};
}

/// Runs one after the other.
MetricValue throughput_per_s(const MeasuredModel& model) {
  const MetricValue& time = model.time_s;
  return {quotient(1, time.value), false, quotient(1, time.high), quotient(1, time.low),
          time.provenance};
}

/// The bounds are those of the energy: that of the time is far narrower.
MetricValue power_w(const MeasuredModel& model) {
  const MetricValue& energy = model.energy_j;
  const auto seconds = model.time_s.value;
  return {quotient(energy.value, seconds), false, quotient(energy.low, seconds),
          quotient(energy.high, seconds), energy.provenance};
}

MetricValue attribution_time(const MeasuredModel& model) { return model.ledger.attribution_time; }
MetricValue attribution_energy(const MeasuredModel& model) {
  return model.ledger.attribution_energy;
}

/// A name as a template argument.
struct ScoreName {
  char text[24]{};
  // NOLINTNEXTLINE(google-explicit-constructor): written as a plain text.
  template <std::size_t Size>
  consteval ScoreName(const char (&name)[Size]) {
    std::copy_n(name, Size, text);
  }
};

template <ScoreName Name>
MetricValue score(const MeasuredModel& model) {
  if (!model.score) return {};
  for (const ScoredMetric& one : model.score->metrics)
    if (one.name == Name.text) return {one.value, false, {}, {}, Provenance::Measured};
  return {};
}

MetricValue score_time_s(const MeasuredModel& model) {
  return model.score ? model.score->time_per_example() : MetricValue{};
}
MetricValue score_energy_j(const MeasuredModel& model) {
  return model.score ? model.score->energy_per_example() : MetricValue{};
}
/// Another exponent is another metric.
MetricValue epr(const MeasuredModel& model) {
  return model.score && model.score->epr_alpha == 1 ? model.score->epr() : MetricValue{};
}

using FromProfile = MetricValue (*)(const MeasuredModel&);

/// A share of the answers, which is a number between 0 and 1.
constexpr Metric share_row(std::string_view name, std::string_view friendly_name, Better better,
                           std::string_view description, FromProfile from_profile) {
  return {name,    friendly_name,      "1",
          "",      MetricScale::Ratio, MetricComparison::Difference,
          better,  description,        Provenance::Measured,
          nullptr, from_profile,       false,
          true};
}

/// A distance from the right answers.
constexpr Metric distance_row(std::string_view name, std::string_view friendly_name,
                              std::string_view description, FromProfile from_profile) {
  Metric row = share_row(name, friendly_name, Better::Lower, description, from_profile);
  row.scale = MetricScale::Plain;
  row.comparison = MetricComparison::Ratio;
  return row;
}

constexpr Metric cost_row(std::string_view name, std::string_view friendly_name,
                          std::string_view unit, std::string_view description,
                          FromProfile from_profile) {
  Metric row = distance_row(name, friendly_name, description, from_profile);
  row.unit = row.short_unit = unit;
  row.scale = MetricScale::Si;
  return row;
}

/// In the order in which reports show them.
constexpr Metric kCatalogue[] = {
    {"size_bytes", "Model size", "B", "B", MetricScale::Bytes, MetricComparison::Ratio,
     Better::Lower, "Bytes of the model file and its external data", Provenance::Counted,
     size_bytes, profiled_size_bytes, /*of_file=*/true},
    {"params", "Parameters", "1", "", MetricScale::Thousands, MetricComparison::Ratio,
     Better::Lower, "Trained numbers in the file, shared tensors once, running statistics left out",
     Provenance::Counted, params},
    {"trainable_params", "Trainable parameters", "1", "", MetricScale::Thousands,
     MetricComparison::Ratio, Better::Lower,
     "Parameters that training may change; an ONNX file does not mark frozen ones",
     Provenance::Counted, trainable_params},
    {"macs", "MACs", "1", "MACs", MetricScale::Thousands, MetricComparison::Ratio, Better::Lower,
     "Multiply-accumulates of convolutions, matrix products, attention and recurrences",
     Provenance::Counted, macs},
    {"flops", "FLOPs", "1", "FLOPs", MetricScale::Thousands, MetricComparison::Ratio, Better::Lower,
     "All arithmetic operations; a multiply-accumulate is two", Provenance::Counted, flops},
    {"bytes_moved", "Bytes moved", "B", "B", MetricScale::Bytes, MetricComparison::Ratio,
     Better::Lower, "Bytes that operators read and write, weights included", Provenance::Counted,
     bytes_moved},
    {"weight_bytes", "Weights", "B", "B", MetricScale::Bytes, MetricComparison::Ratio,
     Better::Lower, "Bytes of all stored tensors that are used", Provenance::Counted, weight_bytes},
    {"activation_bytes", "Peak activations", "B", "B", MetricScale::Bytes, MetricComparison::Ratio,
     Better::Lower, "Most bytes of activations alive at once, in execution order",
     Provenance::Counted, activation_bytes},
    {"memory_bytes", "Memory footprint", "B", "B", MetricScale::Bytes, MetricComparison::Ratio,
     Better::Lower, "Weights and the peak of live activations", Provenance::Counted, memory_bytes},
    {"arithmetic_intensity", "Arithmetic intensity", "FLOP/B", "FLOP/B", MetricScale::Plain,
     MetricComparison::Ratio, Better::Neither, "FLOPs per byte moved", Provenance::Counted,
     arithmetic_intensity},
    {"operators", "Operators", "1", "", MetricScale::Thousands, MetricComparison::Ratio,
     Better::Neither, "Operator calls in the graph, constants left out", Provenance::Counted,
     operators},
    {"coverage_nodes", "Coverage of operators", "1", "", MetricScale::Ratio,
     MetricComparison::Difference, Better::Higher, "Share of operators that have a cost rule",
     Provenance::Counted, coverage_nodes},
    {"coverage_bytes", "Coverage of bytes", "1", "", MetricScale::Ratio,
     MetricComparison::Difference, Better::Higher,
     "Share of the bytes moved that belongs to operators with a cost rule", Provenance::Counted,
     coverage_bytes},
    {"time_s", "Time", "s", "s", MetricScale::Si, MetricComparison::Ratio, Better::Lower,
     "One run, an inference or a training step: the median of timed windows of many runs each",
     Provenance::Measured, nullptr, time_s},
    {"latency_mean_s", "Latency, mean", "s", "s", MetricScale::Si, MetricComparison::Ratio,
     Better::Lower, "Mean of single runs, each timed by itself", Provenance::Measured, nullptr,
     latency<&MeasuredLatency::mean_s>},
    {"latency_median_s", "Latency, median", "s", "s", MetricScale::Si, MetricComparison::Ratio,
     Better::Lower, "Half of the single runs are faster", Provenance::Measured, nullptr,
     latency<&MeasuredLatency::median_s>},
    {"latency_p90_s", "Latency, p90", "s", "s", MetricScale::Si, MetricComparison::Ratio,
     Better::Lower, "90 % of the single runs are faster", Provenance::Measured, nullptr,
     latency<&MeasuredLatency::p90_s>},
    {"latency_p99_s", "Latency, p99", "s", "s", MetricScale::Si, MetricComparison::Ratio,
     Better::Lower, "99 % of the single runs are faster", Provenance::Measured, nullptr,
     latency<&MeasuredLatency::p99_s>},
    {"latency_min_s", "Latency, min", "s", "s", MetricScale::Si, MetricComparison::Ratio,
     Better::Lower, "The fastest single run", Provenance::Measured, nullptr,
     latency<&MeasuredLatency::min_s>},
    {"latency_max_s", "Latency, max", "s", "s", MetricScale::Si, MetricComparison::Ratio,
     Better::Lower, "The slowest single run", Provenance::Measured, nullptr,
     latency<&MeasuredLatency::max_s>},
    {"throughput_per_s", "Throughput", "1/s", "/s", MetricScale::Si, MetricComparison::Ratio,
     Better::Higher, "Runs per second, one after the other", Provenance::Measured, nullptr,
     throughput_per_s},
    {"energy_j", "Energy", "J", "J", MetricScale::Si, MetricComparison::Ratio, Better::Lower,
     "Energy of one run, idle power included; of which parts of the machine, the profile "
     "says",
     Provenance::Measured, nullptr, energy_j},
    {"energy_above_idle_j", "Energy above idle", "J", "J", MetricScale::Si, MetricComparison::Ratio,
     Better::Lower, "Energy of one run, less what the idle machine takes in that time",
     Provenance::Measured, nullptr, energy_above_idle_j},
    {"power_w", "Power", "W", "W", MetricScale::Si, MetricComparison::Ratio, Better::Neither,
     "Mean power while the model runs: energy per time", Provenance::Measured, nullptr, power_w},
    {"attribution_time", "Attribution of time", "1", "", MetricScale::Ratio,
     MetricComparison::Difference, Better::Neither,
     "Share of the time that is explained: by operators measured alone, and by Python where it "
     "calls them",
     Provenance::Measured, nullptr, attribution_time},
    {"attribution_energy", "Attribution of energy", "1", "", MetricScale::Ratio,
     MetricComparison::Difference, Better::Neither,
     "Share of the energy that is explained: by operators measured alone, and by Python where it "
     "calls them",
     Provenance::Measured, nullptr, attribution_energy},
    share_row("score_top1", "Accuracy, top-1", Better::Higher,
              "Share of examples whose best class is the right one", score<"top1">),
    share_row("score_top5", "Accuracy, top-5", Better::Higher,
              "Share of examples with the right class among the best five", score<"top5">),
    share_row("score_error", "Error", Better::Lower,
              "Share of examples whose best class is a wrong one", score<"error">),
    distance_row("score_loss", "Loss", "Cross-entropy per example, in nats", score<"loss">),
    distance_row("score_perplexity", "Perplexity", "e to the power of the loss",
                 score<"perplexity">),
    share_row("score_f1", "F1, macro", Better::Higher,
              "Harmonic mean of precision and recall, mean over the classes", score<"f1">),
    share_row("score_precision", "Precision, macro", Better::Higher,
              "Share of right answers among those of a class, mean over the classes",
              score<"precision">),
    share_row("score_recall", "Recall, macro", Better::Higher,
              "Share of the examples of a class that are found, mean over the classes",
              score<"recall">),
    share_row("score_f1_binary", "F1, class 1", Better::Higher,
              "Harmonic mean of precision and recall of class 1 of two", score<"f1_binary">),
    share_row("score_precision_binary", "Precision, class 1", Better::Higher,
              "Share of right answers among those for class 1 of two", score<"precision_binary">),
    share_row("score_recall_binary", "Recall, class 1", Better::Higher,
              "Share of the examples of class 1 of two that are found", score<"recall_binary">),
    share_row("score_auc", "Area under the ROC curve", Better::Higher,
              "How often an example of class 1 gets more than one of class 0; two classes",
              score<"auc">),
    distance_row("score_mse", "Mean squared error",
                 "Mean of the squared differences to the targets", score<"mse">),
    distance_row("score_rmse", "Root mean squared error", "Square root of the mean squared error",
                 score<"rmse">),
    distance_row("score_mae", "Mean absolute error", "Mean of the absolute differences",
                 score<"mae">),
    share_row("score_r2", "R²", Better::Higher,
              "Share of the variance of the targets that is explained, mean over the columns",
              score<"r2">),
    cost_row("score_time_s", "Evaluation time per example", "s",
             "With reading the data and scoring", score_time_s),
    cost_row("score_energy_j", "Evaluation energy per example", "J",
             "With reading the data and scoring, idle power included", score_energy_j),
    cost_row("epr", "Energy-precision ratio", "J",
             "Error^α × energy per example of the evaluation, with α = 1; other exponents have "
             "their own name, such as epr_2",
             epr),
};

}  // namespace

std::span<const Metric> metric_catalogue() { return kCatalogue; }

}  // namespace jouletree
