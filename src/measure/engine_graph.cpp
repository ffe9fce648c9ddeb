#include "measure/engine_graph.hpp"

#include <fmt/format.h>

namespace jouletree {
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

}  // namespace

EngineGraph::EngineGraph(const std::filesystem::path& file)
    : file_(std::make_unique<MappedFile>(file)), parts_(file_->bytes()) {
  for (std::size_t i = 0; i < parts_.nodes().size(); ++i) {
    for (const std::string_view output : parts_.nodes()[i].outputs)
      if (!output.empty()) by_output_.emplace(output, i);
  }
}

void EngineGraph::take_recorded(const nlohmann::json& values) {
  for (const auto& [name, value] : values.items()) {
    ValueType type;
    type.type = data_type_from_number(value.at("type").get<std::int64_t>());
    if (!value.at("dims").is_null()) type.dims = value.at("dims").get<Dims>();
    types_[name] = std::move(type);
  }
}

std::optional<std::size_t> EngineGraph::part_of(const Graph& graph, const Node& node) const {
  for (const ValueId output : node.outputs) {
    if (output == kNoValue) continue;
    const auto part = by_output_.find(graph.values[output].name);
    if (part != by_output_.end()) return part->second;
  }
  return std::nullopt;
}

std::string EngineGraph::key_of(std::size_t part) const {
  const onnx::ModelParts::Part& node = parts_.nodes()[part];
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

std::int64_t EngineGraph::bytes_of(const std::vector<std::string_view>& names) const {
  std::int64_t bytes = 0;
  for (const std::string_view name : names) {
    const auto type = types_.find(name);
    if (type != types_.end() && !parts_.is_weight(name)) bytes += type->second.bytes().value_or(0);
  }
  return bytes;
}

std::int64_t EngineGraph::input_bytes(std::size_t part) const {
  return bytes_of(parts_.nodes()[part].inputs);
}

std::int64_t EngineGraph::output_bytes(std::size_t part) const {
  return bytes_of(parts_.nodes()[part].outputs);
}

}  // namespace jouletree
