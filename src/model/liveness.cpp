#include "jouletree/liveness.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "model/operators/table.hpp"
#include "model/reads.hpp"

namespace jouletree {
namespace {

constexpr std::size_t kToTheEnd = std::numeric_limits<std::size_t>::max();

class Planner {
 public:
  Planner(const Graph& graph, const Inference& inference)
      : graph_(graph),
        inference_(inference),
        storage_(graph.values.size()),
        lives_(graph.values.size()) {
    for (std::size_t i = 0; i < storage_.size(); ++i) storage_[i] = static_cast<ValueId>(i);
  }

  PeakMemory plan() {
    PeakMemory peak;
    peak.bytes = peak_of(graph_.main);
    peak.complete = complete_;
    return peak;
  }

  MemoryTimeline timeline() {
    MemoryTimeline timeline;
    peak_of(graph_.main, &timeline);
    timeline.complete = complete_;
    return timeline;
  }

 private:
  /// From which step of a block to which.
  struct Life {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t visit = 0;  ///< Of the block that it belongs to.
  };

  /// Where a value lives; views live in the storage of what they show.
  ValueId storage_of(ValueId id) const { return storage_[id]; }

  static bool shares_storage(const Node& node) {
    if (node.inputs.empty() || node.inputs[0] == kNoValue || node.outputs.empty() ||
        node.outputs[0] == kNoValue)
      return false;
    if (node.placement != Placement::ByRule) return node.placement != Placement::Fresh;
    return model::facts_of(node.domain, node.op).view;
  }

  void share_storage(const Node& node) {
    if (!shares_storage(node)) return;
    const std::size_t sharing = node.placement == Placement::ByRule ? 1 : node.outputs.size();
    for (std::size_t i = 0; i < sharing; ++i)
      if (node.outputs[i] != kNoValue) storage_[node.outputs[i]] = storage_of(node.inputs[0]);
  }

  Count bytes_of(ValueId id) {
    if (graph_.values[id].constant) return 0;
    const Count bytes = inference_.values[id].bytes();
    if (!bytes.known()) complete_ = false;
    return bytes.value_or(0);
  }

  /// `timeline` is filled in where there is one.
  std::int64_t peak_of(const Block& block, MemoryTimeline* timeline = nullptr) {
    const std::size_t visit = ++visits_;
    std::vector<ValueId> living;
    const auto begin = [&](ValueId id, std::size_t step) {
      if (lives_[id].visit != visit) living.push_back(id);
      lives_[id] = {step, step, visit};
    };
    const auto extend = [&](ValueId id, std::size_t step) {
      Life& life = lives_[id];
      if (life.visit == visit) life.last = std::max(life.last, step);
    };
    for (const ValueId id : block.inputs) begin(id, 0);
    for (std::size_t i = 0; i < block.nodes.size(); ++i) {
      const Node& node = block.nodes[i];
      if (inference_.nodes[node.id].status == NodeStatus::NotRun) continue;
      share_storage(node);
      for (const ValueId id : node.outputs)
        if (id != kNoValue && storage_of(id) == id) begin(id, i);
      model::for_each_read(node, [&](ValueId id) { extend(storage_of(id), i); });
    }
    for (const ValueId id : block.outputs) extend(storage_of(id), kToTheEnd);

    std::vector<Count> change(block.nodes.size() + 1, 0);
    for (const ValueId id : living) {
      const Life& life = lives_[id];
      const Count bytes = bytes_of(id);
      change[life.first] += bytes;
      if (life.last < block.nodes.size()) change[life.last + 1] += Count(0) - bytes;
    }
    Count live = 0;
    std::int64_t peak = 0;
    for (std::size_t i = 0; i < change.size(); ++i) {
      live += change[i];
      const Count inside = i < block.nodes.size() ? peak_inside(block.nodes[i]) : 0;
      const std::int64_t bytes = (live + inside).value();
      if (timeline != nullptr && i < block.nodes.size()) {
        if (bytes > peak) timeline->peak_step = i;
        timeline->bytes.push_back(bytes);
      }
      peak = std::max(peak, bytes);
    }
    if (timeline != nullptr) set_alive(living, *timeline);
    return peak;
  }

  void set_alive(const std::vector<ValueId>& living, MemoryTimeline& timeline) {
    std::vector<std::pair<std::int64_t, ValueId>> alive;
    for (const ValueId id : living) {
      const Life& life = lives_[id];
      const std::int64_t bytes = bytes_of(id).value_or(0);
      if (life.first <= timeline.peak_step && timeline.peak_step <= life.last && bytes > 0)
        alive.emplace_back(-bytes, id);
    }
    std::sort(alive.begin(), alive.end());
    for (const auto& [bytes, id] : alive) timeline.at_peak.push_back(id);
  }

  std::int64_t peak_inside(const Node& node) {
    std::int64_t peak = 0;
    for (const Attribute& attribute : node.attributes)
      for (const auto& block : attribute.blocks) peak = std::max(peak, peak_of(*block));
    return peak;
  }

  const Graph& graph_;
  const Inference& inference_;
  std::vector<ValueId> storage_;
  std::vector<Life> lives_;  ///< By value, as the last visit of its block left them.
  std::size_t visits_ = 0;   ///< Of blocks.
  bool complete_ = true;
};

}  // namespace

PeakMemory peak_activation_memory(const Graph& graph, const Inference& inference) {
  return Planner(graph, inference).plan();
}

MemoryTimeline memory_timeline(const Graph& graph, const Inference& inference) {
  return Planner(graph, inference).timeline();
}

}  // namespace jouletree
