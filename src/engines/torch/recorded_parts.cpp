#include "engines/torch/recorded_parts.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/operators/table.hpp"
#include "model/torchscript/aten_table.hpp"

namespace jouletree::engines {
namespace {

using runtime::Argument;
using runtime::RecordedCall;
using runtime::RecordedRun;
using runtime::RecordedTensor;

/// Whether the call reads only some rows of its first argument.
bool looks_up(std::string_view op) {
  const auto* const row = model::torchscript::find_aten(op);
  return row != nullptr && model::facts_of(row->domain, row->op).picks;
}

std::string storage_name(const runtime::RecordedTensor& tensor) {
  // Tensors without plain memory are known by themselves.
  return tensor.storage != 0 ? fmt::format("s{}", tensor.storage)
                             : fmt::format("t{}", tensor.number);
}

/// Bytes that a tensor shows; what is repeated by a stride of zero counts once.
std::int64_t shown_bytes(const runtime::RecordedTensor& tensor,
                         const std::optional<Dims>& strides) {
  ValueType type;
  type.type = tensor.type;
  type.dims = tensor.dims;
  for (std::size_t i = 0; strides && i < strides->size() && i < type.dims->size(); ++i)
    if ((*strides)[i] == 0 && (*type.dims)[i] > 1) (*type.dims)[i] = 1;
  return type.bytes().value_or(0);
}

/// Tensors of the arguments in order, with their strides.
class GivenTensors {
 public:
  GivenTensors(const runtime::RecordedCall& call, const CallStrides* strides) {
    for (const runtime::Argument& argument : call.arguments)
      runtime::collect_tensors(argument, tensors_);
    if (strides != nullptr && strides->size() == tensors_.size()) strides_ = strides;
  }

  [[nodiscard]] const std::vector<const runtime::RecordedTensor*>& all() const { return tensors_; }
  [[nodiscard]] std::optional<Dims> strides(std::size_t position) const {
    return strides_ == nullptr ? std::nullopt : (*strides_)[position];
  }
  [[nodiscard]] std::int64_t bytes(std::size_t position) const {
    return shown_bytes(*tensors_[position], strides(position));
  }

 private:
  std::vector<const runtime::RecordedTensor*> tensors_;
  const CallStrides* strides_ = nullptr;
};

/// Writes the key of a call: its operator, and its arguments by type, shape and layout.
class KeyWriter {
 public:
  KeyWriter(const GivenTensors& given, const std::unordered_set<std::uint64_t>& stored)
      : given_(given), stored_(stored) {}

  std::string write(const runtime::RecordedCall& call) {
    std::vector<std::string> texts;
    for (const runtime::Argument& argument : call.arguments) texts.push_back(text_of(argument));
    return fmt::format("{}{}{}({})", call.op, call.overload.empty() ? "" : ".", call.overload,
                       fmt::join(texts, ", "));
  }

 private:
  std::string text_of(const runtime::Argument& argument) {
    switch (argument.kind) {
      case runtime::Argument::Kind::None: return "none";
      case runtime::Argument::Kind::Integer: return std::to_string(argument.integer);
      case runtime::Argument::Kind::Real: return fmt::format("{}", argument.real);
      case runtime::Argument::Kind::Boolean: return argument.integer != 0 ? "true" : "false";
      case runtime::Argument::Kind::Text: return argument.text;
      case runtime::Argument::Kind::Tensor: return tensor_text(argument.tensor);
      case runtime::Argument::Kind::List:
      case runtime::Argument::Kind::Packed: break;
    }
    std::vector<std::string> items;
    for (const runtime::Argument& item : argument.items) items.push_back(text_of(item));
    return fmt::format("[{}]", fmt::join(items, ", "));
  }

  /// Who is given the same tensor twice reads it once.
  std::string tensor_text(const runtime::RecordedTensor& tensor) {
    const std::size_t position = next_++;
    const auto [seen, is_first] = seen_.try_emplace(tensor.number, position);
    std::string text = fmt::format("{}{}[{}]", stored_.count(tensor.storage) > 0 ? "w:" : "",
                                   name_of(tensor.type), fmt::join(tensor.dims, ","));
    if (const auto strides = given_.strides(position))
      text += fmt::format("/[{}]", fmt::join(*strides, ","));
    if (!is_first) text += fmt::format("={}", seen->second);
    return text;
  }

  const GivenTensors& given_;
  const std::unordered_set<std::uint64_t>& stored_;
  std::unordered_map<std::uint64_t, std::size_t> seen_;
  std::size_t next_ = 0;
};

class PartWriter {
 public:
  explicit PartWriter(const runtime::RecordedRun& run) {
    for (const runtime::RecordedStore& item : run.stored) stored_.insert(item.tensor.storage);
    stored_.erase(0);
  }

  [[nodiscard]] Part write(const runtime::RecordedCall& call, const CallStrides* strides) const {
    const GivenTensors given(call, strides);
    Part part;
    part.name = call.op;
    part.key = KeyWriter(given, stored_).write(call);
    std::unordered_set<std::string> used;
    std::vector<Part::Tensor> reads;
    for (std::size_t i = 0; i < given.all().size(); ++i) {
      const runtime::RecordedTensor& tensor = *given.all()[i];
      add(stored_.count(tensor.storage) > 0 ? part.weights : reads,
          {storage_name(tensor), given.bytes(i)}, used);
    }
    add_writes(call, used, part);
    const bool shows_only = part.writes.empty() && !call.writes && has_tensors(call.outputs);
    if (shows_only) {
      part.weights.clear();
      return part;
    }
    part.reads = std::move(reads);
    for (const Part::Tensor& weight : part.weights) part.weight_bytes += weight.bytes;
    if (looks_up(call.op)) leave_unread_rows(part);
    return part;
  }

 private:
  static void add(std::vector<Part::Tensor>& tensors, Part::Tensor tensor,
                  std::unordered_set<std::string>& used) {
    if (used.insert(tensor.name).second) return tensors.push_back(std::move(tensor));
    // Two views of the same memory: the larger one tells how much of it is used.
    for (Part::Tensor& known : tensors)
      if (known.name == tensor.name) known.bytes = std::max(known.bytes, tensor.bytes);
  }

  static bool has_tensors(const std::vector<runtime::Argument>& outputs) {
    std::vector<const runtime::RecordedTensor*> tensors;
    for (const runtime::Argument& output : outputs) runtime::collect_tensors(output, tensors);
    return !tensors.empty();
  }

  static void add_writes(const runtime::RecordedCall& call, std::unordered_set<std::string>& used,
                         Part& part) {
    std::vector<const runtime::RecordedTensor*> made;
    for (const runtime::Argument& output : call.outputs) runtime::collect_tensors(output, made);
    for (const runtime::RecordedTensor* tensor : made) {
      const std::string name = storage_name(*tensor);
      if (used.insert(name).second)
        part.writes.push_back({name, shown_bytes(*tensor, std::nullopt)});
    }
  }

  static void leave_unread_rows(Part& part) {
    if (part.weights.empty() || part.writes.empty()) return;
    part.weight_bytes -= std::max<std::int64_t>(0, part.weights[0].bytes - part.writes[0].bytes);
  }

  std::unordered_set<std::uint64_t> stored_;
};

}  // namespace

std::vector<Part> recorded_parts(const runtime::RecordedRun& run,
                                 const std::vector<CallStrides>& strides) {
  const PartWriter writer(run);
  std::vector<Part> parts;
  parts.reserve(run.calls.size());
  for (std::size_t i = 0; i < run.calls.size(); ++i)
    parts.push_back(writer.write(run.calls[i], i < strides.size() ? &strides[i] : nullptr));
  return parts;
}

LoadedModel loaded_recording(ModelTree tree, const runtime::RecordedRun& run,
                             const std::vector<CallStrides>& strides) {
  LoadedModel loaded;
  loaded.parts = recorded_parts(run, strides);
  loaded.part_of.resize(tree.graph->node_count);
  for (const Node& node : tree.graph->main.nodes)
    if (node.call < loaded.parts.size()) loaded.part_of[node.id] = node.call;
  std::vector<const runtime::RecordedTensor*> outputs;
  runtime::collect_tensors(run.outputs, outputs);
  for (const runtime::RecordedTensor* output : outputs)
    loaded.results.insert(storage_name(*output));
  loaded.tree = std::move(tree);
  return loaded;
}

}  // namespace jouletree::engines
