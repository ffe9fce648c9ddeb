#include "tree/layer_rows.hpp"

#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "jouletree/provenance.hpp"
#include "jouletree/tree_files.hpp"
#include "jouletree/units.hpp"
#include "tree/csv_row.hpp"

namespace jouletree::tree {
namespace {

/// What tells runs of one table apart.
constexpr const char* kRunColumns[] = {"model_name", "head",   "batch_size",
                                       "seq_len",    "device", "run"};

/// That of the file; profiles all call it layers.csv, but lie in folders of their own.
std::string model_name(const std::filesystem::path& file) {
  const std::string folder = file.parent_path().filename().string();
  return file.filename() == "layers.csv" && !folder.empty() ? folder : file.stem().string();
}

/// The input and, of a convolution, its weights, whose shape follows from the kernel and the MACs.
std::vector<std::vector<double>> layer_inputs(const RowReader& row, const RunNode& node,
                                              const std::vector<double>& output) {
  const auto input = row.shape("input_size");
  if (input.empty()) return {};
  const auto kernel = row.shape("kernel_size");
  const double results = std::accumulate(output.begin(), output.end(), 1.0, std::multiplies<>());
  if (kernel.empty() || output.size() != kernel.size() + 2 || node.macs.value_or(0) <= 0)
    return {input};
  const double window = std::accumulate(kernel.begin(), kernel.end(), 1.0, std::multiplies<>());
  std::vector<double> weights = {output[1], std::round(*node.macs / results / window)};
  weights.insert(weights.end(), kernel.begin(), kernel.end());
  return {input, weights};
}

void read_costs(const RowReader& row, RunNode& node) {
  node.type = row.text("type");
  node.row = row.number_of_row();
  node.params = row.number("params");
  node.macs = row.number("macs");
  node.mflops = scaled(row.number("flops"), 1e6);
  node.mebibytes = scaled(row.number("bytes"), kMebibyte);
  // Predictors learn from operators that ran alone.
  const auto says = [&](const char* column, std::string_view word) {
    // Files of older versions have one column for both.
    return row.text(column) == word || row.text("provenance") == word;
  };
  if (!says("time_provenance", kMeasuredInPlace)) node.time_s = row.number("time_s");
  node.energy_j = row.number("energy_j");
  node.is_estimated = says("energy_provenance", name_of(Provenance::Estimated));
  node.predicted_energy_j = row.number("predicted_energy_j");
  row.check(node);
}

TreeRun empty_run(std::string model, std::string id, const std::string& file, std::size_t line) {
  TreeRun run;
  run.model = std::move(model);
  run.file = file;
  run.line = line;
  RunNode& root = run.nodes.emplace_back();
  root.id = std::move(id);
  root.scope = "root";
  root.level = NodeLevel::Model;
  return run;
}

void add_layer(const RowReader& row, std::size_t number, TreeRun& run) {
  RunNode node;
  node.id = fmt::format("{}|{}", run.nodes.front().id, number);
  node.scope = "root." + row.text("name");
  node.parent = 0;
  read_costs(row, node);
  const auto output = row.shape("output_size");
  if (!output.empty()) node.output_shapes.push_back(output);
  node.input_shapes = layer_inputs(row, node, output);
  run.nodes.front().children.push_back(run.nodes.size());
  run.nodes.push_back(std::move(node));
}

/// Models of one table, in the order in which they first appear.
class Runs {
 public:
  void add(const RowReader& row) {
    TreeRun& run = run_of(row);
    const std::string& level = row.text("level");
    if (level == name_of(NodeLevel::Model)) {
      set_whole(row, run);
    } else if (level.empty() || level == name_of(NodeLevel::Operator)) {
      add_layer(row, run.nodes.size(), run);
    } else {
      row.fail(fmt::format("level is '{}'; it is ml for a layer and model for the whole", level));
    }
  }

  std::vector<TreeRun> take() && { return std::move(runs_); }

 private:
  TreeRun& run_of(const RowReader& row) {
    const std::string& model = row.text("model_name");
    if (model.empty()) row.fail("model_name is empty; it says which model the layer belongs to");
    std::string id = model;
    for (const char* const column : kRunColumns)
      if (column != kRunColumns[0]) id += "|" + row.text(column);
    const auto [place, is_new] = places_.emplace(id, runs_.size());
    if (!is_new) return runs_[place->second];
    TreeRun& run = runs_.emplace_back(empty_run(model, id, row.file(), row.line()));
    run.family = row.text("family");
    run.device = row.text("device");
    run.batch = row.size("batch_size");
    run.sequence = row.size("seq_len");
    return run;
  }

  static void set_whole(const RowReader& row, TreeRun& run) {
    RunNode& root = run.nodes.front();
    if (root.row != 0) {
      row.fail(
          fmt::format("{} has a row for the whole in row {}, too; number repeated "
                      "measurements in a column run, or give them as files of their own",
                      run.model, root.row + 1));
    }
    read_costs(row, root);
  }

  std::vector<TreeRun> runs_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace

std::vector<TreeRun> read_layers(const CsvTable& table, const std::string& name) {
  if (table.has(kRunColumns[0])) {
    Runs runs;
    for (std::size_t i = 0; i < table.rows(); ++i) runs.add(RowReader(table, i, name));
    return std::move(runs).take();
  }
  const std::string model = model_name(name);
  std::vector<TreeRun> runs = {empty_run(model, model, name, 1)};
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const RowReader row(table, i, name);
    add_layer(row, row.line(), runs.front());
  }
  return runs;
}

}  // namespace jouletree::tree
