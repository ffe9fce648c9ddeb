#include <ostream>
#include <vector>

#include <fmt/format.h>

#include "base/text_table.hpp"
#include "report/si_text.hpp"
#include "report/tree_picture.hpp"

namespace jouletree::report {
namespace {

/// A text between quotes of the language of Graphviz.
std::string dot_text(const std::string& text) {
  std::string result;
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string label_of(const ProfileNode& node, const store::ProfileView& view) {
  std::string label = dot_text(node.level == 0 ? view.model : node.name);
  if (!node.type.empty() && node.type != node.name) label += "\\n" + dot_text(node.type);
  std::string numbers;
  if (node.time_s) {
    numbers = fmt::format("{} {}", si_text(*node.time_s, "s"),
                          node.is_in_place() ? "measured in place" : "measured");
  }
  if (node.energy_j) {
    numbers += fmt::format("{}{} {}", numbers.empty() ? "" : "\\n", si_text(*node.energy_j, "J"),
                           dot_text(view.energy.provenance));
  }
  return numbers.empty() ? label : label + "\\n" + numbers;
}

}  // namespace

void print_tree_graphviz(const store::ProfileView& view, std::optional<int> depth,
                         std::ostream& out) {
  out << fmt::format(
      "digraph \"{}\" {{\n  rankdir=LR;\n  node [shape=box, style=filled, "
      "fillcolor=\"#eceff1\", fontname=\"sans-serif\"];\n",
      dot_text(view.model));
  std::vector<std::size_t> above;
  for (std::size_t i = 0; i < view.tree.size(); ++i) {
    const ProfileNode& node = view.tree[i];
    const auto level = static_cast<std::size_t>(node.level);
    above.resize(level + 1);
    above[level] = i;
    if (depth && node.level > *depth) continue;
    out << fmt::format("  n{} [label=\"{}\"{}];\n", i, label_of(node, view),
                       node.kind == "operator" ? ", fillcolor=\"#ffffff\"" : "");
    if (level > 0) out << fmt::format("  n{} -> n{};\n", above[level - 1], i);
  }
  out << "}\n";
}

}  // namespace jouletree::report
