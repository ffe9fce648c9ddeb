#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "model/operators/cost_math.hpp"
#include "model/operators/families.hpp"
#include "model/operators/loop_rules.hpp"

namespace jouletree::model {
namespace {

/// What decides which branch is the costlier: products first, then bytes.
struct Weight {
  Count macs;
  Count bytes;
  friend bool operator>=(const Weight& a, const Weight& b) {
    return std::pair(a.macs.value(), a.bytes.value()) >= std::pair(b.macs.value(), b.bytes.value());
  }
};

Weight weight_of(const BlockRunner::Snapshot& before, const BlockRunner::Snapshot& after) {
  Weight weight;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Work& old_work = before[i].work;
    const Work& new_work = after[i].work;
    weight.macs += (new_work.macs - old_work.macs).value_or(0);
    weight.bytes += (new_work.read_bytes - old_work.read_bytes).value_or(0);
    weight.bytes += (new_work.written_bytes - old_work.written_bytes).value_or(0);
  }
  return weight;
}

/// One way that an If may go when its condition is not known.
struct Branch {
  const Block& block;
  BlockRunner::Snapshot before;
  std::vector<ValueState> outputs;
  std::optional<NodeError> failure;
};

/// A branch that does not fit these inputs is one that will not be taken with them.
Branch try_branch(BlockRunner& runner, const Block& block) {
  Branch branch{block, runner.save(block), {}, std::nullopt};
  try {
    branch.outputs = runner.run(block, {}, 1);
  } catch (const NodeError& error) {
    runner.restore(block, branch.before);
    branch.failure = error;
  }
  return branch;
}

void take_only(Call& call, const Branch& taken, const Branch& failed) {
  call.note(
      fmt::format("its condition depends on data; one branch was not counted, because it does "
                  "not fit these inputs: {}",
                  failed.failure->what()));
  for (std::size_t i = 0; i < taken.outputs.size(); ++i) call.set(i, taken.outputs[i].type);
}

void run_both_branches(Call& call, const Block& then_block, const Block& else_block) {
  BlockRunner& runner = call.blocks();
  const Branch then_branch = try_branch(runner, then_block);
  const Branch else_branch = try_branch(runner, else_block);
  if (then_branch.failure && else_branch.failure) throw NodeError(*then_branch.failure);
  if (then_branch.failure) return take_only(call, else_branch, then_branch);
  if (else_branch.failure) return take_only(call, then_branch, else_branch);
  const bool then_is_costlier = weight_of(then_branch.before, runner.save(then_block)) >=
                                weight_of(else_branch.before, runner.save(else_block));
  const Branch& cheaper = then_is_costlier ? else_branch : then_branch;
  runner.restore(cheaper.block, cheaper.before);
  call.note(fmt::format("its condition depends on data; the costlier branch ({}) was counted",
                        then_is_costlier ? "then" : "else"));
  const std::size_t count = std::min(then_branch.outputs.size(), else_branch.outputs.size());
  for (std::size_t i = 0; i < count; ++i)
    call.set(i, merge(then_branch.outputs[i].type, else_branch.outputs[i].type));
}

void if_shape(Call& call) {
  const Block* then_block = call.block("then_branch");
  const Block* else_block = call.block("else_branch");
  if (then_block == nullptr || else_block == nullptr) call.fail("needs two branches");
  const auto condition = call.integer(0);
  if (!condition) return run_both_branches(call, *then_block, *else_block);
  const Block& taken = *condition != 0 ? *then_block : *else_block;
  auto outputs = call.blocks().run(taken, {}, 1);
  for (std::size_t i = 0; i < outputs.size(); ++i) call.set_state(i, std::move(outputs[i]));
}

// The nodes of the blocks carry the work.
constexpr OperatorFacts kChoosesBlock = {.chooses = true};
constexpr OperatorFacts kRepeatsBlock = {.repeats = true};

constexpr OperatorRow kControlFlowRows[] = {
    {kOnnx, "If", if_shape, no_work, {.settings = kAllSlots}, kChoosesBlock},
    {kOnnx, "Loop", loop_shape, no_work, {.settings = slots(0, 1)}, kRepeatsBlock},
    {kOnnx, "Scan", scan_shape, no_work},
    {kOnnx, "SequenceMap", sequence_map_shape, no_work},
    {kTorch, "Repeat", repeat_shape, no_work},
};

}  // namespace

std::span<const OperatorRow> control_flow_rows() { return kControlFlowRows; }

}  // namespace jouletree::model
