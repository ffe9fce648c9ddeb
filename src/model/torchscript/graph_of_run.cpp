#include "model/torchscript/graph_of_run.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/number_nodes.hpp"
#include "model/operators/table.hpp"
#include "model/torchscript/aten_table.hpp"

namespace jouletree::model::torchscript {
namespace {

constexpr int kOpset = 17;

std::string_view after_namespace(std::string_view op) {
  const std::size_t at = op.rfind("::");
  return at == std::string_view::npos ? op : op.substr(at + 2);
}

std::string_view namespace_of(std::string_view op) { return op.substr(0, op.find("::")); }

/// Dropout that does not train hands its input on, also where it says that it writes.
bool is_idle_dropout(const runtime::RecordedCall& call) {
  return call.op.find("dropout") != std::string::npos && !call.arguments.empty() &&
         call.arguments.back().kind == runtime::Argument::Kind::Boolean &&
         call.arguments.back().integer == 0;
}

/// Changes how a tensor shows its memory, not what is in it.
bool is_view_in_place(std::string_view op) {
  constexpr std::array<std::string_view, 10> kNames = {
      "aten::unsqueeze_", "aten::squeeze_",    "aten::transpose_", "aten::t_",
      "aten::swapdims_",  "aten::as_strided_", "aten::swapaxes_",  "aten::view_",
      "aten::detach_",    "aten::unflatten_"};
  return std::find(kNames.begin(), kNames.end(), op) != kNames.end();
}

class GraphWriter {
 public:
  explicit GraphWriter(const runtime::RecordedRun& run) : run_(run) {
    graph_.recorded = true;
    graph_.producer = "pytorch";
  }

  Graph write() {
    add_stored();
    for (const runtime::RecordedInput& input : run_.inputs) add_input(input);
    for (const runtime::RecordedCall& call : run_.calls) {
      phase_ = call.phase;
      add_call(call, path_of(call));
      ++call_;
    }
    std::vector<const runtime::RecordedTensor*> outputs;
    runtime::collect_tensors(run_.outputs, outputs);
    for (const runtime::RecordedTensor* tensor : outputs)
      graph_.main.outputs.push_back(value_of(*tensor));
    number_nodes(graph_);
    return std::move(graph_);
  }

 private:
  /// Work of a training step that belongs to no module gets a row of its own.
  static std::vector<runtime::RecordedModule> path_of(const runtime::RecordedCall& call) {
    if (call.has_path || call.phase == Phase::Forward) return call.path;
    return {{fmt::format("({})", name_of(call.phase)), ""}};
  }

  std::string_view keep(std::string text) {
    return graph_.made_names.emplace_back(std::move(text));
  }

  ValueId add_value(const runtime::RecordedTensor& tensor, std::string name) {
    GraphValue& value = graph_.values.emplace_back();
    value.name = keep(std::move(name));
    value.declared.type = tensor.type;
    value.declared.dims = tensor.dims;
    for (const Dim dim : tensor.dims) value.declared_dims.push_back({dim, {}});
    const auto id = static_cast<ValueId>(graph_.values.size() - 1);
    ids_[tensor.number] = id;
    return id;
  }

  void add_constant(const runtime::RecordedTensor& tensor, const std::string& name,
                    StoredAs stored_as, bool whole_numbers = false) {
    GraphValue& value = graph_.values[add_value(tensor, name)];
    // Training gives no whole numbers: a grid or a list of anchors, unless an operator says that it
    // is its weight.
    value.from_constant_node = whole_numbers;
    value.stored_as = stored_as;
    StoredTensor& constant = value.constant.emplace();
    constant.name = value.name;
    constant.type = tensor.type;
    constant.dims = tensor.dims;
    if (tensor.storage != 0) stored_in_.emplace(tensor.storage, ids_.at(tensor.number));
  }

  /// Constants in the code are settings, unless the whole file was frozen and has its parameters
  /// there.
  void add_stored() {
    const bool frozen = std::none_of(run_.stored.begin(), run_.stored.end(), [](const auto& item) {
      return item.kind == runtime::StoredKind::Parameter;
    });
    for (const runtime::RecordedStore& item : run_.stored) {
      if (ids_.count(item.tensor.number) > 0) continue;
      StoredAs stored_as = frozen ? StoredAs::Unsaid : StoredAs::Buffer;
      if (item.kind == runtime::StoredKind::Parameter)
        stored_as = item.trainable ? StoredAs::Parameter : StoredAs::FrozenParameter;
      if (item.kind == runtime::StoredKind::Buffer) stored_as = StoredAs::Buffer;
      add_constant(item.tensor, item.name, stored_as, item.whole_numbers);
    }
  }

  void add_input(const runtime::RecordedInput& input) {
    runtime::RecordedTensor tensor = input.value.tensor;
    if (!input.value.is_tensor()) {
      tensor.number = 0;
      tensor.type =
          input.value.kind == runtime::Argument::Kind::Real ? DataType::Float64 : DataType::Int64;
    }
    graph_.main.inputs.push_back(add_value(tensor, input.name));
  }

  /// A tensor that no call made came from the interpreter itself: a number put into a tensor.
  ValueId value_of(const runtime::RecordedTensor& tensor) {
    const auto known = ids_.find(tensor.number);
    return known != ids_.end() ? known->second : add_value(tensor, "");
  }

  static bool hands_arguments_back(const runtime::RecordedCall& call,
                                   const std::vector<const runtime::RecordedTensor*>& outputs) {
    if (call.writes) return false;
    std::vector<const runtime::RecordedTensor*> given;
    for (const runtime::Argument& argument : call.arguments)
      runtime::collect_tensors(argument, given);
    return std::all_of(outputs.begin(), outputs.end(), [&](const runtime::RecordedTensor* output) {
      return std::any_of(given.begin(), given.end(), [&](const runtime::RecordedTensor* input) {
        return input->number == output->number;
      });
    });
  }

  void add_call(const runtime::RecordedCall& call,
                const std::vector<runtime::RecordedModule>& path) {
    std::vector<const runtime::RecordedTensor*> outputs;
    for (const runtime::Argument& output : call.outputs) runtime::collect_tensors(output, outputs);
    if (outputs.empty() || does_nothing(call.op) || is_idle_dropout(call) ||
        hands_arguments_back(call, outputs))
      return;
    if (!call.bodies.empty()) return add_control(call, outputs, path);
    const AtenRow* row = find_aten(call.op);
    if (row == nullptr && !call.inner.empty()) {
      for (const runtime::RecordedCall& inner : call.inner) add_call(inner, path);
      return;
    }
    if (row == nullptr) row = find_composite(call.op);
    const std::string_view op = keep(call.op);
    NodeDraft draft(call, row != nullptr ? row->domain : namespace_of(op),
                    row != nullptr ? row->op : after_namespace(op), graph_.made_names);
    if (row != nullptr) {
      row->translate(draft);
    } else {
      draft.take_all_tensors();
    }
    add_node(draft, outputs, after_namespace(op), path);
  }

  /// What runs parts of the program: their nodes carry the work.
  void add_control(const runtime::RecordedCall& call,
                   const std::vector<const runtime::RecordedTensor*>& outputs,
                   const std::vector<runtime::RecordedModule>& path) {
    const bool chooses = call.body_use == runtime::BodyUse::Choice && call.bodies.size() == 2;
    NodeDraft draft(call, chooses ? kOnnx : kTorch, chooses ? "If" : "Repeat", graph_.made_names);
    if (chooses) {
      draft.take({0});
      draft.add_block("then_branch", block_of(call.bodies[0], path));
      draft.add_block("else_branch", block_of(call.bodies[1], path));
    } else {
      draft.take_all_tensors();
      for (const runtime::RecordedBody& body : call.bodies)
        draft.add_block("body", block_of(body, path));
      if (call.trips) draft.set("trips", *call.trips);
    }
    add_node(draft, outputs, after_namespace(keep(call.op)), path);
  }

  std::shared_ptr<Block> block_of(const runtime::RecordedBody& body,
                                  const std::vector<runtime::RecordedModule>& path) {
    auto block = std::make_shared<Block>();
    for (const runtime::Argument& input : body.inputs)
      block->inputs.push_back(add_value(input.tensor, ""));
    std::vector<Node>* const around = nodes_;
    nodes_ = &block->nodes;
    for (const runtime::RecordedCall& call : body.calls)
      add_call(call, call.path.empty() ? path : call.path);
    nodes_ = around;
    std::vector<const runtime::RecordedTensor*> outputs;
    for (const runtime::Argument& output : body.outputs) runtime::collect_tensors(output, outputs);
    for (const runtime::RecordedTensor* tensor : outputs)
      block->outputs.push_back(value_of(*tensor));
    return block;
  }

  void add_node(NodeDraft& draft, const std::vector<const runtime::RecordedTensor*>& outputs,
                std::string_view name, const std::vector<runtime::RecordedModule>& path) {
    Node node;
    node.name = name;
    node.op = draft.op;
    node.domain = draft.domain;
    node.opset = kOpset;
    node.placement = placement_of(draft, *outputs[0]);
    for (const runtime::Argument* input : draft.inputs)
      node.inputs.push_back(input == nullptr ? kNoValue : input_of(*input));
    while (!node.inputs.empty() && node.inputs.back() == kNoValue) node.inputs.pop_back();
    node.phase = phase_;
    node.call = call_;
    for (const runtime::RecordedTensor* output : outputs) {
      const ValueId id = add_value(*output, std::string(name));
      node.outputs.push_back(id);
      const auto stored = stored_in_.find(output->storage);
      if (stored != stored_in_.end()) graph_.values[id].view_of = stored->second;
    }
    node.attributes = std::move(draft.attributes);
    for (const runtime::RecordedModule& step : path)
      node.modules.push_back({keep(step.name), keep(step.type)});
    nodes_->push_back(std::move(node));
  }

  /// Packed weights are stored in the file, but belong to no module.
  ValueId input_of(const runtime::Argument& argument) {
    if (ids_.count(argument.tensor.number) == 0 &&
        packed_numbers_.count(argument.tensor.number) > 0)
      add_constant(argument.tensor, "packed", StoredAs::Unsaid);
    return value_of(argument.tensor);
  }

  Placement placement_of(const NodeDraft& draft, const runtime::RecordedTensor& output) {
    for (const runtime::Argument& argument : draft.call().arguments) note_packed(argument);
    if (is_view_in_place(draft.call().op)) return Placement::View;
    if (draft.call().writes) return Placement::InPlace;
    const bool shares =
        std::any_of(draft.inputs.begin(), draft.inputs.end(), [&](const runtime::Argument* input) {
          return input != nullptr && input->tensor.storage != 0 &&
                 input->tensor.storage == output.storage;
        });
    return shares ? Placement::View : Placement::Fresh;
  }

  /// Layers of a recurrent network are a list of packed weights.
  void note_packed(const runtime::Argument& argument) {
    if (argument.kind != runtime::Argument::Kind::Packed) {
      for (const runtime::Argument& item : argument.items) note_packed(item);
      return;
    }
    std::vector<const runtime::RecordedTensor*> tensors;
    runtime::collect_tensors(argument, tensors);
    for (const runtime::RecordedTensor* tensor : tensors) packed_numbers_.insert(tensor->number);
  }

  const runtime::RecordedRun& run_;
  Graph graph_;
  std::vector<Node>* nodes_ = &graph_.main.nodes;  ///< Of the block in the making.
  std::unordered_map<std::uint64_t, ValueId> ids_;
  std::unordered_map<std::uint64_t, ValueId> stored_in_;  ///< By storage.
  std::unordered_set<std::uint64_t> packed_numbers_;
  Phase phase_ = Phase::Forward;
  CallIndex call_ = 0;
};

}  // namespace

Graph graph_of(const runtime::RecordedRun& run) { return GraphWriter(run).write(); }

}  // namespace jouletree::model::torchscript
