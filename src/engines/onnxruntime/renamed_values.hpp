#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace jouletree::engines {

/// New names of values by their old ones.
using NewNames = std::map<std::string, std::string, std::less<>>;

/// A graph that belongs to a node: the branch of an If, the body of a Loop or Scan.
struct BodyParts {
  std::vector<std::string_view> nodes;         ///< Bytes.
  std::vector<std::string_view> initializers;  ///< Bytes.
  std::vector<std::string_view> inputs;        ///< Names.
  std::vector<std::string_view> input_infos;   ///< Descriptions of the same.
  std::vector<std::string_view> outputs;       ///< Names.
  /// Names of its inputs, its initializers and what its own nodes give.
  std::set<std::string, std::less<>> defined;
  bool has_sparse_initializers = false;
};

/// The views point into the bytes of the graph.
[[nodiscard]] BodyParts read_body(std::string_view graph);

/// Names of all values that the graph or a graph inside it defines.
void collect_names(std::string_view graph, std::set<std::string, std::less<>>& names);

/// Bytes of the graph attribute of a node; empty where it has none of this name.
[[nodiscard]] std::string_view body_of(std::string_view node, std::string_view attribute);

/// A node whose values have new names, also where its own graphs read them from outside.
[[nodiscard]] std::string with_new_names(std::string_view node, const NewNames& names);

}  // namespace jouletree::engines
