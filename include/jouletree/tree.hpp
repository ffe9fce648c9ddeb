#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/inference.hpp"
#include "jouletree/liveness.hpp"
#include "jouletree/parameters.hpp"

namespace jouletree {

/// A sum over operators of which some may be unknown.
class Sum {
 public:
  void add(Count part);
  void add(const Sum& other);

  /// Nothing where no part is known.
  [[nodiscard]] std::optional<std::int64_t> value() const;
  /// The value, or 0: for sorting and shares.
  [[nodiscard]] std::int64_t known() const { return known_; }
  /// A part is unknown: the true sum is at least the value.
  [[nodiscard]] bool lower_bound() const { return missing_ > 0; }

 private:
  std::int64_t known_ = 0;
  std::int64_t parts_ = 0;
  std::int64_t missing_ = 0;
};

/// What the operators below a node of the tree add up to. Shared tensors count once.
struct Totals {
  Sum macs;
  Sum flops;
  Sum read_bytes;
  Sum written_bytes;
  std::int64_t params = 0;
  std::int64_t frozen_params = 0;  ///< Of the parameters, those that training leaves alone.
  std::int64_t statistics = 0;     ///< Elements of running means and variances.
  std::int64_t weight_bytes = 0;
  std::int64_t operators = 0;  ///< That run.
  std::int64_t not_run = 0;    ///< In branches that are not taken.
  std::int64_t without_rule = 0;
  std::int64_t unresolved = 0;
  Count bytes_with_rule;              ///< Known bytes moved by operators that have a rule.
  Count bytes_without_rule;           ///< Known bytes moved by those that have none.
  std::int64_t attribute_params = 0;  ///< Of the parameters, those held in attributes.

  /// All but what stored tensors contribute: those are added by tensor, once each.
  void add_work(const Totals& other);
  [[nodiscard]] Sum bytes_moved() const;
};

enum class TreeNodeKind { Model, Module, Operator };

struct TreeNode {
  TreeNodeKind kind = TreeNodeKind::Module;
  std::string name;   ///< Last part of the scope.
  std::string scope;  ///< Dotted path from the root: "layer1.0.conv1"; empty for the root.
  std::string type;   ///< Operator, class of the module where known, else empty.
  const Node* operation = nullptr;  ///< Of operators, and of modules that are an If, Loop or Scan.
  Totals totals;
  std::vector<TreeNode> children;  ///< In order of first execution.
};

/// A counted model: the graph, its shapes and the tree over them. Movable, not copyable.
struct ModelTree {
  std::shared_ptr<const Graph> graph;  ///< Nodes of the tree point into it.
  Inference inference;
  Constants constants;
  PeakMemory peak;
  TreeNode root;
  std::string name;                ///< Of the model: its file name without the ending.
  std::vector<std::string> notes;  ///< Assumptions behind the numbers, for the reader.
};

/// Reads a model file, infers its shapes and counts it.
[[nodiscard]] ModelTree inspect_model(const std::filesystem::path& path,
                                      const InputSettings& settings);
[[nodiscard]] ModelTree build_tree(std::shared_ptr<const Graph> graph,
                                   const InputSettings& settings);

}  // namespace jouletree
