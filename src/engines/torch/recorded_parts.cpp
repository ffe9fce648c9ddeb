#include "engines/torch/recorded_parts.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jouletree::engines {
namespace {

using torchscript::Argument;
using torchscript::RecordedCall;
using torchscript::RecordedRun;
using torchscript::RecordedTensor;

/// These read only the rows of their first argument that they look up.
constexpr std::array<std::string_view, 6> kLookups = {
    "aten::embedding", "aten::_embedding_bag", "aten::_embedding_bag_forward_only",
    "aten::index",     "aten::index_select",   "aten::gather"};

bool looks_up(std::string_view op) {
  return std::find(kLookups.begin(), kLookups.end(), op) != kLookups.end();
}

std::string storage_name(const RecordedTensor& tensor) {
  // Tensors without plain memory are known by themselves.
  return tensor.storage != 0 ? fmt::format("s{}", tensor.storage)
                             : fmt::format("t{}", tensor.number);
}

/// Bytes that a tensor shows; what is repeated by a stride of zero counts once.
std::int64_t shown_bytes(const RecordedTensor& tensor, const std::optional<Dims>& strides) {
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
  GivenTensors(const RecordedCall& call, const CallStrides* strides) {
    for (const Argument& argument : call.arguments) collect_tensors(argument, tensors_);
    if (strides != nullptr && strides->size() == tensors_.size()) strides_ = strides;
  }

  [[nodiscard]] const std::vector<const RecordedTensor*>& all() const { return tensors_; }
  [[nodiscard]] std::optional<Dims> strides(std::size_t position) const {
    return strides_ == nullptr ? std::nullopt : (*strides_)[position];
  }
  [[nodiscard]] std::int64_t bytes(std::size_t position) const {
    return shown_bytes(*tensors_[position], strides(position));
  }

 private:
  std::vector<const RecordedTensor*> tensors_;
  const CallStrides* strides_ = nullptr;
};

/// Writes the key of a call: its operator, and its arguments by type, shape and layout.
class KeyWriter {
 public:
  KeyWriter(const GivenTensors& given, const std::unordered_set<std::uint64_t>& stored)
      : given_(given), stored_(stored) {}

  std::string write(const RecordedCall& call) {
    std::vector<std::string> texts;
    for (const Argument& argument : call.arguments) texts.push_back(text_of(argument));
    return fmt::format("{}{}{}({})", call.op, call.overload.empty() ? "" : ".", call.overload,
                       fmt::join(texts, ", "));
  }

 private:
  std::string text_of(const Argument& argument) {
    switch (argument.kind) {
      case Argument::Kind::None: return "none";
      case Argument::Kind::Integer: return std::to_string(argument.integer);
      case Argument::Kind::Real: return fmt::format("{}", argument.real);
      case Argument::Kind::Boolean: return argument.integer != 0 ? "true" : "false";
      case Argument::Kind::Text: return argument.text;
      case Argument::Kind::Tensor: return tensor_text(argument.tensor);
      case Argument::Kind::List:
      case Argument::Kind::Packed: break;
    }
    std::vector<std::string> items;
    for (const Argument& item : argument.items) items.push_back(text_of(item));
    return fmt::format("[{}]", fmt::join(items, ", "));
  }

  /// Who is given the same tensor twice reads it once.
  std::string tensor_text(const RecordedTensor& tensor) {
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
  explicit PartWriter(const RecordedRun& run) {
    for (const torchscript::RecordedStore& item : run.stored) stored_.insert(item.tensor.storage);
    stored_.erase(0);
  }

  [[nodiscard]] Part write(const RecordedCall& call, const CallStrides* strides) const {
    const GivenTensors given(call, strides);
    Part part;
    part.name = call.op;
    part.key = KeyWriter(given, stored_).write(call);
    std::unordered_set<std::string> used;
    std::vector<Part::Tensor> reads;
    for (std::size_t i = 0; i < given.all().size(); ++i) {
      const RecordedTensor& tensor = *given.all()[i];
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

  static bool has_tensors(const std::vector<Argument>& outputs) {
    std::vector<const RecordedTensor*> tensors;
    for (const Argument& output : outputs) collect_tensors(output, tensors);
    return !tensors.empty();
  }

  static void add_writes(const RecordedCall& call, std::unordered_set<std::string>& used,
                         Part& part) {
    std::vector<const RecordedTensor*> made;
    for (const Argument& output : call.outputs) collect_tensors(output, made);
    for (const RecordedTensor* tensor : made) {
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

std::vector<Part> recorded_parts(const RecordedRun& run, const std::vector<CallStrides>& strides) {
  const PartWriter writer(run);
  std::vector<Part> parts;
  parts.reserve(run.calls.size());
  for (std::size_t i = 0; i < run.calls.size(); ++i)
    parts.push_back(writer.write(run.calls[i], i < strides.size() ? &strides[i] : nullptr));
  return parts;
}

LoadedModel loaded_recording(ModelTree tree, const RecordedRun& run,
                             const std::vector<CallStrides>& strides) {
  LoadedModel loaded;
  loaded.parts = recorded_parts(run, strides);
  loaded.part_of.resize(tree.graph->node_count);
  for (const Node& node : tree.graph->main.nodes)
    if (node.call < loaded.parts.size()) loaded.part_of[node.id] = node.call;
  std::vector<const RecordedTensor*> outputs;
  collect_tensors(run.outputs, outputs);
  for (const RecordedTensor* output : outputs) loaded.results.insert(storage_name(*output));
  loaded.tree = std::move(tree);
  return loaded;
}

}  // namespace jouletree::engines
