#include "jouletree/operator_csv.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/csv.hpp"
#include "base/mapped_file.hpp"
#include "jouletree/error.hpp"
#include "jouletree/units.hpp"
#include "model/foreign/foreign.hpp"
#include "tree/csv_row.hpp"
#include "tree/layer_rows.hpp"

namespace jouletree {
namespace {

using tree::RowReader;
using tree::scaled;

constexpr double kFloatBytes = 4;

/// What a framework's layer stores, as the second input of the ONNX operator.
std::vector<double> weight_shape(const RowReader& row) {
  const auto outputs = row.number("out_channels");
  const auto inputs = row.number("in_channels");
  if (outputs && inputs) {
    return {*outputs, *inputs / row.number("groups").value_or(1),
            row.number("kernel_h").value_or(1), row.number("kernel_w").value_or(1)};
  }
  if (const auto features = row.number("out_features"))
    return {*features, row.number("in_features").value_or(0)};
  return {};
}

/// How it was run changes what an operator does; the plain forward pass needs no word.
std::string type_of(const RowReader& row) {
  const std::string& mode = row.text("exec_mode");
  std::string type = row.text("op_class");
  // What drops nothing does nothing.
  if (row.number("p") == 0.0) type += " p=0";
  if (!mode.empty() && mode != "fwd_eval_inference_mode") type += " (" + mode + ")";
  return type;
}

TreeRun read_measured_operator(const RowReader& row) {
  TreeRun run;
  run.model = row.text("op_key");
  run.family = row.text("op_class");
  run.device = row.text("gpu_config");
  run.file = row.file();
  run.line = row.line();
  RunNode& node = run.nodes.emplace_back();
  node.id = fmt::format("{}|{}|{}", run.model, row.text("exec_mode"), row.text("phase"));
  node.scope = run.model;
  node.row = row.number_of_row();
  node.type = type_of(row);
  node.params = row.number("derived_n_weight");
  node.mflops = scaled(row.number("derived_flops_fwd"), 1e6);
  const auto inputs = row.number("derived_n_in");
  const auto outputs = row.number("derived_n_out");
  if (inputs && outputs)
    node.mebibytes = kFloatBytes * (*inputs + *outputs + node.params.value_or(0)) / kMebibyte;
  const auto weights = weight_shape(row);
  const bool is_product = !weights.empty() && node.mflops;
  node.macs = is_product ? *node.mflops * 1e6 / 2 : 0;
  node.input_shapes.push_back(row.shape("input_shape"));
  if (!weights.empty()) node.input_shapes.push_back(weights);
  const auto output = row.shape("derived_output_shape");
  if (!output.empty()) node.output_shapes.push_back(output);
  node.time_s = row.number("runtime_mean_s");
  node.energy_j = scaled(row.number("energy_per_iter_mJ"), 1e3);
  node.predicted_energy_j = row.number("predicted_energy_j");
  if (!run.device.empty()) {
    run.batch =
        node.input_shapes[0].empty() ? std::nullopt : std::optional(node.input_shapes[0][0]);
  }
  row.check(node);
  return run;
}

/// Columns that name what a row is about, in tables of whole models.
constexpr std::array kModelColumns = {"model",        "model_name", "arch_str", "arch",
                                      "architecture", "network",    "arch_idx", "genotype",
                                      "model_id",     "net",        "Model",    "Network",
                                      "Architecture", "cell",       "modelname"};

std::string columns_text(std::string_view header) {
  constexpr std::size_t kMost = 80;
  const std::string_view line = header.substr(0, header.find_last_not_of("\r\n") + 1);
  return std::string(line.substr(0, kMost)) + (line.size() > kMost ? "…" : "");
}

/// Why the columns tell nothing about what operators cost.
std::string what_is_missing(const CsvTable& table, std::string_view header) {
  if (table.has("op_class"))
    return "it lists operators (op_class), but not what they took: add the column runtime_mean_s";
  if (table.has("name") && table.has("type"))
    return "it lists operators (name, type), but not what they took: add the column time_s";
  for (const char* const column : kModelColumns) {
    if (!table.has(column)) continue;
    return fmt::format(
        "it has one row per whole model (column {}), which tells nothing about "
        "operators; measure them with 'jouletree profile MODEL -o FOLDER', and "
        "name the folders instead",
        column);
  }
  return fmt::format(
      "it needs the columns name, type and time_s, or op_class and "
      "runtime_mean_s, but has: {}",
      columns_text(header));
}

/// Text that is no table should not be called one.
bool looks_like_table(std::string_view header) {
  return header.find_first_of(",;\t") != std::string_view::npos &&
         std::all_of(header.begin(), header.end(), [](unsigned char letter) {
           return letter >= ' ' || letter == '\r' || letter == '\t';
         });
}

[[noreturn]] void refuse(const std::string& name, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("{}: {}", name, problem));
}

}  // namespace

TreeRuns parse_operator_csv(std::string_view text, const std::string& name) {
  text = without_byte_order_mark(text);
  const std::string_view header = text.substr(0, text.find('\n'));
  if (const auto lost = model::foreign::describe_lost_content(name, text)) refuse(name, *lost);
  if (!looks_like_table(header)) {
    refuse(name,
           "is neither a tree file (JSON Lines), nor a CSV of operators, nor a folder of a "
           "profile");
  }
  // First the columns: whatever follows a header of something else is of no interest.
  const CsvTable columns(header, name);
  const bool lists_operators = columns.has("op_class") && columns.has("runtime_mean_s");
  const bool lists_layers = columns.has("name") && columns.has("type") &&
                            (columns.has("time_s") || columns.has("energy_j"));
  if (!lists_operators && !lists_layers)
    refuse(name, "is not a CSV of measured operators: " + what_is_missing(columns, header));
  const CsvTable table(text, name);
  TreeRuns result;
  if (lists_operators) {
    for (std::size_t i = 0; i < table.rows(); ++i)
      result.runs.push_back(read_measured_operator(RowReader(table, i, name)));
  } else {
    result.runs = tree::read_layers(table, name);
  }
  if (result.runs.empty() || table.rows() == 0) refuse(name, "holds no operators");
  return result;
}

TreeRuns read_operator_csv(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse_operator_csv(file.bytes(), path.string());
}

}  // namespace jouletree
