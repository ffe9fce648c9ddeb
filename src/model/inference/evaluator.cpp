#include "model/inference/evaluator.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/inference/constants.hpp"
#include "model/inference/size_search.hpp"

namespace jouletree::model {
namespace {

/// Nested loops could otherwise multiply the work of a small file without bound.
constexpr std::int64_t kInferencesPerNode = 64;
constexpr std::int64_t kFreeInferences = 200'000;
constexpr int kMaxDepth = 64;

Count bytes_of_all(const std::vector<ValueId>& ids, std::vector<ValueState>& states) {
  Count total = 0;
  for (auto id = ids.begin(); id != ids.end(); ++id) {
    const bool repeated = std::find(ids.begin(), id, *id) != id;
    if (*id != kNoValue && !repeated) total += states[*id].type.bytes();
  }
  return total;
}

bool all_resolved(const std::vector<ValueId>& ids, const std::vector<ValueState>& states) {
  return std::all_of(ids.begin(), ids.end(), [&](ValueId id) {
    return id == kNoValue || states[id].type.resolved() || states[id].type.kind == ValueKind::Map ||
           states[id].type.kind == ValueKind::Opaque;
  });
}

bool has_blocks(const Node& node) {
  return std::any_of(node.attributes.begin(), node.attributes.end(),
                     [](const Attribute& attribute) { return !attribute.blocks.empty(); });
}

}  // namespace

Evaluator::Evaluator(const Graph& graph, InputStates inputs)
    : graph_(graph),
      folder_(graph.path.parent_path()),
      states_(graph.values.size()),
      unreadable_(graph.values.size(), false),
      results_(graph.node_count),
      repeated_(graph, states_),
      budget_(kFreeInferences + kInferencesPerNode * static_cast<std::int64_t>(graph.node_count)) {
  if (graph.recorded) take_recorded_types();
  set_constants();
  for (std::size_t i = 0; i < graph.main.inputs.size(); ++i) {
    const ValueId id = graph.main.inputs[i];
    if (!graph.values[id].constant) states_[id] = std::move(inputs.states[i]);
  }
  notes_ = graph.notes;
  notes_.insert(notes_.end(), inputs.notes.begin(), inputs.notes.end());
  size_notes_ = std::move(inputs.notes);
  inputs_ = std::move(inputs.shapes);
  trust_declared_ = inputs.as_declared;
}

void Evaluator::take_recorded_types() {
  for (std::size_t i = 0; i < graph_.values.size(); ++i)
    states_[i].type = graph_.values[i].declared;
}

void Evaluator::set_constants() {
  for (std::size_t i = 0; i < graph_.values.size(); ++i) {
    const auto& constant = graph_.values[i].constant;
    if (!constant) continue;
    states_[i].type.type = constant->type;
    states_[i].type.dims = constant->dims;
  }
}

Inference Evaluator::run() {
  evaluate(graph_.main);
  Inference result;
  result.values.reserve(states_.size());
  result.contents.reserve(states_.size());
  for (ValueState& state : states_) {
    result.values.push_back(std::move(state.type));
    result.contents.push_back(std::move(state.content));
  }
  result.nodes = std::move(results_);
  result.inputs = std::move(inputs_);
  result.notes = std::move(notes_);
  result.size_notes = std::move(size_notes_);
  return result;
}

bool Evaluator::is_constant(ValueId id) const { return graph_.values[id].constant.has_value(); }

bool Evaluator::has_content(ValueId id) const {
  if (states_[id].content != nullptr) return true;
  const auto& constant = graph_.values[id].constant;
  return constant && !unreadable_[id] && has_loadable_content(*constant);
}

const Elements* Evaluator::content(ValueId id) {
  ValueState& state = states_[id];
  if (state.content == nullptr && has_content(id)) {
    auto loaded = load_content(*graph_.values[id].constant, folder_);
    if (loaded) {
      state.content = std::make_shared<const Elements>(std::move(*loaded));
    } else {
      unreadable_[id] = true;
    }
  }
  return state.content.get();
}

void Evaluator::note(std::string text) {
  ++told_notes_;
  if (noted_.insert(text).second) notes_.push_back(std::move(text));
}

void Evaluator::evaluate(const Block& block) {
  for (const Node& node : block.nodes) evaluate(node);
}

void Evaluator::evaluate(const Node& node) {
  ++progress_.nodes;
  if (depth_ == 0) ++progress_.main_nodes;
  if (--budget_ < 0) throw NodeError(node, "its loops are nested too deeply to count");
  // Values in a loop change from one iteration to the next; recorded ones have a type without
  // rules.
  const bool changes = graph_.recorded || depth_ > 0;
  const RepeatedCalls::Place place = changes ? RepeatedCalls::Place() : repeated_.find(node);
  if (place.earlier != nullptr) return take_results(place, node);
  const std::size_t notes = told_notes_;
  Call call(node, *this);
  evaluate(call);
  // A note names its node.
  if (told_notes_ == notes) repeated_.add(place, call);
}

void Evaluator::take_results(const RepeatedCalls::Place& place, const Node& node) {
  const Node& earlier = *place.earlier;
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    if (node.outputs[i] != kNoValue) states_[node.outputs[i]] = states_[earlier.outputs[i]];
  // As if the rules had read the same constants again.
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId id = node.inputs[i];
    if (id != kNoValue && has_slot(place.asked, i))
      states_[id].content = states_[earlier.inputs[i]].content;
  }
  results_[node.id] = results_[earlier.id];
}

void Evaluator::evaluate(Call& call) {
  const Node& node = call.node();
  if (!graph_.recorded) {
    for (const ValueId id : node.outputs)
      if (id != kNoValue) states_[id] = {};
  }
  const OperatorRow* row = find_operator(node.domain, node.op);
  try {
    if (!graph_.recorded) {
      if (row != nullptr) row->shape(call);
      take_declared_types(node);
    } else if (row != nullptr && has_blocks(node)) {
      row->shape(call);  // It counts the blocks.
    }
    NodeResult& result = results_[node.id];
    result.runs += times_;
    if (row == nullptr || row->cost == nullptr) {
      result.status = NodeStatus::NoRule;
      result.work = {Count::unknown(), Count::unknown(),
                     bytes_of_all(node.inputs, states_) * times_,
                     bytes_of_all(node.outputs, states_) * times_};
      return;
    }
    add_work(call, *row);
    if (row->facts.chooses) note_who_decides(node);
    if (row->facts.repeats) note_who_repeats(node);
  } catch (const NodeError&) {
    if (graph_.recorded) return leave_uncounted(node);
    if (failed_ == nullptr) failed_ = &node;
    throw;
  } catch (const Error& error) {
    if (graph_.recorded) return leave_uncounted(node);
    if (failed_ == nullptr) failed_ = &node;
    throw NodeError(node, error.what());
  }
}

/// What ran is right: where a rule does not fit it, the rule lacks something.
void Evaluator::leave_uncounted(const Node& node) {
  results_[node.id] = {NodeStatus::NoRule,
                       times_,
                       {Count::unknown(), Count::unknown(), bytes_of_all(node.inputs, states_),
                        bytes_of_all(node.outputs, states_)}};
}

void Evaluator::note_who_decides(const Node& choice) {
  if (choice.inputs.empty() || choice.inputs[0] == kNoValue || is_constant(choice.inputs[0]))
    return;
  if (!origins_) origins_.emplace(graph_);
  // Sizes are chosen in order to be counted, not in order to choose a branch.
  if (origins_->inputs_behind(choice.inputs[0]).contents.empty()) return;
  const std::string who = origins_->who_decides(choice.inputs[0]);
  if (!deciders_.insert(who).second) return;
  const Elements* condition = content(choice.inputs[0]);
  const bool known = condition != nullptr && !condition->empty() && condition->front().known();
  const char* counted = "";
  if (known) {
    counted = condition->front().as_integer() != 0 ? "the then branch was counted; "
                                                   : "the else branch was counted; ";
  }
  note(fmt::format("{}: {}{}", describe(choice), counted, who));
}

/// Of a loop whose number of iterations is unknown: its limit, else what ends it.
void Evaluator::note_who_repeats(const Node& loop) {
  for (const ValueId id : {loop.inputs.empty() ? kNoValue : loop.inputs[0],
                           loop.inputs.size() < 2 ? kNoValue : loop.inputs[1]}) {
    if (id == kNoValue || is_constant(id) || content(id) != nullptr) continue;
    if (!origins_) origins_.emplace(graph_);
    if (origins_->inputs_behind(id).contents.empty()) continue;
    const std::string who = origins_->who_decides(id);
    if (deciders_.insert(who).second) note(fmt::format("{}: {}", describe(loop), who));
    return;
  }
}

/// What the file says about a value helps where the operator table does not know.
void Evaluator::take_declared_types(const Node& node) {
  for (const ValueId id : node.outputs) {
    if (id == kNoValue) continue;
    ValueState& state = states_[id];
    const ValueType& declared = graph_.values[id].declared;
    if (state.type.type == DataType::Undefined && state.type.kind == ValueKind::Tensor) {
      state.type.type = declared.type;
      state.type.kind = declared.kind;
    }
    if (!trust_declared_ || !declared.dims || state.type.resolved()) continue;
    if (!state.type.dims) state.type.dims = declared.dims;
    if (state.type.dims->size() != declared.dims->size()) continue;
    for (std::size_t i = 0; i < declared.dims->size(); ++i)
      if ((*state.type.dims)[i] == kUnknownDim) (*state.type.dims)[i] = (*declared.dims)[i];
  }
}

void Evaluator::add_work(const Call& call, const OperatorRow& row) {
  const Node& node = call.node();
  const OperatorWork once = row.cost(call);
  Work work{once.macs, once.flops, 0, 0};
  const bool is_view =
      node.placement == Placement::ByRule ? row.facts.view : node.placement == Placement::View;
  if (!is_view) {
    // The rule of a view says that nothing moves, which an engine may see otherwise.
    const bool rule_knows = !row.facts.view;
    work.read_bytes =
        rule_knows && once.read_bytes ? *once.read_bytes : bytes_of_all(node.inputs, states_);
    work.written_bytes = rule_knows && once.written_bytes ? *once.written_bytes
                                                          : bytes_of_all(node.outputs, states_);
  }
  NodeResult& result = results_[node.id];
  result.work = result.work + work * times_;
  const bool resolved = work.macs.known() && work.flops.known() &&
                        all_resolved(node.inputs, states_) && all_resolved(node.outputs, states_);
  if (!resolved) {
    result.status = NodeStatus::Unresolved;
  } else if (result.status == NodeStatus::NotRun) {
    result.status = NodeStatus::Counted;
  }
}

std::vector<ValueState> Evaluator::run(const Block& block, std::vector<ValueState> inputs,
                                       Count times) {
  if (depth_ >= kMaxDepth) throw Error(ErrorKind::BadInput, "blocks are nested too deeply");
  const Nesting nesting(*this, times);
  for (std::size_t i = 0; i < block.inputs.size(); ++i) {
    ValueState& state = states_[block.inputs[i]];
    if (i < inputs.size()) state = std::move(inputs[i]);
    if (!state.type.dims && trust_declared_) {
      const ValueType& declared = graph_.values[block.inputs[i]].declared;
      if (state.type.type == DataType::Undefined) state.type.type = declared.type;
    }
  }
  evaluate(block);
  std::vector<ValueState> outputs;
  outputs.reserve(block.outputs.size());
  for (const ValueId id : block.outputs) {
    (void)content(id);  // A constant that is handed out must bring its content along.
    outputs.push_back(states_[id]);
  }
  return outputs;
}

BlockRunner::Snapshot Evaluator::save(const Block& block) const {
  return {results_.begin() + block.first_node, results_.begin() + block.last_node};
}

void Evaluator::restore(const Block& block, const Snapshot& snapshot) {
  std::copy(snapshot.begin(), snapshot.end(), results_.begin() + block.first_node);
}

}  // namespace jouletree::model

namespace jouletree {

Work operator+(const Work& a, const Work& b) {
  return {a.macs + b.macs, a.flops + b.flops, a.read_bytes + b.read_bytes,
          a.written_bytes + b.written_bytes};
}

Work operator*(const Work& work, Count times) {
  return {work.macs * times, work.flops * times, work.read_bytes * times,
          work.written_bytes * times};
}

Inference infer(const Graph& graph, const InputSettings& settings) try {
  return model::infer_with_found_sizes(graph, settings);
} catch (const Error& error) {
  throw Error(error.kind(), fmt::format("{}: {}", graph.path.string(), error.what()));
}

}  // namespace jouletree
