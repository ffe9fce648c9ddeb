#include "model/named_constants.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "model/number_nodes.hpp"
#include "model/operators/table.hpp"

namespace jouletree::model {
namespace {

class NameFolder {
 public:
  explicit NameFolder(Graph& graph) : graph_(graph) {}

  std::int64_t fold(Block& block) {
    std::int64_t folded = 0;
    const auto kept_end =
        std::remove_if(block.nodes.begin(), block.nodes.end(), [&](const Node& node) {
          for (const Attribute& attribute : node.attributes)
            for (const auto& nested : attribute.blocks) folded += fold(*nested);
          if (!only_names_a_constant(node, block)) return false;
          name(node.inputs[0], node.outputs[0]);
          ++folded;
          return true;
        });
    block.nodes.erase(kept_end, block.nodes.end());
    return folded;
  }

 private:
  /// What leaves the block is copied, which is work.
  [[nodiscard]] bool only_names_a_constant(const Node& node, const Block& block) const {
    if (node.inputs.size() != 1 || node.outputs.size() != 1) return false;
    const ValueId from = node.inputs[0];
    const ValueId to = node.outputs[0];
    if (from == kNoValue || to == kNoValue || !graph_.values[from].constant) return false;
    // Asked last: few nodes get this far.
    return facts_of(node.domain, node.op).names &&
           std::find(block.outputs.begin(), block.outputs.end(), to) == block.outputs.end();
  }

  void name(ValueId constant, ValueId other) {
    const GraphValue& from = graph_.values[constant];
    GraphValue& to = graph_.values[other];
    to.constant = from.constant;
    to.declared = from.declared;
    to.declared_dims.clear();
    to.from_constant_node = from.from_constant_node;
    to.stored_as = from.stored_as;
  }

  Graph& graph_;
};

/// Where the bytes of a tensor are outside the model file.
using ExternalPlace = std::tuple<std::filesystem::path, std::int64_t, std::int64_t>;

/// The bytes of a tensor in the model file. That is mapped as a whole, so that addresses are
/// places.
struct StoredBytes {
  const char* data;
  std::size_t size;
  ValueId value;
  [[nodiscard]] auto place() const { return std::pair(data, size); }
  friend bool operator<(const StoredBytes& a, const StoredBytes& b) {
    return std::tuple(a.data, a.size, a.value) < std::tuple(b.data, b.size, b.value);
  }
};

}  // namespace

void fold_named_constants(Graph& graph) {
  const std::int64_t folded = NameFolder(graph).fold(graph.main);
  if (folded == 0) return;
  number_nodes(graph);
  graph.notes.push_back(
      fmt::format("{} that only {} a stored tensor another name {} not counted as {}",
                  folded == 1 ? "one Identity node" : fmt::format("{} Identity nodes", folded),
                  folded == 1 ? "gives" : "give", folded == 1 ? "is" : "are",
                  folded == 1 ? "an operator" : "operators"));
}

std::vector<ValueId> stored_values(const Graph& graph) {
  std::map<ExternalPlace, ValueId> outside;
  std::vector<StoredBytes> inside;
  std::vector<ValueId> stored(graph.values.size());
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const auto value = stored[i] = static_cast<ValueId>(i);
    const auto& tensor = graph.values[i].constant;
    if (!tensor) continue;
    if (const auto& external = tensor->external) {
      if (external->length.value_or(0) > 0) {
        const ExternalPlace place{external->path, external->offset, *external->length};
        stored[i] = outside.try_emplace(place, value).first->second;
      }
      continue;
    }
    const std::string_view bytes = tensor->raw.empty() ? tensor->packed : tensor->raw;
    if (!bytes.empty()) inside.push_back({bytes.data(), bytes.size(), value});
  }
  // Of those in one place, the first comes first. Most files have them in order.
  if (!std::is_sorted(inside.begin(), inside.end())) std::sort(inside.begin(), inside.end());
  for (std::size_t i = 1; i < inside.size(); ++i) {
    if (inside[i].place() == inside[i - 1].place())
      stored[inside[i].value] = stored[inside[i - 1].value];
  }
  return stored;
}

}  // namespace jouletree::model
