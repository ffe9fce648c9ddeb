#pragma once

#include <cstdint>
#include <vector>

#include "model/operators/call.hpp"

namespace jouletree::model {

/// The same layer stands in a model many times. Remembers nodes that were evaluated, and finds the
/// one whose rules saw what those of another node would see, so that its results hold for both.
/// Rules see a node through a Call alone.
class RepeatedCalls {
 public:
  /// `graph` and `states`, which are by ValueId, outlast this.
  RepeatedCalls(const Graph& graph, const std::vector<ValueState>& states);

  /// A node that is about to be evaluated.
  struct Place {
    std::uint32_t hash = 0;
    const Node* earlier = nullptr;  ///< Whose results it will have; null where none is known.
    Slots asked = 0;                ///< Inputs whose content the rules of that one looked at.
    bool is_free = false;           ///< It may be remembered.
  };
  [[nodiscard]] Place find(const Node& node) const;
  /// Remembers the node of a call whose rules have run and told nobody but their outputs.
  void add(Place place, const Call& call);

 private:
  struct Entry {
    const Node* node = nullptr;  ///< Null where the slot is free.
    std::uint32_t hash = 0;
    Slots asked = 0;  ///< Inputs whose content its rules looked at.
  };

  [[nodiscard]] std::uint32_t hash_of(const Node& node) const;
  [[nodiscard]] std::uint64_t hash_of(ValueId id) const;
  [[nodiscard]] bool are_alike(const Node& node, const Entry& entry) const;
  [[nodiscard]] bool are_alike(ValueId a, ValueId b) const;
  [[nodiscard]] bool have_same_content(ValueId a, ValueId b) const;

  const Graph& graph_;
  const std::vector<ValueState>& states_;
  std::vector<Entry> entries_;  ///< A power of two, at least half of them free.
};

}  // namespace jouletree::model
