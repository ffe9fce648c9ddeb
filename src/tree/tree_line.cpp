#include "tree/tree_line.hpp"

#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_or_null.hpp"
#include "jouletree/provenance.hpp"
#include "jouletree/tree_files.hpp"
#include "jouletree/units.hpp"
#include "tree/operator_details.hpp"
#include "tree/tree_ids.hpp"

namespace jouletree {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMillion = 1e6;

Json scaled(const Sum& sum, double unit) {
  const auto value = sum.value();
  return value ? Json(static_cast<double>(*value) / unit) : Json(nullptr);
}

const char* published_type(TreeNodeKind kind) {
  switch (kind) {
    case TreeNodeKind::Model: return "model";
    case TreeNodeKind::Module: return "module";
    case TreeNodeKind::Operator: return "ml";
  }
  return "";
}

/// Readers refuse a time or an energy of 0, because nothing takes none: a meter that saw none saw
/// too little.
std::optional<double> above_zero(const std::optional<double>& number) {
  return number && *number > 0 ? number : std::nullopt;
}

/// Sensors and clocks fill these; a counted tree has none of them.
void add_published_figures(const NodeFigures& figures, Json& out) {
  out["cpu"] = or_null(figures.cpu_percent);
  out["mem"] = or_null(figures.memory_percent);
  out["gpu"] = or_null(figures.gpu_percent);
  out["gpu_mem"] = or_null(figures.gpu_memory_percent);
  out["gpu_clk"] = or_null(figures.gpu_clock_mhz);
  out["gpu_mem_clk"] = or_null(figures.gpu_memory_clock_mhz);
  out["times_mean"] = or_null(above_zero(figures.time_s));
  // Energy of the card alone, and what a predictor says: neither is measured here.
  out["gpu_energy_mean"] = nullptr;
  out["ground_truth_energy"] = or_null(above_zero(figures.energy_j));
  out["predicted_energy"] = nullptr;
}

void add_own_figures(const NodeFigures& figures, Json& out) {
  if (figures.count) out["count"] = *figures.count;
  out["time_low_s"] = or_null(figures.time_low_s);
  out["time_high_s"] = or_null(figures.time_high_s);
  out["in_place_s"] = or_null(figures.in_place_s);
  out["energy_low_j"] = or_null(figures.energy_low_j);
  out["energy_high_j"] = or_null(figures.energy_high_j);
  out["energy_above_idle_j"] = or_null(figures.energy_above_idle_j);
  if (above_zero(figures.time_s)) out["time_provenance"] = time_provenance_of(figures);
  if (above_zero(figures.energy_j)) out["energy_provenance"] = name_of(figures.energy_provenance);
}

class LineWriter {
 public:
  LineWriter(const ModelTree& tree, const FiguresOf& figures_of)
      : tree_(tree), figures_of_(figures_of), ids_(tree) {}

  Json write(const TreeNode& node, const std::string& parent, int level) {
    const std::string scope = tree::TreeIds::scope_of(node);
    Json out;
    out["id"] = ids_.next(scope);
    out["scope"] = scope;
    out["parent_name"] = parent;
    out["level"] = level;
    out["instance_type"] = node.type.empty() ? Json(nullptr) : Json(node.type);
    out["type"] = published_type(node.kind);
    out["num_parameters"] = node.totals.params;
    out["flops"] = scaled(node.totals.flops, kMillion);
    out["mem_bytes"] = scaled(node.totals.bytes_moved(), kMebibyte);
    const NodeFigures figures = figures_of_ ? figures_of_(node) : NodeFigures();
    add_published_figures(figures, out);
    add_own_keys(node, out);
    if (figures_of_) add_own_figures(figures, out);
    Json children = Json::array();
    Json ids = Json::array();
    for (const TreeNode& child : node.children) {
      children.push_back(write(child, scope, level + 1));
      ids.push_back(children.back()["id"]);
    }
    out["child_nodes_obj"] = std::move(children);
    out["child_nodes"] = std::move(ids);
    return out;
  }

 private:
  void add_own_keys(const TreeNode& node, Json& out) const {
    out["macs"] = or_null(node.totals.macs.value());
    out["weight_bytes"] = node.totals.weight_bytes;
    out["read_bytes"] = or_null(node.totals.read_bytes.value());
    out["written_bytes"] = or_null(node.totals.written_bytes.value());
    out["operators"] = node.totals.operators;
    out["operators_without_rule"] = node.totals.without_rule;
    out["lower_bound"] = node.totals.flops.lower_bound() || node.totals.bytes_moved().lower_bound();
    out["provenance"] = name_of(Provenance::Counted);
    if (node.operation == nullptr) return;
    out["runs"] = or_null(tree_.inference.nodes[node.operation->id].runs.optional());
    out["domain"] = node.operation->domain;
    out["input_shapes"] = shapes(node.operation->inputs);
    out["output_shapes"] = shapes(node.operation->outputs);
    out["input_types"] = types(node.operation->inputs);
    if (Json told = attributes(*node.operation); !told.empty()) out["attributes"] = std::move(told);
  }

  Json types(const std::vector<ValueId>& ids) const {
    Json list = Json::array();
    for (const ValueId id : ids) {
      const DataType type = id == kNoValue ? DataType::Undefined : tree_.inference.values[id].type;
      list.push_back(type == DataType::Undefined ? Json(nullptr) : Json(name_of(type)));
    }
    return list;
  }

  static Json attributes(const Node& node) {
    Json told = Json::object();
    for (const Attribute& one : node.attributes) {
      if (!tree::is_told(one)) continue;
      Json& value = told[std::string(one.name)];
      if (one.kind == AttributeKind::Int) value = one.integer;
      if (one.kind == AttributeKind::Ints) value = one.integers;
      if (one.kind == AttributeKind::String) value = std::string(one.text);
    }
    return told;
  }

  Json shapes(const std::vector<ValueId>& ids) const {
    Json list = Json::array();
    for (const ValueId id : ids) {
      const auto* dims = id == kNoValue ? nullptr : &tree_.inference.values[id].dims;
      if (dims == nullptr || !dims->has_value()) {
        list.push_back(nullptr);
        continue;
      }
      Json shape = Json::array();
      for (const Dim dim : **dims) shape.push_back(or_null(count_of(dim).optional()));
      list.push_back(std::move(shape));
    }
    return list;
  }

  const ModelTree& tree_;
  const FiguresOf& figures_of_;
  tree::TreeIds ids_;
};

}  // namespace

void write_tree_line(const ModelTree& tree, std::ostream& out, const FiguresOf& figures_of) {
  Json line;
  line["model_name"] = tree.name;
  line["batch_size"] = or_null(tree::batch_size(tree));
  line["seq_len"] = or_null(tree::sequence_length(tree));
  line["vocabulary"] = tree::vocabulary_of(tree);
  line["notes"] = tree.notes;
  line["frontend_tree"] = LineWriter(tree, figures_of).write(tree.root, "", 0);
  // Names in a model file may be any bytes; what is not UTF-8 is replaced.
  out << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace jouletree
