#pragma once

#include <map>
#include <memory>
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
};

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
  std::vector<std::string> notes;  ///< Assumptions that the reader of the numbers must know.
};

/// The settings that name an input or a symbolic dimension of this graph, for settings that are
/// meant for several models.
[[nodiscard]] InputSettings applicable_settings(const Graph& graph, const InputSettings& settings);

/// Reads a model of any known format. TorchScript files do not say how large their inputs are:
/// LibTorch runs them once with the shapes of the settings. Settings that name no input of the
/// model are left to infer() to complain about. Throws Error(BadInput) for what is no model and
/// Error(Missing) where the engine that a format needs is not there.
[[nodiscard]] Graph read_model(const std::filesystem::path& path, const InputSettings& settings);

/// Throws Error(BadInput) for settings that do not fit the model and for shapes that contradict
/// each other, naming the node.
[[nodiscard]] Inference infer(const Graph& graph, const InputSettings& settings);

}  // namespace jouletree
