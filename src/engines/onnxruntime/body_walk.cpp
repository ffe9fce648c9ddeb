#include "engines/onnxruntime/body_walk.hpp"

#include "model/operators/table.hpp"

namespace jouletree::engines {
namespace {

const Block* block_of(const Node& node, std::string_view name) {
  const Attribute* attribute = node.attribute(name);
  return attribute == nullptr || attribute->blocks.empty() ? nullptr : attribute->blocks[0].get();
}

}  // namespace

BodyWalk::BodyWalk(const Graph& graph, const OpenedBodies& opened, const Inference& inference)
    : graph_(graph), opened_(opened), inference_(inference) {
  find_copies(graph.main);
}

void BodyWalk::find_copies(const Block& block) {
  for (const Node& node : block.nodes) {
    if (model::facts_of(node.domain, node.op).names && node.inputs.size() == 1 &&
        node.outputs.size() == 1)
      copies_.emplace(node.inputs[0], node.outputs[0]);
    for (const Attribute& attribute : node.attributes)
      for (const auto& nested : attribute.blocks) find_copies(*nested);
  }
}

/// Engines drop an Identity and give the name of its output to the node before it.
template <class Seen>
const Seen* BodyWalk::find(const std::map<std::string, Seen, std::less<>>& seen,
                           const Node& node) const {
  for (const ValueId output : node.outputs) {
    if (output == kNoValue) continue;
    if (const auto found = seen.find(graph_.values[outer_id(output)].name); found != seen.end())
      return &found->second;
    const auto copy = copies_.find(output);
    if (copy == copies_.end()) return nullptr;
    const auto found = seen.find(graph_.values[outer_id(copy->second)].name);
    return found == seen.end() ? nullptr : &found->second;
  }
  return nullptr;
}

std::optional<bool> BodyWalk::branch_of(const Node& node) const {
  if (!model::facts_of(node.domain, node.op).chooses || node.inputs.empty() ||
      node.inputs[0] == kNoValue)
    return std::nullopt;
  if (const bool* seen = find(opened_.branches, node)) return *seen;
  const auto& content = inference_.contents[node.inputs[0]];
  if (content == nullptr || content->empty() || !content->front().known()) return std::nullopt;
  return content->front().as_integer() != 0;
}

bool BodyWalk::engine_chose(const Node& node) const {
  return model::facts_of(node.domain, node.op).chooses && find(opened_.branches, node) != nullptr;
}

const OpenedBodies::Loop* BodyWalk::loop_of(const Node& node) const {
  if (node.op != "Loop" && node.op != "Scan") return nullptr;
  return find(opened_.loops, node);
}

bool BodyWalk::is_idle_loop(const Node& node) const {
  return find(opened_.idle_loops, node) != nullptr;
}

const Block* BodyWalk::enter(const Node& node) {
  if (const auto then = branch_of(node)) {
    const Block* branch = block_of(node, *then ? "then_branch" : "else_branch");
    if (branch != nullptr) give_results(node, *branch);
    return branch;
  }
  const OpenedBodies::Loop* loop = loop_of(node);
  const Block* body = loop == nullptr ? nullptr : block_of(node, "body");
  if (body != nullptr) give_carried(node, *body, *loop);
  return body;
}

void BodyWalk::give_results(const Node& node, const Block& branch) {
  std::set<ValueId> made;
  for (const Node& inner : branch.nodes) made.insert(inner.outputs.begin(), inner.outputs.end());
  for (std::size_t i = 0; i < branch.outputs.size() && i < node.outputs.size(); ++i) {
    if (node.outputs[i] != kNoValue && made.count(branch.outputs[i]) > 0)
      outer_ids_.emplace(branch.outputs[i], outer_id(node.outputs[i]));
  }
}

/// Later iterations read what earlier ones carried along, which has names of its own.
void BodyWalk::give_carried(const Node& node, const Block& body, const OpenedBodies::Loop& loop) {
  std::size_t first = 0;
  std::size_t last = node.inputs.size();
  if (node.op == "Loop") {
    first = 2;
    if (loop.taken > 0) return;
  } else {
    const Attribute* scanned = node.attribute("num_scan_inputs");
    const auto count = scanned == nullptr ? last : static_cast<std::size_t>(scanned->integer);
    last -= std::min(last, count);
  }
  for (std::size_t i = first; i < last && i < body.inputs.size(); ++i)
    if (node.inputs[i] != kNoValue) outer_ids_.emplace(body.inputs[i], outer_id(node.inputs[i]));
}

ValueId BodyWalk::outer_id(ValueId id) const {
  const auto found = outer_ids_.find(id);
  return found == outer_ids_.end() ? id : found->second;
}

}  // namespace jouletree::engines
