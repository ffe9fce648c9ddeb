#pragma once

#include <vector>

#include "jouletree/graph.hpp"

namespace jouletree {

/// What a stored tensor is to the model.
enum class ConstantRole {
  Unused,
  Setting,    ///< A shape, a limit, a scale: part of the architecture.
  Statistic,  ///< A running mean or variance: stored, but not trained.
  Parameter,
};

/// A node's parameters and stored bytes.
struct ConstantUse {
  ValueId value = kNoValue;
  ConstantRole role = ConstantRole::Unused;
  bool frozen = false;        ///< A parameter that training leaves alone.
  std::int64_t elements = 0;  ///< Parameters, where it is one.
  std::int64_t bytes = 0;
};

struct Constants {
  std::vector<ConstantUse> by_value;           ///< By ValueId; only constants have a role.
  std::vector<std::int64_t> attribute_params;  ///< By NodeId: parameters held in attributes.
};

/// Decides by how each constant is used, looking through operators that only hand it on.
/// Constants with the same bytes in the file (external data shared by two names) are one: all
/// but the first carry the id of the first in `value`.
[[nodiscard]] Constants classify_constants(const Graph& graph);

/// Why fewer parameters may be in the file than were trained; empty where nothing points to it.
[[nodiscard]] std::string folded_normalization_note(const Graph& graph);

}  // namespace jouletree
