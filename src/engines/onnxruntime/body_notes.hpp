#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engines/onnxruntime/opened_bodies.hpp"
#include "model/deciding_inputs.hpp"

namespace jouletree::engines {

/// For people: which branches and iterations were measured, who decides, and how to choose others.
class BodyNotes {
 public:
  /// Both must outlive the notes, and the nodes of the graph must stay where they are.
  BodyNotes(const Graph& original, const OpenedBodies& opened)
      : graph_(original), opened_(opened), origins_(original) {}

  void add_branch(const Node& choice, bool then);
  void add_loop(const Node& node, const OpenedBodies::Loop& loop);
  void add_idle_loop(const Node& node);
  [[nodiscard]] std::vector<std::string> write() const;

 private:
  /// By who decides, in order of appearance.
  using Lists = std::vector<std::pair<std::string, std::vector<std::string>>>;

  static void add(Lists& lists, const std::string& who, std::string text);
  [[nodiscard]] std::string who_chooses(ValueId condition) const;
  [[nodiscard]] std::string who_ends(const Node& node) const;

  const Graph& graph_;
  const OpenedBodies& opened_;
  model::ValueOrigins origins_;
  Lists branches_;
  Lists loops_;
  Lists idle_loops_;
};

}  // namespace jouletree::engines
