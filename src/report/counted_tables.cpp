#include "report/counted_tables.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "zoo/catalogue.hpp"
#include "zoo/named_model.hpp"
#include "zoo/weightless_graph.hpp"
#include "zoo/written_model.hpp"

namespace jouletree::report {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCellName = "nas-bench-201";
/// What tables call the text of a cell.
constexpr std::string_view kCellSetting = "arch";
constexpr std::array<std::string_view, 4> kCellColumns = {"arch_str", "arch", "architecture",
                                                          "genotype"};

bool is_cell(std::string_view text) { return text.starts_with('|') && text.ends_with('|'); }

/// The path of a model file: beside the table, else as it is written.
std::optional<std::string> file_of(const store::ModelTable& table, const std::string& text) {
  std::error_code error;
  if (table.folder.empty()) return std::nullopt;
  const fs::path beside = fs::path(table.folder) / text;
  if (fs::is_regular_file(beside, error)) return beside.string();
  if (fs::is_regular_file(text, error)) return text;
  return std::nullopt;
}

/// The model of a row, as it is counted.
class RowModel {
 public:
  RowModel(const store::ModelTable& table, const store::ModelRow& row, const TableChoice& choice)
      : row_(row), file_(file_of(table, row.model)) {
    if (!file_) set_zoo_model(table, choice);
  }

  [[nodiscard]] ModelTree tree() const {
    InputSettings settings = input_settings();
    std::shared_ptr<const Graph> graph;
    if (file_) {
      graph = std::make_shared<const Graph>(read_model(*file_, settings));
    } else {
      graph = zoo::weightless_graph(*zoo_->architecture, zoo_->settings);
    }
    if (!row_.input_shape.empty() && !graph->main.inputs.empty()) {
      const auto& input = graph->values[graph->main.inputs.front()];
      settings.shapes.emplace(input.name, sizes_of(row_.input_shape));
    }
    ModelTree tree = build_tree(std::move(graph), settings);
    tree.name = row_.model;
    return tree;
  }

  [[nodiscard]] InputSettings input_settings() const {
    InputSettings settings;
    if (row_.batch) settings.symbols["batch"] = static_cast<Dim>(*row_.batch);
    if (row_.sequence) settings.symbols["sequence"] = static_cast<Dim>(*row_.sequence);
    return settings;
  }

  /// Tells rows of one name apart.
  [[nodiscard]] const std::string& sizes_text() const { return sizes_text_; }

 private:
  static Dims sizes_of(std::string_view text) {
    Dims dims;
    for (std::size_t begin = text.find_first_of("0123456789"); begin != std::string_view::npos;) {
      const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
      dims.push_back(std::stoll(std::string(text.substr(begin, end - begin))));
      begin = text.find_first_of("0123456789", end);
    }
    return dims;
  }

  void set_zoo_model(const store::ModelTable& table, const TableChoice& choice) {
    const bool names_cell = is_cell(row_.model);
    const std::string text = names_cell ? std::string(kCellName) : row_.model;
    if (!zoo::is_zoo_name(text)) refuse(table);
    zoo_ = zoo::written_model(text);
    if (names_cell) zoo_->settings.set_written(kCellSetting, row_.model);
    for (const std::string& given : choice.settings) {
      const auto [key, value] = zoo::key_and_value(given);
      if (zoo_->settings.has(key)) set(key, value);
    }
    for (const auto& [column, value] : row_.others) {
      const bool is_of_cell =
          std::find(kCellColumns.begin(), kCellColumns.end(), column) != kCellColumns.end() &&
          zoo_->settings.has(kCellSetting);
      if (is_of_cell) {
        set(std::string(kCellSetting), value);
      } else if (zoo_->settings.has(column)) {
        set(column, value);
      }
    }
    set_image_size();
  }

  void set(const std::string& key, const std::string& value) {
    zoo_->settings.set_written(key, value);
    sizes_text_ += fmt::format(" {}={}", key, value);
  }

  /// Models of the zoo have the side of their images in a setting.
  void set_image_size() {
    const Dims dims = sizes_of(row_.input_shape);
    if (dims.size() == 4 && zoo_->settings.has("size") && !row_.others.contains("size"))
      set("size", std::to_string(dims.back()));
  }

  [[noreturn]] void refuse(const store::ModelTable& table) const {
    const std::string& text = row_.model;
    if (table.folder.empty()) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}: is no name of the zoo, and a database keeps no files", text));
    }
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: there is no such file beside the table, and the zoo has no such "
                            "model",
                            text));
  }

  const store::ModelRow& row_;
  std::optional<std::string> file_;
  std::optional<zoo::WrittenModel> zoo_;
  std::string sizes_text_;
};

/// The root and, right below it, all operators: a whole is their sum, whatever holds them.
void flatten(TreeRun& run) {
  std::vector<RunNode> nodes;
  nodes.push_back(std::move(run.nodes.front()));
  RunNode& root = nodes.front();
  root.children.clear();
  for (std::size_t i = 1; i < run.nodes.size(); ++i) {
    if (run.nodes[i].level != NodeLevel::Operator || !run.nodes[i].children.empty()) continue;
    run.nodes[i].parent = 0;
    nodes.front().children.push_back(nodes.size());
    nodes.push_back(std::move(run.nodes[i]));
  }
  run.nodes = std::move(nodes);
}

TreeRun counted(const store::ModelTable& table, const store::ModelRow& row,
                const TableChoice& choice, std::optional<ChannelLayout> layout) {
  const RowModel model(table, row, choice);
  ModelTree tree = model.tree();
  if (layout)
    tree = expected_tree(std::move(tree), model.input_settings(), Runner::OnnxRuntime, *layout);
  TreeRun run = counted_run(tree);
  flatten(run);
  run.model = row.model;
  run.device = row.device;
  run.batch = row.batch;
  run.sequence = row.sequence;
  run.file = table.name;
  run.line = row.line;
  run.expected_layout = layout;
  // What was assumed of each of many models is not for one reader.
  run.notes.clear();
  RunNode& root = run.nodes.front();
  root.id = row.model + model.sizes_text();
  root.row = static_cast<std::size_t>(row.position);
  root.time_s = row.time_s;
  root.energy_j = row.energy_j;
  return run;
}

/// A setting that no model has is a slip of the pen.
void check_settings(const store::ModelTable& table, const TableChoice& choice) {
  for (const std::string& given : choice.settings) {
    const auto [key, value] = zoo::key_and_value(given);
    const auto has = [&, &wanted = key](const store::ModelRow& row) {
      const std::string text = is_cell(row.model) ? std::string(kCellName) : row.model;
      return zoo::is_zoo_name(text) && zoo::written_model(text).settings.has(wanted);
    };
    if (std::any_of(table.rows.begin(), table.rows.end(), has)) continue;
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: --set {}: no model of this table has such a setting", table.name, given));
  }
}

[[noreturn]] void refuse_rows(const store::ModelTable& table,
                              const std::vector<std::string>& problems) {
  std::vector<std::string> told;
  std::size_t left = 0;
  constexpr std::size_t kMost = 50;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].empty()) continue;
    if (told.size() < kMost) {
      told.push_back(fmt::format("line {}: {}", table.rows[i].line, problems[i]));
    } else {
      ++left;
    }
  }
  const std::size_t count = told.size() + left;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: {} of {} cannot be counted: {}{}", table.name, count,
                          number_of(table.rows.size(), "model"), fmt::join(told, "; "),
                          left > 0 ? fmt::format("; and {} more", left) : ""));
}

}  // namespace

std::vector<TreeRun> counted_runs(const store::ModelTable& table, const TableChoice& choice,
                                  std::optional<ChannelLayout> layout) {
  check_settings(table, choice);
  std::vector<TreeRun> runs(table.rows.size());
  std::vector<std::string> problems(table.rows.size());
  std::vector<std::exception_ptr> failures(table.rows.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < runs.size(); i = next++) {
      try {
        runs[i] = counted(table, table.rows[i], choice, layout);
      } catch (const Error& error) {
        problems[i] = error.what();
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  {
    const std::size_t count =
        std::min<std::size_t>(runs.size(), std::max(1U, std::thread::hardware_concurrency()));
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  if (std::any_of(problems.begin(), problems.end(),
                  [](const std::string& problem) { return !problem.empty(); }))
    refuse_rows(table, problems);
  return runs;
}

}  // namespace jouletree::report
