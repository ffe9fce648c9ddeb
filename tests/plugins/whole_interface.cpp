// Calls every function that the program promises to provide (src/tree/plugin_symbols.ld): where one
// is missing, this library does not load.
#include <array>
#include <sstream>

#include "jouletree/tree_files.hpp"
#include "plugins/metric_row.hpp"

namespace jouletree::test {
namespace {

double of_totals(const Totals& totals) {
  Sum sum = totals.bytes_moved();
  sum.add(Count(1));
  sum.add(totals.macs);
  Totals twice = totals;
  twice.add_work(totals);
  return static_cast<double>(sum.value().value_or(0) + twice.operators);
}

double of_values(const ModelTree& tree) {
  double result = 0;
  for (const GraphValue& value : tree.graph->values) {
    if (!value.constant) continue;
    const StoredTensor& tensor = *value.constant;
    result += static_cast<double>(tensor.bytes().value_or(0) + tensor.elements().value_or(0));
    result += is_floating(tensor.type) ? bits_of(tensor.type).value_or(0) : 0;
    result += is_integer(tensor.type) ? static_cast<double>(name_of(tensor.type).size()) : 0;
  }
  for (const ValueType& type : tree.inference.values) {
    const Dims dims = type.dims.value_or(Dims{});
    result += static_cast<double>(type.bytes().value_or(0) + type.elements().value_or(0));
    result += static_cast<double>(elements_of(dims, 0, dims.size()).value_or(0));
    result += merge(type, type) == type ? static_cast<double>(data_type_from_number(1)) : 0;
    result += data_type_from_name("float32") ? 1 : 0;
    result += type.resolved() ? static_cast<double>(to_string(dims).size()) : 0;
  }
  for (const auto& content : tree.inference.contents) {
    if (content && !content->empty() && content->front().known())
      result += static_cast<double>(content->front().as_integer());
  }
  return result;
}

double of_nodes(const ModelTree& tree) {
  Work work;
  for (const NodeResult& node : tree.inference.nodes) work = work + node.work * Count(1);
  double result = static_cast<double>(work.flops.value_or(0));
  for (const Node& node : tree.graph->main.nodes)
    result += node.attribute("pads") != nullptr ? 1 : 0;
  return result;
}

/// Built-in metrics are at hand, too.
double of_metrics(const ModelTree& tree) {
  double result = 0;
  for (const Metric& metric : metric_catalogue()) {
    const MetricValue value =
        metric.from_tree != nullptr ? metric.from_tree(tree) : metric.from_profile({});
    const ComparedValue same = compare_values(metric, value, value);
    result += value.value.value_or(0);
    result += static_cast<double>(name_of(metric.comparison).size() + name_of(same.verdict).size() +
                                  name_of(metric.better).size());
  }
  return result;
}

/// A metric may count the model anew, for other inputs.
double of_other_inputs(const ModelTree& tree) {
  const InputSettings settings =
      applicable_settings(*tree.graph, {{{"no input", {1}}}, {}, {}, {}, {}, {}});
  const ModelTree again = build_tree(tree.graph, settled_settings(tree.inference, settings));
  const PeakMemory peak = peak_activation_memory(*tree.graph, infer(*tree.graph, settings));
  std::ostringstream out;
  write_tree_line(again, out);
  write_layers(again, out);
  return static_cast<double>(peak.bytes) + static_cast<double>(out.str().size()) +
         static_cast<double>(classify_constants(*tree.graph).by_value.size()) +
         static_cast<double>(folded_normalization_note(*tree.graph).size());
}

double of_files(const ModelTree& tree) {
  if (!std::filesystem::exists(tree.graph->path)) return 0;
  return static_cast<double>(read_onnx(tree.graph->path).file_bytes) +
         static_cast<double>(read_model(tree.graph->path, {}).file_bytes) +
         static_cast<double>(inspect_model(tree.graph->path, {}).root.totals.params);
}

MetricValue everything(const ModelTree& tree) {
  return {of_totals(tree.root.totals) + of_values(tree) + of_nodes(tree) + of_metrics(tree) +
              of_other_inputs(tree) + of_files(tree),
          false};
}

constexpr std::array<PluginMetric, 1> kMetrics = {{{metric_row("everything", everything)}}};
constexpr MetricPlugin kPlugin = {.name = "whole-interface", .metrics = kMetrics};

}  // namespace
}  // namespace jouletree::test

const jouletree::MetricPlugin* jouletree_metric_plugin() { return &jouletree::test::kPlugin; }
