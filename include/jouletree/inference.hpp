#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/elements.hpp"
#include "jouletree/graph.hpp"

namespace jouletree {

/// What the user says about the inputs of a model.
struct InputSettings {
  std::map<std::string, Dims, std::less<>> shapes;      ///< By input name.
  std::map<std::string, Dim, std::less<>> symbols;      ///< By the name of a symbolic dimension.
  std::map<std::string, Elements, std::less<>> values;  ///< By input name, where content matters.
  std::map<std::string, DataType, std::less<>> types;  ///< By input name, where the file is silent.
  std::set<std::string, std::less<>> from_data;  ///< Inputs whose shape is that of their data file.
  /// Sizes of open dimensions, by their key, that an engine refused: infer() looks for others.
  std::vector<std::map<std::string, Dim, std::less<>>> refused;
};

/// Who or what said how large a dimension of an input is.
enum class SizeOrigin : std::uint8_t {
  File,        ///< Fixed in the model file.
  Given,       ///< By the user.
  Data,        ///< Of the file that the input takes its data from.
  Expression,  ///< Follows from other dimensions: "past + sequence".
  Graph,       ///< Open in the file, but weights or other operands demand this size.
  Usual,       ///< Open: a usual size of such inputs.
  Example,     ///< Open: the size of the example that the file was made with.
  EmptyCache,  ///< Open: a cache that holds nothing yet.
  Default,     ///< Open, and counted as 1.
};
/// "file", "given", "data", "expression", "graph", "usual", "example", "empty cache",
/// "default".
[[nodiscard]] std::string_view name_of(SizeOrigin origin);

struct InputDim {
  std::string name;  ///< As the file calls it; empty where it has no name.
  Dim size = kUnknownDim;
  SizeOrigin origin = SizeOrigin::File;
  bool open = false;  ///< The file does not fix it.
};

/// An input as it was counted.
struct InputShape {
  std::string name;
  DataType type = DataType::Undefined;
  std::optional<std::vector<InputDim>> dims;  ///< Nothing where the rank is unknown.
};
/// With the names of open dimensions: "batch x 3 x 32 = 1x3x32"; "of unknown shape" without dims.
[[nodiscard]] std::string to_string(const InputShape& shape);

/// What one or several executions of a node do. Counted, never measured.
struct Work {
  Count macs;           ///< Multiply-accumulates of matrix products and convolutions.
  Count flops;          ///< Floating-point (or integer) operations; a multiply-add is two.
  Count read_bytes;     ///< Activations and weights read.
  Count written_bytes;  ///< Outputs written.

  friend Work operator+(const Work& a, const Work& b);
  friend Work operator*(const Work& work, Count times);
};

enum class NodeStatus {
  NotRun,      ///< In a branch that is not taken or a loop without iterations.
  NoRule,      ///< The operator table has no row for it: its work is unknown.
  Unresolved,  ///< It has a rule, but its shapes depend on data.
  Counted,
};

struct NodeResult {
  NodeStatus status = NodeStatus::NotRun;
  Count runs = 0;  ///< Executions per inference: more than one inside a loop.
  Work work;       ///< Of all runs together.
};

/// Shapes of all values and work of all nodes of a graph for given inputs.
struct Inference {
  std::vector<ValueType> values;  ///< By ValueId; in a loop, those of the last iteration.
  /// By ValueId: small contents that follow from the graph alone; null where unknown.
  std::vector<std::shared_ptr<const Elements>> contents;
  std::vector<NodeResult> nodes;   ///< By NodeId.
  std::vector<InputShape> inputs;  ///< Those of the main block that are no constants.
  /// What was chosen for open dimensions, by their key: a symbol, or "x[2]" where it has none.
  std::map<std::string, Dim, std::less<>> chosen;
  std::vector<std::string> notes;       ///< Assumptions that the reader of the numbers must know.
  std::vector<std::string> size_notes;  ///< Those of them that tell of the sizes of inputs.
};

/// The settings that name an input or a symbolic dimension of this graph, for settings that are
/// meant for several models.
[[nodiscard]] InputSettings applicable_settings(const Graph& graph, const InputSettings& settings);
/// A setting that fits none of several models is a slip of the pen: throws Error(BadInput) naming
/// those that are in none of what applicable_settings() gave for them, and what could be set.
void refuse_unused(const InputSettings& settings, const std::vector<InputSettings>& used,
                   const std::vector<const Graph*>& graphs);

/// Reads a model of any known format. TorchScript files do not say how large their inputs are:
/// LibTorch runs them once with the shapes of the settings. Programs of torch.export are read for
/// the sizes of the settings, so that the graph holds for these alone. Settings that name no input
/// of the model are left to infer() to complain about. Throws Error(BadInput) for what is no model
/// and Error(Missing) where the engine that a format needs is not there.
[[nodiscard]] Graph read_model(const std::filesystem::path& path, const InputSettings& settings);
/// The same of an ONNX file or a program of torch.export in memory, which must outlive the graph;
/// `path` names it in errors.
[[nodiscard]] Graph read_model(std::string_view bytes, const std::filesystem::path& path,
                               const InputSettings& settings);

/// Sizes of open dimensions that the settings leave out are chosen: what weights and other operands
/// demand, a usual size where the input is an image or a signal, nothing for the length of a cache,
/// else 1. Throws Error(BadInput) for settings that do not fit the model and for shapes that
/// contradict each other, naming the node.
[[nodiscard]] Inference infer(const Graph& graph, const InputSettings& settings);

/// The settings with which another form of the same model, such as the engine's, gets the same
/// sizes.
[[nodiscard]] InputSettings settled_settings(const Inference& inference, InputSettings settings);

}  // namespace jouletree
