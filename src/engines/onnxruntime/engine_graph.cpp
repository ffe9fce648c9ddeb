#include "engines/onnxruntime/engine_graph.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "model/operators/table.hpp"

namespace jouletree::engines {
namespace {

/// FNV-1a, because std::hash may differ between builds.
std::uint64_t stable_hash(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3U;
  }
  return hash;
}

std::string text_of(const ValueType& type) {
  return fmt::format("{}:{}", name_of(type.type), type.dims ? to_string(*type.dims) : "?");
}

/// Of a stored table, only the rows that make up the result are read.
std::int64_t unread_bytes(const ModelParts& parts, const ModelParts::Part& node,
                          std::span<const model::Lookup> lookups, std::int64_t result_bytes) {
  std::int64_t bytes = 0;
  for (const model::Lookup& lookup : lookups) {
    if (lookup.table >= node.inputs.size()) continue;
    if (const auto table = parts.weight_type(node.inputs[lookup.table]))
      bytes += std::max<std::int64_t>(0, table->bytes().value_or(0) - result_bytes);
  }
  return bytes;
}

}  // namespace

EngineGraph::EngineGraph(const std::filesystem::path& file)
    : file_(std::make_unique<MappedFile>(file)), parts_(file_->bytes()) {
  for (std::size_t i = 0; i < parts_.nodes().size(); ++i) {
    for (const std::string_view output : parts_.nodes()[i].outputs)
      if (!output.empty()) by_output_.emplace(output, i);
  }
}

void EngineGraph::take_recorded(const runtime::SeenValues& values) {
  for (const auto& [name, value] : values) types_[name] = value.type;
}

std::optional<std::size_t> EngineGraph::part_of(const Graph& graph, const Node& node) const {
  for (const ValueId output : node.outputs) {
    if (output == kNoValue) continue;
    const auto part = by_output_.find(graph.values[output].name);
    if (part != by_output_.end()) return part->second;
  }
  return std::nullopt;
}

std::string EngineGraph::key_of(const ModelParts::Part& node) const {
  std::string key = fmt::format("{}:{}", node.domain, node.op);
  for (const std::string_view name : node.inputs) {
    if (const auto weight = parts_.weight_type(name)) {
      key += fmt::format(" w:{}", text_of(*weight));
    } else if (const auto type = types_.find(name); type != types_.end()) {
      key += fmt::format(" {}", text_of(type->second));
    } else {
      key += " -";
    }
  }
  key += fmt::format(" #{:x}", stable_hash(node.attributes));
  return key;
}

std::vector<Part::Tensor> EngineGraph::tensors_of(
    const std::vector<std::string_view>& names) const {
  std::vector<Part::Tensor> tensors;
  for (const std::string_view name : names) {
    const auto type = types_.find(name);
    if (type != types_.end() && !parts_.is_weight(name))
      tensors.push_back({std::string(name), type->second.bytes().value_or(0)});
  }
  return tensors;
}

std::vector<Part::Tensor> EngineGraph::weights_of(const ModelParts::Part& node) const {
  std::vector<Part::Tensor> weights;
  for (const std::string_view name : node.inputs) {
    if (const auto type = parts_.weight_type(name))
      weights.push_back({std::string(name), type->bytes().value_or(0)});
  }
  return weights;
}

Part EngineGraph::described(const ModelParts::Part& node) const {
  Part part;
  part.name = node.name;
  part.key = key_of(node);
  part.reads = tensors_of(node.inputs);
  part.captured.assign(node.captured.begin(), node.captured.end());
  part.weights = weights_of(node);
  part.weight_bytes = parts_.weight_bytes(node);
  part.writes = tensors_of(node.outputs);
  const model::OperatorFacts& facts = model::facts_of(node.domain, node.op);
  part.is_view = facts.view && !part.reads.empty() && !part.writes.empty();
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (model::has_slot(facts.overwrites, i)) part.overwrites.emplace_back(node.inputs[i]);
  if (!part.writes.empty())
    part.weight_bytes -= unread_bytes(parts_, node, facts.lookups, part.writes[0].bytes);
  return part;
}

std::vector<Part> EngineGraph::program() const {
  std::vector<Part> program;
  program.reserve(parts_.nodes().size());
  for (const ModelParts::Part& node : parts_.nodes()) program.push_back(described(node));
  return program;
}

}  // namespace jouletree::engines
