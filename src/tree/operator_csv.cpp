#include "jouletree/operator_csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "base/csv.hpp"
#include "base/mapped_file.hpp"
#include "jouletree/error.hpp"
#include "jouletree/provenance.hpp"
#include "jouletree/tree_files.hpp"
#include "jouletree/units.hpp"
#include "model/foreign/foreign.hpp"
#include "tree/run_checks.hpp"

namespace jouletree {
namespace {

constexpr double kFloatBytes = 4;

/// One row, with messages that name it.
class RowReader {
 public:
  RowReader(const CsvTable& table, std::size_t row, const std::string& name)
      : table_(table), row_(row), name_(name) {}

  [[nodiscard]] const std::string& text(const char* column) const {
    return table_.at(row_, column);
  }

  [[nodiscard]] std::optional<double> number(const char* column) const {
    std::string field = text(column);
    if (field.empty()) return std::nullopt;
    // Where a comma separates no fields, it may separate digits.
    if (table_.separator() != ',') std::replace(field.begin(), field.end(), ',', '.');
    double value = 0;
    const char* const end = field.data() + field.size();
    const auto parsed = std::from_chars(field.data(), end, value);
    if (parsed.ec != std::errc{} || parsed.ptr != end)
      fail(fmt::format("{} '{}' is not a number", column, field));
    return value;
  }

  /// Sizes in "(32, 3, 56, 56)" or "32x3x56x56".
  [[nodiscard]] std::vector<double> shape(const char* column) const {
    const std::string& field = text(column);
    std::vector<double> dims;
    const char* place = field.data();
    const char* const end = field.data() + field.size();
    while (place != end) {
      double dim = 0;
      const auto parsed = std::from_chars(place, end, dim);
      if (parsed.ec == std::errc{}) {
        dims.push_back(dim);
        place = parsed.ptr;
      } else {
        ++place;
      }
    }
    return dims;
  }

  /// Header and rows count from 1, as in an editor.
  [[nodiscard]] std::size_t line() const { return row_ + 2; }

  [[nodiscard]] const std::string& file() const { return name_; }

  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(ErrorKind::BadInput, fmt::format("{}: row {}: {}", name_, line(), problem));
  }

  void check(const RunNode& node) const {
    if (const std::string problem = tree::problem_of(node); !problem.empty()) fail(problem);
  }

 private:
  const CsvTable& table_;
  std::size_t row_;
  const std::string& name_;
};

std::optional<double> scaled(const std::optional<double>& number, double unit) {
  return number ? std::optional(*number / unit) : std::nullopt;
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

/// That of the file; profiles all call it layers.csv, but lie in folders of their own.
std::string model_name(const std::filesystem::path& file) {
  const std::string folder = file.parent_path().filename().string();
  return file.filename() == "layers.csv" && !folder.empty() ? folder : file.stem().string();
}

TreeRun read_layers(const CsvTable& table, const std::string& name) {
  TreeRun run;
  run.model = model_name(name);
  run.file = name;
  run.line = 1;
  RunNode& root = run.nodes.emplace_back();
  root.id = run.model;
  root.scope = "root";
  root.level = NodeLevel::Model;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const RowReader row(table, i, name);
    RunNode node;
    node.id = fmt::format("{}|{}", run.model, row.line());
    node.scope = "root." + row.text("name");
    node.type = row.text("type");
    node.parent = 0;
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
    const auto output = row.shape("output_size");
    if (!output.empty()) node.output_shapes.push_back(output);
    node.input_shapes = layer_inputs(row, node, output);
    row.check(node);
    run.nodes.front().children.push_back(run.nodes.size());
    run.nodes.push_back(std::move(node));
  }
  return run;
}

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
    result.runs.push_back(read_layers(table, name));
  }
  if (result.runs.empty() || table.rows() == 0) refuse(name, "holds no operators");
  return result;
}

TreeRuns read_operator_csv(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse_operator_csv(file.bytes(), path.string());
}

}  // namespace jouletree
