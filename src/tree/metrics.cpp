#include "jouletree/metrics.hpp"

#include <cmath>

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
  Count total = tree.graph->file_bytes;
  for (const auto& [path, bytes] : tree.graph->external_files) total += bytes;
  return {static_cast<double>(total.value()), !tree.graph->missing_external_files.empty()};
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

constexpr Metric kCatalogue[] = {
    {"size_bytes", "Model size", "B", "B", MetricScale::Bytes, MetricComparison::Ratio,
     Better::Lower, "Bytes of the model file and its external data", Provenance::Counted,
     size_bytes},
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
     Better::Lower, "Operator calls in the graph, constants left out", Provenance::Counted,
     operators},
    {"coverage_nodes", "Coverage of operators", "1", "", MetricScale::Ratio,
     MetricComparison::Difference, Better::Higher, "Share of operators that have a cost rule",
     Provenance::Counted, coverage_nodes},
    {"coverage_bytes", "Coverage of bytes", "1", "", MetricScale::Ratio,
     MetricComparison::Difference, Better::Higher,
     "Share of the bytes moved that belongs to operators with a cost rule", Provenance::Counted,
     coverage_bytes},
};

}  // namespace

std::span<const Metric> metric_catalogue() { return kCatalogue; }

std::string_view name_of(MetricComparison comparison) {
  switch (comparison) {
    case MetricComparison::None: return "none";
    case MetricComparison::Difference: return "difference";
    case MetricComparison::Ratio: return "ratio";
    case MetricComparison::Reciprocal: return "reciprocal";
  }
  return "";
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Unknown: return "unknown";
    case Verdict::Same: return "same";
    case Verdict::Better: return "better";
    case Verdict::Worse: return "worse";
    case Verdict::Different: return "different";
  }
  return "";
}

namespace {

Verdict verdict_of(Better better, double first, double other) {
  if (first == other) return Verdict::Same;
  if (better == Better::Neither) return Verdict::Different;
  return (other < first) == (better == Better::Lower) ? Verdict::Better : Verdict::Worse;
}

/// Nothing where the numbers are too far apart for a double.
std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> quotient(double dividend, double divisor) {
  return divisor == 0 ? std::nullopt : finite(dividend / divisor);
}

}  // namespace

ComparedValue compare_values(const Metric& metric, const MetricValue& first,
                             const MetricValue& other) {
  if (!first.value || !other.value || first.lower_bound || other.lower_bound) return {};
  const Verdict verdict = verdict_of(metric.better, *first.value, *other.value);
  switch (metric.comparison) {
    case MetricComparison::None: return {std::nullopt, verdict};
    case MetricComparison::Difference: return {finite(*other.value - *first.value), verdict};
    case MetricComparison::Ratio: return {quotient(*other.value, *first.value), verdict};
    case MetricComparison::Reciprocal: return {quotient(*first.value, *other.value), verdict};
  }
  return {};
}

}  // namespace jouletree
