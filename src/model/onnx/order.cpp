#include <queue>
#include <unordered_map>

#include <fmt/format.h>

#include "model/onnx/block_reader.hpp"
#include "model/reads.hpp"

namespace jouletree::model::onnx {
namespace {

using Producers = std::unordered_map<ValueId, std::size_t>;

Producers producers_of(const Block& block) {
  Producers producers;
  for (std::size_t i = 0; i < block.nodes.size(); ++i) {
    for (const ValueId id : block.nodes[i].outputs)
      if (id != kNoValue) producers.emplace(id, i);
  }
  return producers;
}

bool is_sorted(const Block& block, const Producers& producers) {
  bool sorted = true;
  for (std::size_t i = 0; i < block.nodes.size() && sorted; ++i) {
    for_each_read(block.nodes[i], [&](ValueId id) {
      const auto found = producers.find(id);
      if (found != producers.end() && found->second >= i) sorted = false;
    });
  }
  return sorted;
}

}  // namespace

void sort_nodes(Block& block) {
  const Producers producers = producers_of(block);
  if (is_sorted(block, producers)) return;

  std::vector<std::vector<std::size_t>> users(block.nodes.size());
  std::vector<std::size_t> waiting(block.nodes.size(), 0);
  for (std::size_t i = 0; i < block.nodes.size(); ++i) {
    for_each_read(block.nodes[i], [&](ValueId id) {
      const auto found = producers.find(id);
      if (found == producers.end()) return;
      users[found->second].push_back(i);
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
