#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "jouletree/graph.hpp"

namespace jouletree::model {

/// The inputs of a model that a value follows from.
struct DecidingInputs {
  std::vector<ValueId> contents;  ///< Their elements matter.
  std::vector<ValueId> shapes;    ///< Nothing but their sizes matters.
};

/// Finds where values come from, through all blocks of a graph.
class ValueOrigins {
 public:
  explicit ValueOrigins(const Graph& graph);

  [[nodiscard]] DecidingInputs inputs_behind(ValueId value) const;
  /// For people: which inputs decide about the value, and with which flag they are set. Empty for a
  /// value that follows from constants alone.
  [[nodiscard]] std::string who_decides(ValueId value) const;

 private:
  void add_block(const Block& block);
  /// Null for inputs of the model and for constants.
  [[nodiscard]] const Node* origin_of(ValueId value) const;

  const Graph& graph_;
  std::unordered_map<ValueId, const Node*> producers_;
  /// Inputs of bodies come from those of the node that the body belongs to.
  std::unordered_map<ValueId, const Node*> owners_;
};

}  // namespace jouletree::model
