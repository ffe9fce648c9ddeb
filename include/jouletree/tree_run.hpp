#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/measured_on.hpp"
#include "jouletree/tree.hpp"

namespace jouletree {

enum class NodeLevel { Operator, Module, Model };

/// "ml", "module", "model", as tree files say.
[[nodiscard]] std::string_view name_of(NodeLevel level);

inline constexpr std::size_t kNoParent = std::numeric_limits<std::size_t>::max();

/// What sensors saw while a node ran; per cent and MHz, as published with the IrEne data.
struct Utilization {
  std::optional<double> cpu;
  std::optional<double> memory;
  std::optional<double> gpu;
  std::optional<double> gpu_memory;
  std::optional<double> gpu_clock_mhz;
  std::optional<double> gpu_memory_clock_mhz;
};

/// A setting of an operator: a word ("Relu") or whole numbers (a permutation).
struct RunAttribute {
  std::string name;
  std::string word;
  std::vector<double> numbers;
};

/// One node of a run. What the file does not know is nothing, never 0.
struct RunNode {
  std::string id;
  std::string scope;
  std::string type;             ///< Class of the module or operator; empty where unknown.
  bool is_engine_made = false;  ///< An operator that an engine put in when it fused the graph.
  bool is_blocked = false;      ///< The engine keeps channels of its maps in blocks.
  NodeLevel level = NodeLevel::Operator;
  std::size_t row = 0;  ///< Of the CSV that it was read from, from 1; 0 where there is none.
  std::size_t parent = kNoParent;
  std::vector<std::size_t> children;  ///< Indices into the nodes of the run.

  std::optional<double> params;
  std::optional<double> mflops;  ///< Millions; a multiply-add is two.
  std::optional<double> mebibytes;
  std::optional<double> macs;
  std::vector<std::vector<double>> input_shapes;  ///< Empty where the file has none.
  std::vector<std::vector<double>> output_shapes;
  std::vector<DataType> input_types;  ///< By input; empty where the file does not say.
  std::vector<RunAttribute> attributes;
  std::optional<double> weight_mebibytes;  ///< Stored tensors that it reads.
  std::optional<double> written_mebibytes;

  std::optional<double> time_s;
  std::optional<double> gpu_energy_j;
  std::optional<double> energy_j;
  bool is_estimated = false;  ///< The energy, by a power model.
  std::optional<double> predicted_energy_j;
  Utilization utilization;

  /// Null where the operator has no such setting, or the file tells none.
  [[nodiscard]] const RunAttribute* attribute(std::string_view name) const;
};

/// How ONNX Runtime keeps the maps of image models on a CPU: with their channels in blocks, as on
/// x86-64, or as they are, as on ARM.
enum class ChannelLayout { Blocked, Plain };

/// One line of a tree file: a model, run with inputs of one size.
struct TreeRun {
  std::string model;
  std::string family;  ///< Empty where the file does not say.
  std::string device;  ///< Empty where the file does not say.
  std::optional<double> batch;
  std::optional<double> sequence;
  std::vector<RunNode> nodes;  ///< The root first, children after their parent.
  std::string vocabulary;      ///< Whose names operators carry, where the file says so.
  /// The operators are those that ONNX Runtime is expected to run with this layout (expected_tree).
  std::optional<ChannelLayout> expected_layout{};
  std::vector<std::string> notes;  ///< Assumptions behind its sizes and counts, for the reader.
  std::string file;                ///< That it was read from.
  std::size_t line = 0;            ///< In the file, from 1.
  /// Nothing where nobody says.
  std::optional<MeasuredOn> measured_on{};
  std::string measured_at{};  ///< UTC, ISO 8601; empty where nobody says.
};

/// An operator that was measured by itself, in no model.
[[nodiscard]] bool is_single_operator(const TreeRun& run);

/// "runs.jsonl: line 3", for messages.
[[nodiscard]] std::string place_of(const TreeRun& run);

/// Runs of a tree file and what is odd about them, one sentence each.
struct TreeRuns {
  std::vector<TreeRun> runs;
  std::vector<std::string> warnings;
};

/// Reads a tree file. Throws Error(BadInput) naming file, line and node for what is no JSON, lacks
/// keys, has an unknown type, the same id twice, or an energy or time that is not above zero.
[[nodiscard]] TreeRuns read_tree_file(const std::filesystem::path& path);
/// The same from memory; `name` stands for the file in messages.
[[nodiscard]] TreeRuns read_tree_lines(std::string_view text, const std::string& name);
/// One line of such a file, which has this number there.
[[nodiscard]] TreeRun read_tree_line(std::string_view line, const std::string& name,
                                     std::size_t number);

/// A counted model as a run in which nothing is measured yet.
[[nodiscard]] TreeRun counted_run(const ModelTree& tree);

}  // namespace jouletree
