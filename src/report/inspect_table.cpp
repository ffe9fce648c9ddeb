#include <map>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_format.hpp"
#include "base/text_table.hpp"
#include "base/wrapped_text.hpp"
#include "report/groups.hpp"
#include "report/input_shapes.hpp"
#include "report/metric_text.hpp"

namespace jouletree::report {
namespace {

using tree::MetricResult;
using Align = TextTable::Align;
using Fit = TextTable::Fit;

constexpr const char* kUnknown = "?";

bool is_coverage(const MetricResult& result) {
  return result.entry.metric.name == "coverage_nodes" ||
         result.entry.metric.name == "coverage_bytes";
}

/// As built in, it says the same as the line of parameters above it.
bool is_repetition(const MetricResult& result) {
  return result.entry.metric.name == "trainable_params" && result.entry.plugin.empty();
}

void print_summary(const std::vector<MetricResult>& metrics, std::ostream& out) {
  TextTable table({{"", Align::Left, Fit::Whole}, {"", Align::Left}});
  for (const MetricResult& result : metrics) {
    if (is_coverage(result) || is_repetition(result)) continue;
    std::string text = metric_text(result.entry.metric, result.value);
    if (!result.failure.empty()) text += fmt::format(" ({})", result.failure);
    table.add_row({std::string(result.entry.metric.friendly_name), std::move(text)});
  }
  table.print(out);
}

std::string sum_text(const Sum& sum, bool bytes) {
  const auto value = sum.value();
  if (!value) return kUnknown;
  const auto number = static_cast<double>(*value);
  return (sum.lower_bound() ? "≥ " : "") + (bytes ? shortened_bytes(number) : shortened(number));
}

std::string share(const Sum& part, const Sum& whole) {
  if (whole.known() <= 0 || !part.value()) return "";
  // At least nothing is no share.
  if (part.lower_bound() && part.known() == 0) return "";
  return fmt::format(
      "{:.1f}", 100.0 * static_cast<double>(part.known()) / static_cast<double>(whole.known()));
}

std::string type_of(const Group& group) {
  if (group.node == nullptr || group.node->kind != TreeNodeKind::Operator)
    return std::string(group.type);
  if (group.totals.without_rule > 0) return fmt::format("{} (no rule)", group.type);
  if (group.totals.not_run > 0) return fmt::format("{} (not run)", group.type);
  return std::string(group.type);
}

std::string output_of(const ModelTree& tree, const Group& group) {
  if (group.node == nullptr || group.node->kind != TreeNodeKind::Operator) return "";
  const auto& outputs = group.node->operation->outputs;
  if (outputs.empty() || outputs[0] == kNoValue) return "";
  const auto& dims = tree.inference.values[outputs[0]].dims;
  return dims ? to_string(*dims) : kUnknown;
}

void print_groups(const ModelTree& tree, const InspectView& view, std::ostream& out) {
  const bool by_type = view.grouping == Grouping::Type;
  std::vector<TextTable::Column> columns;
  if (by_type) {
    columns = {{"operator type", Align::Left}, {"count", Align::Right}};
  } else {
    columns = {{view.grouping == Grouping::Module ? "module" : "operator", Align::Left},
               {"type", Align::Left, Fit::Shorten, 3},
               {"output", Align::Left, Fit::Drop}};
  }
  columns.insert(columns.end(), {{"params"},
                                 {"MACs"},
                                 {"MACs %", Align::Right, Fit::Whole, 4},
                                 {"FLOPs", Align::Right, Fit::Whole, 2},
                                 {"bytes", Align::Right, Fit::Whole, 1}});
  TextTable table(columns);
  const Sum& all_macs = tree.root.totals.macs;
  for (const Group& group : groups_of(tree, view)) {
    std::vector<std::string> row;
    if (by_type) {
      row = {fmt::format("{}{}", group.label, group.totals.without_rule > 0 ? " (no rule)" : ""),
             with_separators(group.calls)};
    } else {
      row = {fmt::format("{:{}}{}", "", group.level * 2, group.label), type_of(group),
             output_of(tree, group)};
    }
    row.push_back(group.totals.params > 0 ? with_separators(group.totals.params) : "");
    row.push_back(sum_text(group.totals.macs, false));
    row.push_back(share(group.totals.macs, all_macs));
    row.push_back(sum_text(group.totals.flops, false));
    row.push_back(sum_text(group.totals.bytes_moved(), true));
    table.add_row(std::move(row));
  }
  table.print(out);
  if (view.grouping == Grouping::Module && view.depth < depth_of(tree)) {
    out << fmt::format("(levels 0 to {} of {}; --depth {} shows all)\n", view.depth, depth_of(tree),
                       depth_of(tree));
  }
}

void collect_types(const TreeNode& node, const Inference& inference, TreeNodeKind kind,
                   NodeStatus wanted, std::map<std::string, std::int64_t>& types) {
  if (node.kind == kind && node.operation != nullptr &&
      inference.nodes[node.operation->id].status == wanted) {
    const std::string_view domain = node.operation->domain;
    ++types[domain.empty() ? node.type : std::string(domain) + ":" + node.type];
  }
  for (const TreeNode& child : node.children) collect_types(child, inference, kind, wanted, types);
}

/// Of operators or, as modules, of those that hold others: If, Loop, Scan. Empty where there are
/// none.
std::string types_text(const ModelTree& tree, TreeNodeKind kind, NodeStatus wanted) {
  std::map<std::string, std::int64_t> types;
  collect_types(tree.root, tree.inference, kind, wanted, types);
  std::vector<std::string> parts;
  parts.reserve(types.size());
  for (const auto& [type, count] : types)
    parts.push_back(count > 1 ? fmt::format("{} ({} times)", type, count) : type);
  return printable(fmt::format("{}", fmt::join(parts, ", ")));
}

void print_coverage(const ModelTree& tree, const std::vector<MetricResult>& metrics,
                    std::ostream& out) {
  std::string line;
  for (const MetricResult& result : metrics) {
    if (!is_coverage(result)) continue;
    const Metric& metric = result.entry.metric;
    const char* what = metric.name == "coverage_nodes" ? "of the operators" : "of the bytes moved";
    line +=
        fmt::format("{}{} {}", line.empty() ? "" : ", ", metric_text(metric, result.value), what);
  }
  out << "Coverage: " << line << " have a cost rule.\n";
  if (tree.root.totals.without_rule > 0) {
    out << "No cost rule: " << types_text(tree, TreeNodeKind::Operator, NodeStatus::NoRule)
        << ". Their work is not part of the sums above.\n";
  }
  if (tree.root.totals.unresolved == 0) return;
  const std::string operators = types_text(tree, TreeNodeKind::Operator, NodeStatus::Unresolved);
  if (!operators.empty()) {
    out << "Shapes unknown before the model runs: " << operators
        << ". They depend on data or on operators without a rule; their work is unknown.\n";
  }
  const std::string holders = types_text(tree, TreeNodeKind::Module, NodeStatus::Unresolved);
  if (!holders.empty()) {
    out << "Shapes of results unknown before the model runs: " << holders
        << ". What runs inside is counted; memory is therefore only known to be at least what is "
           "shown.\n";
  }
}

}  // namespace

void print_inspect_table(const ModelTree& tree, const std::vector<MetricResult>& metrics,
                         const InspectView& view, std::ostream& out) {
  const WrappedText wrapped(out);
  out << printable(tree.name) << '\n';
  print_inputs(tree.inference.inputs, out);
  out << '\n';
  print_summary(metrics, out);
  out << '\n';
  print_groups(tree, view, out);
  out << '\n';
  for (const std::string& note : tree.notes) out << "Note: " << printable(note) << ".\n";
  print_plugin_notes(metrics, out);
  print_coverage(tree, metrics, out);
}

}  // namespace jouletree::report
