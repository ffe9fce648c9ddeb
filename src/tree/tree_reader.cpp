#include <simdjson.h>

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "jouletree/error.hpp"
#include "jouletree/provenance.hpp"
#include "jouletree/tree_run.hpp"
#include "jouletree/units.hpp"
#include "tree/other_json.hpp"
#include "tree/run_checks.hpp"
#include "tree/tree_line.hpp"

namespace jouletree {
namespace {

namespace dom = simdjson::dom;

constexpr int kDeepestTree = 200;

/// Reads one line; knows where it is, for messages.
class LineReader {
 public:
  LineReader(const std::string& file, std::size_t line) : file_(file) {
    run_.file = file;
    run_.line = line;
  }

  TreeRun read(const dom::element& document) {
    dom::object object;
    if (document.get(object) != simdjson::SUCCESS) fail("is not a JSON object");
    dom::object root;
    if (object["frontend_tree"].get(root) != simdjson::SUCCESS)
      fail("has no frontend_tree; is this a tree file?");
    run_.model = text(object, "model_name");
    if (run_.model.empty()) fail("has no model_name");
    run_.family = text(object, "family");
    run_.device = text(object, "device");
    run_.vocabulary = text(object, "vocabulary");
    read_notes(object);
    keys_.clear();
    for (const dom::key_value_pair entry : object) keys_.push_back(entry.key);
    refuse_repeated_keys();
    run_.batch = number(object, "batch_size");
    run_.sequence = number(object, "seq_len");
    if (const std::string problem = tree::problem_of_sizes(run_); !problem.empty()) fail(problem);
    read_node(root, kNoParent, 0);
    return std::move(run_);
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: line {}{}: {}", file_, run_.line,
                            current_.empty() ? "" : fmt::format(", node '{}'", current_), problem));
  }

 private:
  static std::string text(const dom::object& object, const char* key) {
    std::string_view found;
    return object[key].get(found) == simdjson::SUCCESS ? std::string(found) : std::string();
  }

  void read_notes(const dom::object& object) {
    dom::array notes;
    if (object["notes"].get(notes) != simdjson::SUCCESS) return;
    for (const dom::element note : notes) {
      std::string_view text;
      if (note.get(text) == simdjson::SUCCESS) run_.notes.emplace_back(text);
    }
  }

  std::optional<double> number(const dom::object& object, const char* key) const {
    dom::element found;
    if (object[key].get(found) != simdjson::SUCCESS || found.is_null()) return std::nullopt;
    double value = 0;
    if (found.get(value) != simdjson::SUCCESS)
      fail(fmt::format("{} is not a number; write null where it is unknown", key));
    return value;
  }

  std::vector<std::vector<double>> shapes(const dom::element& list) const {
    std::vector<std::vector<double>> all;
    dom::array outer;
    if (list.get(outer) != simdjson::SUCCESS) return all;
    for (const dom::element shape : outer) {
      std::vector<double>& dims = all.emplace_back();
      dom::array inner;
      if (shape.get(inner) != simdjson::SUCCESS) continue;
      for (const dom::element dim : inner) {
        double value = 0;
        if (dim.get(value) != simdjson::SUCCESS) {
          dims.clear();  // a size that depends on data: the shape is of no use
          break;
        }
        dims.push_back(value);
      }
    }
    return all;
  }

  static std::vector<DataType> types(const dom::element& list) {
    std::vector<DataType> all;
    dom::array names;
    if (list.get(names) != simdjson::SUCCESS) return all;
    for (const dom::element one : names) {
      std::string_view name;
      const bool is_name = one.get(name) == simdjson::SUCCESS;
      all.push_back(is_name ? data_type_from_name(name).value_or(DataType::Undefined)
                            : DataType::Undefined);
    }
    return all;
  }

  /// What is neither a word nor whole numbers tells nothing and is passed over.
  static std::vector<RunAttribute> attributes(const dom::element& value) {
    std::vector<RunAttribute> all;
    dom::object settings;
    if (value.get(settings) != simdjson::SUCCESS) return all;
    for (const dom::key_value_pair entry : settings) {
      RunAttribute one{std::string(entry.key), {}, {}};
      std::string_view word;
      double number = 0;
      dom::array list;
      if (entry.value.get(word) == simdjson::SUCCESS) {
        one.word = word;
      } else if (entry.value.get(number) == simdjson::SUCCESS) {
        one.numbers = {number};
      } else if (entry.value.get(list) == simdjson::SUCCESS) {
        for (const dom::element item : list)
          if (item.get(number) == simdjson::SUCCESS) one.numbers.push_back(number);
      }
      all.push_back(std::move(one));
    }
    return all;
  }

  /// Nodes have two dozen keys: one walk over them is faster than two dozen look-ups.
  void take(std::string_view key, const dom::element& value, RunNode& node) {
    const auto to_number = [&](std::optional<double>& target) {
      if (value.is_null()) return;
      double read = 0;
      if (value.get(read) != simdjson::SUCCESS)
        fail(fmt::format("{} is not a number; write null where it is unknown", key));
      target = read;
    };
    const auto to_text = [&](std::string& target) {
      std::string_view read;
      if (value.get(read) == simdjson::SUCCESS) target = read;
    };
    const auto to_mebibytes = [&](std::optional<double>& target) {
      to_number(target);
      if (target) *target /= kMebibyte;
    };
    if (key == "id") return to_text(node.id);
    if (key == "scope") return to_text(node.scope);
    if (key == "instance_type") return to_text(node.type);
    if (key == "type") return to_text(level_);
    if (key == "num_parameters") return to_number(node.params);
    if (key == "flops") return to_number(node.mflops);
    if (key == "mem_bytes") return to_number(node.mebibytes);
    if (key == "macs") return to_number(node.macs);
    if (key == "times_mean") return to_number(node.time_s);
    if (key == "gpu_energy_mean") return to_number(node.gpu_energy_j);
    if (key == "ground_truth_energy") return to_number(node.energy_j);
    if (key == "predicted_energy") return to_number(node.predicted_energy_j);
    if (key == "cpu") return to_number(node.utilization.cpu);
    if (key == "mem") return to_number(node.utilization.memory);
    if (key == "gpu") return to_number(node.utilization.gpu);
    if (key == "gpu_mem") return to_number(node.utilization.gpu_memory);
    if (key == "gpu_clk") return to_number(node.utilization.gpu_clock_mhz);
    if (key == "gpu_mem_clk") return to_number(node.utilization.gpu_memory_clock_mhz);
    if (key == "domain") {
      std::string domain;
      to_text(domain);
      node.is_engine_made = tree::is_of_engine(domain);
      node.is_blocked = tree::is_of_blocks(domain);
    }
    if (key == "energy_provenance") {
      std::string word;
      to_text(word);
      node.is_estimated = word == name_of(Provenance::Estimated);
    }
    if (key == "time_provenance") {
      std::string word;
      to_text(word);
      is_in_place_ = word == kMeasuredInPlace;
    }
    if (key == "input_shapes") node.input_shapes = shapes(value);
    if (key == "output_shapes") node.output_shapes = shapes(value);
    if (key == "input_types") node.input_types = types(value);
    if (key == "attributes") node.attributes = attributes(value);
    if (key == "weight_bytes") to_mebibytes(node.weight_mebibytes);
    if (key == "written_bytes") to_mebibytes(node.written_mebibytes);
  }

  /// Which of two values counts is up to the reader: programs would disagree about the file.
  void refuse_repeated_keys() {
    std::sort(keys_.begin(), keys_.end());
    const auto repeated = std::adjacent_find(keys_.begin(), keys_.end());
    if (repeated != keys_.end()) fail(fmt::format("the key {} stands twice", *repeated));
  }

  NodeLevel level_of(bool has_children) const {
    if (level_ == "model") return NodeLevel::Model;
    if (level_ == "module") return NodeLevel::Module;
    if (level_ == "ml" || level_ == "ml-np") return NodeLevel::Operator;
    if (!level_.empty())
      fail(fmt::format("has the unknown type '{}'; there are model, module, ml", level_));
    fail(has_children ? "has no type; say model or module" : "has no type; say ml");
  }

  void read_node(const dom::object& object, std::size_t parent, int depth) {
    if (depth > kDeepestTree) fail("is nested too deeply");
    const std::size_t index = run_.nodes.size();
    RunNode& node = run_.nodes.emplace_back();
    node.parent = parent;
    level_.clear();
    is_in_place_ = false;
    // An array of no document must not be looked at: an operator need not have the key.
    bool lists_children = false;
    dom::array children;
    keys_.clear();
    for (const dom::key_value_pair entry : object) {
      keys_.push_back(entry.key);
      if (entry.key == "child_nodes_obj") {
        if (entry.value.get(children) != simdjson::SUCCESS) fail("child_nodes_obj is not a list");
        lists_children = true;
      } else {
        take(entry.key, entry.value, node);
      }
    }
    // Predictors learn from operators that ran alone.
    if (is_in_place_) node.time_s.reset();
    current_ = node.id.empty() ? node.scope : node.id;
    if (node.id.empty()) fail("has no id");
    refuse_repeated_keys();
    if (!ids_.insert(node.id).second) fail("this id occurs twice in the run");
    const bool has_children = lists_children && children.begin() != children.end();
    node.level = level_of(has_children);
    if (const std::string problem = tree::problem_of(node); !problem.empty()) fail(problem);
    if (parent != kNoParent) run_.nodes[parent].children.push_back(index);
    if (!has_children) return;
    if (node.level == NodeLevel::Operator) fail("has the type ml, but children");
    for (const dom::element child : children) {
      dom::object inner;
      if (child.get(inner) != simdjson::SUCCESS) fail("child_nodes_obj holds no objects");
      read_node(inner, index, depth + 1);
    }
  }

  const std::string& file_;
  TreeRun run_;
  std::string current_;
  std::string level_;
  bool is_in_place_ = false;            ///< The time of the current node.
  std::vector<std::string_view> keys_;  ///< Of the current object, in any order.
  std::unordered_set<std::string> ids_;
};

std::string problem_of(std::string_view line, simdjson::error_code code) {
  if (line.find("NaN") != std::string_view::npos || line.find("Infinity") != std::string_view::npos)
    return "is not JSON: it holds NaN or Infinity; write null where a number is unknown";
  if (code == simdjson::UTF8_ERROR) return "is not JSON: it holds bytes that are not UTF-8";
  if (code == simdjson::DEPTH_ERROR) return "is nested too deeply";
  if (code == simdjson::MEMALLOC || code == simdjson::CAPACITY) return "is too long";
  constexpr const char* kOnePerLine =
      "a tree file holds one JSON object per line (jq -c . FILE makes it so)";
  if (line.substr(0, line.find_last_not_of(" \t\r") + 1).ends_with('}'))
    return fmt::format("is not valid JSON; {}", kOnePerLine);
  return fmt::format("is not JSON: it ends too early; {}", kOnePerLine);
}

[[noreturn]] void refuse(const std::string& name, std::size_t number, std::string_view line,
                         simdjson::error_code code) {
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: line {} {}", name, number, problem_of(line, code)));
}

TreeRun read_line(dom::parser& parser, std::string_view line, const std::string& name,
                  std::size_t number) {
  dom::element document;
  const auto code = parser.parse(line.data(), line.size()).get(document);
  if (code != simdjson::SUCCESS) refuse(name, number, line, code);
  return LineReader(name, number).read(document);
}

}  // namespace

std::string_view name_of(NodeLevel level) {
  switch (level) {
    case NodeLevel::Operator: return "ml";
    case NodeLevel::Module: return "module";
    case NodeLevel::Model: return "model";
  }
  return "";
}

const RunAttribute* RunNode::attribute(std::string_view name) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const RunAttribute& one) { return one.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

std::string place_of(const TreeRun& run) {
  return run.file.empty() ? fmt::format("line {}", run.line)
                          : fmt::format("{}: line {}", run.file, run.line);
}

TreeRun read_tree_line(std::string_view line, const std::string& name, std::size_t number) {
  dom::parser parser;
  return read_line(parser, line, name, number);
}

TreeRuns read_tree_lines(std::string_view text, const std::string& name) {
  TreeRuns result;
  dom::parser parser;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    result.runs.push_back(read_line(parser, line, name, number));
  }
  if (result.runs.empty()) throw Error(ErrorKind::BadInput, fmt::format("{}: holds no runs", name));
  tree::check_runs(result, name);
  return result;
}

bool is_single_operator(const TreeRun& run) {
  return run.nodes.size() == 1 && run.nodes.front().level == NodeLevel::Operator;
}

TreeRuns read_tree_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  const std::string_view first_line = file.bytes().substr(0, file.bytes().find('\n'));
  if (first_line.find("\"frontend_tree\"") == std::string_view::npos) {
    if (const std::string other = tree::other_json(file.bytes()); !other.empty())
      throw Error(ErrorKind::BadInput, fmt::format("{}: {}", path.string(), other));
  }
  return read_tree_lines(file.bytes(), path.string());
}

}  // namespace jouletree
