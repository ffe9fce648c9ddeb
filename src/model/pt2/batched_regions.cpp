#include "model/pt2/batched_regions.hpp"

#include "model/pt2/argument_reader.hpp"
#include "model/pt2/program_walk.hpp"

namespace jouletree::model::pt2 {
namespace {

constexpr std::string_view kBatchMarks = "torch._functorch.predispatch.";
constexpr std::size_t kMostRegions = 32;

}  // namespace

BatchedRegions::Calls& BatchedRegions::calls() {
  return open_.empty() ? around_ : open_.back().bodies.front().calls;
}

void BatchedRegions::begin(const std::vector<runtime::Argument>& arguments,
                           const std::vector<runtime::RecordedModule>& path) {
  runtime::RecordedCall loop;
  loop.op = "functorch::vmap";
  loop.path = path;
  loop.body_use = runtime::BodyUse::Loop;
  loop.bodies.emplace_back();
  const bool known =
      !arguments.empty() && arguments.front().kind == runtime::Argument::Kind::Integer;
  if (known && arguments.front().integer >= 0) loop.trips = arguments.front().integer;
  open_.push_back(std::move(loop));
}

void BatchedRegions::end() {
  if (open_.empty()) return;
  runtime::RecordedCall loop = std::move(open_.back());
  open_.pop_back();
  calls().push_back(std::move(loop));
}

void BatchedRegions::close() {
  while (!open_.empty()) end();
}

bool BatchedRegions::take(const dom::object& node, std::string_view op, const dom::array& inputs,
                          const std::vector<runtime::RecordedModule>& path, ValueScope& scope) {
  if (!op.starts_with(kBatchMarks)) return false;
  const std::string_view mark = op.substr(kBatchMarks.size());
  const std::vector<runtime::Argument> arguments = read_arguments(inputs, op, scope, op);
  if (mark == "_vmap_increment_nesting") {
    if (open_.size() >= kMostRegions) refuse_field(op, "is nested too deeply");
    begin(arguments, path);
    return true;
  }
  if (mark == "_vmap_decrement_nesting") {
    end();
    return true;
  }
  for (const std::string_view name : output_names(node, op)) {
    const runtime::Argument result = scope.make_tensor(name).argument;
    if (open_.empty()) continue;
    runtime::RecordedCall& loop = open_.back();
    if (mark == "_add_batch_dim") {
      loop.bodies.front().inputs.push_back(result);
      if (!arguments.empty()) loop.arguments.push_back(arguments.front());
    } else {
      loop.outputs.push_back(result);
      if (!arguments.empty()) loop.bodies.front().outputs.push_back(arguments.front());
    }
  }
  return true;
}

}  // namespace jouletree::model::pt2
