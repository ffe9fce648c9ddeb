#include <algorithm>
#include <limits>
#include <queue>
#include <vector>

#include <fmt/format.h>

#include "model/onnx/block_reader.hpp"
#include "model/reads.hpp"

namespace jouletree::model::onnx {
namespace {

/// Which node of a block gives a value. The values that a block gives are numbered close together.
class Producers {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  explicit Producers(const Block& block) {
    ValueId last = 0;
    for_each_output(block, [&](ValueId id, std::size_t) {
      first_ = std::min(first_, id);
      last = std::max(last, id);
    });
    if (first_ <= last) nodes_.resize(std::size_t{last} - first_ + 1, kNone);
    for_each_output(block, [&](ValueId id, std::size_t node) {
      if (nodes_[id - first_] == kNone) nodes_[id - first_] = node;
    });
  }

  /// The position of the node in the block, or kNone.
  [[nodiscard]] std::size_t of(ValueId id) const {
    return id >= first_ && id - first_ < nodes_.size() ? nodes_[id - first_] : kNone;
  }

 private:
  template <class Use>
  static void for_each_output(const Block& block, const Use& use) {
    for (std::size_t i = 0; i < block.nodes.size(); ++i) {
      for (const ValueId id : block.nodes[i].outputs)
        if (id != kNoValue) use(id, i);
    }
  }

  ValueId first_ = kNoValue;
  std::vector<std::size_t> nodes_;
};

/// Values are mostly numbered in the order of the nodes that give them: then a node that only reads
/// smaller numbers than those that it gives stands behind all that it needs.
bool is_numbered_in_order(const Block& block) {
  ValueId next = 0;
  bool in_order = true;
  for (const Node& node : block.nodes) {
    const ValueId first = node.outputs.empty() ? next : node.outputs[0];
    for_each_read(node, [&](ValueId id) { in_order &= id < first; });
    for (const ValueId id : node.outputs) {
      in_order &= id >= next && id != kNoValue;
      next = id + 1;
    }
    if (!in_order) return false;
  }
  return true;
}

bool is_sorted(const Block& block, const Producers& producers) {
  bool sorted = true;
  for (std::size_t i = 0; i < block.nodes.size() && sorted; ++i) {
    for_each_read(block.nodes[i], [&](ValueId id) {
      const std::size_t producer = producers.of(id);
      if (producer != Producers::kNone && producer >= i) sorted = false;
    });
  }
  return sorted;
}

}  // namespace

void sort_nodes(Block& block) {
  if (is_numbered_in_order(block)) return;
  const Producers producers(block);
  if (is_sorted(block, producers)) return;

  std::vector<std::vector<std::size_t>> users(block.nodes.size());
  std::vector<std::size_t> waiting(block.nodes.size(), 0);
  for (std::size_t i = 0; i < block.nodes.size(); ++i) {
    for_each_read(block.nodes[i], [&](ValueId id) {
      const std::size_t producer = producers.of(id);
      if (producer == Producers::kNone) return;
      users[producer].push_back(i);
      ++waiting[i];
    });
  }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < waiting.size(); ++i)
    if (waiting[i] == 0) ready.push(i);
  std::vector<Node> sorted;
  sorted.reserve(block.nodes.size());
  while (!ready.empty()) {
    const std::size_t next = ready.top();
    ready.pop();
    for (const std::size_t user : users[next])
      if (--waiting[user] == 0) ready.push(user);
    sorted.push_back(std::move(block.nodes[next]));
  }
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i] == 0) continue;
    const Node& node = block.nodes[i];
    throw Error(ErrorKind::BadInput,
                fmt::format("node '{}' ({}) is part of a cycle: it needs its own result", node.name,
                            node.op));
  }
  block.nodes = std::move(sorted);
}

}  // namespace jouletree::model::onnx
