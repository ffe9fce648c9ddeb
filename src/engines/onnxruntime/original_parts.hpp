#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "jouletree/graph.hpp"

namespace jouletree::engines {

/// Finds the nodes of a model that a node of the graph that an engine made of it stands for.
/// Engines fuse nodes, replace them, and add some of their own; the names of values tell where it
/// happened.
class OriginalParts {
 public:
  /// Both graphs must outlive the object.
  OriginalParts(const Graph& original, const Graph& optimised);

  /// The nodes on the way from what the node reads to what it gives; those that only compute
  /// constants for it are not among them. Of one that only hands a value on in another form, the
  /// node that the value comes from. Empty where nothing is found.
  [[nodiscard]] std::vector<const Node*> of(const Node& node) const;

 private:
  using Values = std::vector<std::string_view>;
  struct Producer {
    const Node* node = nullptr;
    std::size_t position = 0;  ///< In execution order.
  };

  void index(const Block& block);
  void find_alias(const Node& node);
  void trace_made_inputs(const Node& node);
  void trace_made_outputs();
  [[nodiscard]] std::string_view value_behind(const Node& node, std::string_view value) const;
  [[nodiscard]] bool is_original(std::string_view value) const;
  [[nodiscard]] std::string_view name_of(ValueId id) const;
  [[nodiscard]] Values values_of(const std::vector<ValueId>& ids,
                                 const std::unordered_map<ValueId, Values>& made) const;
  [[nodiscard]] std::vector<const Node*> between(const Values& from, const Values& to) const;
  [[nodiscard]] const Node* same(const Node& node) const;
  [[nodiscard]] const Node* named_like(std::string_view name) const;

  const Graph& original_;
  const Graph& optimised_;
  std::unordered_map<std::string_view, Producer> producers_;  ///< By value.
  std::unordered_map<std::string_view, const Node*> by_name_;
  std::unordered_map<std::string_view, std::vector<const Node*>> consumers_;  ///< By value.
  std::unordered_map<std::string_view, std::string_view> aliases_;
  /// Values that the engine made, and the original ones that they come from and lead to.
  std::unordered_map<ValueId, Values> made_from_;
  std::unordered_map<ValueId, Values> made_for_;
};

}  // namespace jouletree::engines
