#pragma once

#include <optional>
#include <set>
#include <unordered_map>

#include "engines/onnxruntime/opened_bodies.hpp"

namespace jouletree::engines {

/// Finds in the graph of the original file what was opened in that of the engine.
class BodyWalk {
 public:
  /// Ifs that the engine has not seen are decided by the inference.
  BodyWalk(const Graph& graph, const OpenedBodies& opened, const Inference& inference);

  /// Then or else; nothing for what is no If, and for one that nobody saw.
  [[nodiscard]] std::optional<bool> branch_of(const Node& node) const;
  /// Whether it is an If whose branch the engine chose.
  [[nodiscard]] bool engine_chose(const Node& node) const;
  /// Null for what is no Loop or Scan, and for one that was not opened.
  [[nodiscard]] const OpenedBodies::Loop* loop_of(const Node& node) const;
  /// Whether the engine ran it without a single iteration.
  [[nodiscard]] bool is_idle_loop(const Node& node) const;
  /// The branch or the body that runs; null where there is nothing to enter. From then on its
  /// values have the ids of those outside whose place they take.
  const Block* enter(const Node& node);
  [[nodiscard]] ValueId outer_id(ValueId id) const;

 private:
  /// What was seen of a node, by the name of its first output.
  template <class Seen>
  [[nodiscard]] const Seen* find(const std::map<std::string, Seen, std::less<>>& seen,
                                 const Node& node) const;
  void find_copies(const Block& block);
  void give_results(const Node& node, const Block& branch);
  void give_carried(const Node& node, const Block& body, const OpenedBodies::Loop& loop);

  const Graph& graph_;
  const OpenedBodies& opened_;
  const Inference& inference_;
  std::unordered_map<ValueId, ValueId> outer_ids_;
  std::unordered_map<ValueId, ValueId> copies_;  ///< What an Identity makes of a value.
};

}  // namespace jouletree::engines
