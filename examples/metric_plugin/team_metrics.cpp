// Two metrics of a team that only trains the classifiers of its models: one that JouleTree lacks,
// and one that JouleTree has but cannot know as well as the team does.
//   jouletree inspect model.onnx --plugin team_metrics.so
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

constexpr std::array<PluginMetric, 2> kMetrics = {{
    {{.name = "macs_per_parameter",
      .friendly_name = "MACs per parameter",
      .unit = "1",
      .short_unit = "",
      .scale = MetricScale::Plain,
      .comparison = MetricComparison::Ratio,
      .better = Better::Neither,
      .description = "Multiply-accumulates for each parameter of the model",
      .provenance = Provenance::Counted,
      .compute = macs_per_parameter}},
    {{.name = "trainable_params",
      .friendly_name = "Trainable parameters",
      .unit = "1",
      .short_unit = "",
      .scale = MetricScale::Thousands,
      .comparison = MetricComparison::Ratio,
      .better = Better::Lower,
      .description = "Parameters of the module `classifier`; all others are frozen",
      .provenance = Provenance::Counted,
      .compute = classifier_params},
     /*overrides=*/true},
}};

constexpr MetricPlugin kPlugin = {.name = "team-metrics", .metrics = kMetrics};

}  // namespace

const MetricPlugin* jouletree_metric_plugin() { return &kPlugin; }
