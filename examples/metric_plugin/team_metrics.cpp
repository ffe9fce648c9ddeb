// Metrics of a team that only trains the classifiers of its models: one that JouleTree lacks, one
// that JouleTree has but cannot know as well as the team does, and one of models that were
// measured.
//   jouletree inspect model.onnx --plugin team_metrics.so
//   jouletree profile model.onnx --plugin team_metrics.so
#include <array>

#include "jouletree/metric_plugin.hpp"

namespace {

using namespace jouletree;  // NOLINT(google-build-using-namespace): a plug-in is one small file

/// How often each parameter is used: high in convolutions, about one in fully connected layers.
MetricValue macs_per_parameter(const ModelTree& tree) {
  const auto macs = tree.root.totals.macs.value();
  const auto params = tree.root.totals.params;
  if (!macs || params == 0) return {};  // Unknown, never 0.
  return {static_cast<double>(*macs) / static_cast<double>(params),
          tree.root.totals.macs.lower_bound()};
}

/// A model file does not tell which parameters are frozen; this team trains `classifier` only.
MetricValue classifier_params(const ModelTree& tree) {
  for (const TreeNode& module : tree.root.children)
    if (module.name == "classifier") return {static_cast<double>(module.totals.params), false};
  return {};
}

/// What the machine makes of a joule. The interval and the provenance are those of the energy.
MetricValue flops_per_joule(const MeasuredModel& model) {
  const MetricValue flops = model.count_of("flops");
  const MetricValue& energy = model.energy_j;
  if (!flops.value || !energy.value || *energy.value <= 0) return {};
  MetricValue result{*flops.value / *energy.value, flops.lower_bound};
  if (energy.high) result.low = *flops.value / *energy.high;
  if (energy.low && *energy.low > 0) result.high = *flops.value / *energy.low;
  result.provenance = energy.provenance;
  return result;
}

constexpr std::array<PluginMetric, 3> kMetrics = {{
    {{.name = "macs_per_parameter",
      .friendly_name = "MACs per parameter",
      .unit = "1",
      .short_unit = "",
      .scale = MetricScale::Plain,
      .comparison = MetricComparison::Ratio,
      .better = Better::Neither,
      .description = "Multiply-accumulates for each parameter of the model",
      .provenance = Provenance::Counted,
      .from_tree = macs_per_parameter}},
    {{.name = "trainable_params",
      .friendly_name = "Trainable parameters",
      .unit = "1",
      .short_unit = "",
      .scale = MetricScale::Thousands,
      .comparison = MetricComparison::Ratio,
      .better = Better::Lower,
      .description = "Parameters of the module `classifier`; all others are frozen",
      .provenance = Provenance::Counted,
      .from_tree = classifier_params},
     /*overrides=*/true},
    {{.name = "flops_per_joule",
      .friendly_name = "FLOPs per joule",
      .unit = "FLOP/J",
      .short_unit = "FLOP/J",
      .scale = MetricScale::Si,
      .comparison = MetricComparison::Ratio,
      .better = Better::Higher,
      .description = "Arithmetic operations that one joule pays for",
      .provenance = Provenance::Measured,
      .from_profile = flops_per_joule}},
}};

constexpr MetricPlugin kPlugin = {.name = "team-metrics", .metrics = kMetrics};

}  // namespace

const MetricPlugin* jouletree_metric_plugin() { return &kPlugin; }
