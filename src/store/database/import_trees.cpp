#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "jouletree/operator_csv.hpp"
#include "jouletree/provenance.hpp"
#include "jouletree/units.hpp"
#include "store/database/import_tables.hpp"

namespace jouletree::store {
namespace {

std::string shape_of(const std::vector<double>& dims) {
  std::string text;
  for (const double dim : dims) text += fmt::format("{}{}", text.empty() ? "" : ",", dim);
  return "[" + text + "]";
}

std::vector<std::string> shapes_of(const std::vector<std::vector<double>>& shapes) {
  std::vector<std::string> texts;
  texts.reserve(shapes.size());
  for (const auto& dims : shapes) texts.push_back(shape_of(dims));
  return texts;
}

std::optional<double> in_units(const std::optional<double>& number, double unit) {
  return number ? std::optional(*number * unit) : std::nullopt;
}

std::string provenance_of(const RunNode& node) {
  if (!node.energy_j) return "";
  return std::string(name_of(node.is_estimated ? Provenance::Estimated : Provenance::Measured));
}

NodeRecord node_record(const RunNode& node, std::size_t position) {
  NodeRecord record;
  record.position = static_cast<std::int64_t>(position);
  if (node.parent != kNoParent) record.parent = static_cast<std::int64_t>(node.parent);
  record.level = name_of(node.level);
  record.scope = node.scope;
  record.type = node.type;
  record.params = node.params;
  record.macs = node.macs;
  record.flops = in_units(node.mflops, kOneMegaflop);
  record.bytes = in_units(node.mebibytes, kMebibyte);
  record.time_s = node.time_s;
  record.energy_j = node.energy_j;
  record.energy_provenance = provenance_of(node);
  record.gpu_energy_j = node.gpu_energy_j;
  return record;
}

void set_node_figures(const RunNode& node, MeasurementRecord& one) {
  if (!one.time_s.value) one.time_s.value = node.time_s;
  if (!one.energy_j.value) {
    one.energy_j.value = node.energy_j;
    one.energy_provenance = provenance_of(node);
  }
  if (node.gpu_energy_j) {
    one.domains.push_back(
        {"gpu", {node.gpu_energy_j, std::nullopt, std::nullopt}, std::nullopt, "measured"});
  }
}

/// Keys of the operators below each node, in order; of an operator its own.
class NodeKeys {
 public:
  explicit NodeKeys(const TreeRun& run) : keys_(run.nodes.size()), operators_(run.nodes.size(), 0) {
    // Children stand after their parents.
    for (std::size_t i = run.nodes.size(); i-- > 0;) {
      const RunNode& node = run.nodes[i];
      if (node.level == NodeLevel::Operator) {
        keys_[i] = operator_of(node).key + "\n";
        operators_[i] = 1;
        continue;
      }
      for (const std::size_t child : node.children) {
        keys_[i] += keys_[child];
        operators_[i] += operators_[child];
      }
    }
  }
  [[nodiscard]] ModuleRecord module(const RunNode& node, std::size_t position) const {
    return {keys_[position], node.type, operators_[position]};
  }

 private:
  std::vector<std::string> keys_;
  std::vector<std::int64_t> operators_;
};

/// Figures of one operator or module of the run.
MeasurementRecord part_of(const RunNode& node, const RunPlace& place) {
  MeasurementRecord one;
  one.machine = place.machine;
  one.engine = place.engine;
  one.source_row =
      place.has_rows && node.row > 0 ? static_cast<std::int64_t>(node.row) : place.source_row;
  one.conditions = place.conditions;
  one.measured_at = place.measured_at;
  set_node_figures(node, one);
  return one;
}

void add_parts(const TreeRun& run, const RunPlace& place, SourceWriter& writer) {
  const NodeKeys keys(run);
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    const RunNode& node = run.nodes[i];
    if (node.level == NodeLevel::Operator) {
      const Id operation = writer.add(operator_of(node));
      if (!node.time_s && !node.energy_j) continue;
      MeasurementRecord one = part_of(node, place);
      one.of = MeasurementRecord::Of::Operator;
      one.subject = operation;
      writer.add(std::move(one));
    } else if (node.level == NodeLevel::Module && (node.time_s || node.energy_j)) {
      MeasurementRecord one = part_of(node, place);
      one.of = MeasurementRecord::Of::Module;
      one.subject = writer.add(keys.module(node, i));
      writer.add(std::move(one));
    }
  }
}

ModelRecord model_of_run(const TreeRun& run, ModelRecord model) {
  const RunNode& root = run.nodes.front();
  if (model.name.empty()) model.name = run.model;
  if (model.family.empty()) model.family = run.family;
  if (!model.batch) model.batch = run.batch;
  if (!model.sequence) model.sequence = run.sequence;
  if (!model.params) model.params = root.params;
  if (!model.macs) model.macs = root.macs;
  if (!model.flops) model.flops = in_units(root.mflops, kOneMegaflop);
  if (!model.bytes) model.bytes = in_units(root.mebibytes, kMebibyte);
  return model;
}

}  // namespace

std::vector<NodeRecord> node_records(const TreeRun& run) {
  std::vector<NodeRecord> nodes;
  nodes.reserve(run.nodes.size());
  for (std::size_t i = 0; i < run.nodes.size(); ++i) nodes.push_back(node_record(run.nodes[i], i));
  return nodes;
}

OperatorRecord operator_of(const RunNode& node) {
  OperatorRecord one;
  one.op = node.type.empty() ? "unknown" : node.type;
  one.inputs = shapes_of(node.input_shapes);
  one.outputs = shapes_of(node.output_shapes);
  one.macs = node.macs;
  one.flops = in_units(node.mflops, kOneMegaflop);
  one.bytes = in_units(node.mebibytes, kMebibyte);
  one.params = node.params;
  one.key = one.op;
  for (const std::string& shape : one.inputs) one.key += " " + shape;
  if (!one.outputs.empty()) one.key += " ->";
  for (const std::string& shape : one.outputs) one.key += " " + shape;
  // Without shapes, what it costs tells operators apart; with them, kernels and strides.
  if (one.flops) one.key += fmt::format(" flops={}", *one.flops);
  if (one.bytes) one.key += fmt::format(" bytes={}", *one.bytes);
  return one;
}

std::optional<Id> add_tree_run(const TreeRun& run, const RunPlace& place, SourceWriter& writer,
                               ModelRecord model, MeasurementRecord whole) {
  add_parts(run, place, writer);
  // An operator that was measured alone is in no model.
  if (is_single_operator(run)) return std::nullopt;
  RunRecord record;
  record.source_row = place.source_row;
  record.model = writer.add(model_of_run(run, std::move(model)));
  record.machine = place.machine;
  record.engine = place.engine;
  record.measured_at = place.measured_at;
  const RunNode& root = run.nodes.front();
  whole.of = MeasurementRecord::Of::Model;
  whole.subject = record.model;
  whole.machine = place.machine;
  whole.engine = place.engine;
  whole.source_row = place.source_row;
  whole.conditions = place.conditions;
  whole.measured_at = place.measured_at;
  set_node_figures(root, whole);
  if (whole.time_s.value || whole.energy_j.value) record.measurement = writer.add(std::move(whole));
  const std::optional<Id> measurement = record.measurement;
  writer.add(std::move(record), node_records(run));
  return measurement;
}

void read_trees(const ImportedFile& file, SourceWriter& writer) {
  std::string_view rest = file.text;
  std::int64_t position = 0;
  std::map<std::string, std::int64_t> lines;  // by what tells runs apart
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
    rest.remove_prefix(line.size());
    ++position;
    writer.keep(position, line);
    if (line.find_first_not_of(" \t\r\n") == std::string_view::npos) continue;
    const TreeRun run = read_tree_line(line, file.path, static_cast<std::size_t>(position));
    const auto [first, is_new] = lines.emplace(run.device + "\n" + run.nodes.front().id, position);
    if (!is_new) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}: line {}: the id '{}' also stands in line {}", file.path,
                              position, run.nodes.front().id, first->second));
    }
    RunPlace place;
    place.machine = writer.machine(run.device);
    place.engine = writer.engine("");
    place.source_row = position;
    add_tree_run(run, place, writer);
    file.progress(file.text.size() - rest.size(), file.text.size());
  }
  if (lines.empty()) throw Error(ErrorKind::BadInput, fmt::format("{}: holds no runs", file.path));
}

bool is_layer_table(const TableRows& table) {
  return table.column("name") && table.column("type") &&
         (table.column("time_s") || table.column("energy_j"));
}

void read_layers(const ImportedFile& file, TableRows& table, SourceWriter& writer) {
  const TreeRuns data = parse_operator_csv(file.text, file.path);
  for (const TreeRun& run : data.runs) {
    RunPlace place;
    place.machine = writer.machine(run.device);
    place.engine = writer.engine("");
    place.has_rows = true;
    // Rows of a run may stand anywhere; this is the first.
    place.source_row = static_cast<std::int64_t>(run.line) - (data.runs.size() == 1 ? 0 : 1);
    add_tree_run(run, place, writer);
  }
  for_each_row(file, table, writer, [] {});
}

}  // namespace jouletree::store
