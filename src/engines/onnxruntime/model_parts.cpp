#include "engines/onnxruntime/model_parts.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <protozero/exception.hpp>
#include <protozero/pbf_writer.hpp>

#include "jouletree/error.hpp"
#include "model/onnx/message_edit.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::engines {
namespace {

namespace onnx = model::onnx;

using Writer = protozero::pbf_writer;

void collect_captured(std::string_view graph, std::set<std::string_view> known,
                      std::vector<std::string_view>& captured);

/// True if the node has nested graphs.
bool collect_captured_by_node(std::string_view node, const std::set<std::string_view>& known,
                              std::vector<std::string_view>& captured) {
  bool nested = false;
  onnx::Reader reader = onnx::reader_of(node);
  while (reader.next(onnx::node_field::Attribute)) {
    onnx::Reader attribute = onnx::reader_of(onnx::content_of(reader));
    while (attribute.next()) {
      if (attribute.tag() == onnx::attribute_field::G ||
          attribute.tag() == onnx::attribute_field::Graphs) {
        nested = true;
        collect_captured(onnx::content_of(attribute), known, captured);
      } else {
        attribute.skip();
      }
    }
  }
  return nested;
}

/// Nested graphs see what stands before them in the outer ones, so order matters.
void collect_captured(std::string_view graph, std::set<std::string_view> known,
                      std::vector<std::string_view>& captured) {
  onnx::Reader definitions = onnx::reader_of(graph);
  while (definitions.next()) {
    if (definitions.tag() == onnx::graph_field::Input) {
      known.insert(onnx::text_field(onnx::content_of(definitions), onnx::value_info_field::Name));
    } else if (definitions.tag() == onnx::graph_field::Initializer) {
      known.insert(onnx::text_field(onnx::content_of(definitions), onnx::tensor_field::Name));
    } else {
      definitions.skip();
    }
  }
  onnx::Reader nodes = onnx::reader_of(graph);
  while (nodes.next(onnx::graph_field::Node)) {
    const std::string_view node = onnx::content_of(nodes);
    onnx::Reader fields = onnx::reader_of(node);
    while (fields.next()) {
      if (fields.tag() == onnx::node_field::Input) {
        const std::string_view name = onnx::content_of(fields);
        if (!name.empty() && known.count(name) == 0) captured.push_back(name);
      } else if (fields.tag() == onnx::node_field::Output) {
        known.insert(onnx::content_of(fields));
      } else {
        fields.skip();
      }
    }
    (void)collect_captured_by_node(node, known, captured);
  }
  onnx::Reader outputs = onnx::reader_of(graph);
  while (outputs.next(onnx::graph_field::Output)) {
    const std::string_view name =
        onnx::text_field(onnx::content_of(outputs), onnx::value_info_field::Name);
    if (known.count(name) == 0) captured.push_back(name);
  }
}

ModelParts::Part read_node(std::string_view node) {
  ModelParts::Part part;
  part.bytes = node;
  onnx::Reader reader = onnx::reader_of(node);
  while (reader.next()) {
    switch (reader.tag()) {
      case onnx::node_field::Input: part.inputs.push_back(onnx::content_of(reader)); break;
      case onnx::node_field::Output: part.outputs.push_back(onnx::content_of(reader)); break;
      case onnx::node_field::Name: part.name = onnx::content_of(reader); break;
      case onnx::node_field::OpType: part.op = onnx::content_of(reader); break;
      case onnx::node_field::Domain: part.domain = onnx::content_of(reader); break;
      case onnx::node_field::Attribute: part.attributes += onnx::content_of(reader); break;
      default: reader.skip();
    }
  }
  part.nested = collect_captured_by_node(node, {}, part.captured);
  std::sort(part.captured.begin(), part.captured.end());
  part.captured.erase(std::unique(part.captured.begin(), part.captured.end()), part.captured.end());
  return part;
}

/// Begins a name that no file has.
constexpr std::string_view kPosition = "jouletree.node.";

std::string renamed(std::string_view node, const std::string& name) {
  std::string bytes = onnx::rewritten(
      node, [](auto tag, std::string_view, std::string&) { return tag == onnx::node_field::Name; });
  Writer(bytes).add_string(onnx::node_field::Name, name);
  return bytes;
}

ValueType type_of_weight(std::string_view weight) {
  ValueType type;
  type.dims.emplace();
  onnx::Reader reader = onnx::reader_of(weight);
  while (reader.next()) {
    if (reader.tag() == onnx::tensor_field::DataType) {
      type.type = data_type_from_number(reader.get_int32());
    } else if (reader.tag() != onnx::tensor_field::Dims) {
      reader.skip();
    } else if (reader.wire_type() == protozero::pbf_wire_type::varint) {
      type.dims->push_back(reader.get_int64());
    } else {
      for (const std::int64_t dim : reader.get_packed_int64()) type.dims->push_back(dim);
    }
  }
  return type;
}

}  // namespace

ModelParts::ModelParts(std::string_view bytes) try {
  onnx::Reader reader = onnx::reader_of(bytes);
  while (true) {
    const char* const begin = reader.data().data();
    if (!reader.next()) break;
    if (reader.tag() == onnx::model_field::Graph) {
      read_graph(onnx::content_of(reader));
    } else {
      reader.skip();
      head_.append(begin, reader.data().data());
    }
  }
} catch (const protozero::exception& error) {
  throw Error(ErrorKind::BadInput, fmt::format("this is not an ONNX model: {}", error.what()));
}

void ModelParts::read_graph(std::string_view graph) {
  onnx::Reader reader = onnx::reader_of(graph);
  while (reader.next()) {
    switch (reader.tag()) {
      case onnx::graph_field::Node: nodes_.push_back(read_node(onnx::content_of(reader))); break;
      case onnx::graph_field::Initializer: {
        const std::string_view weight = onnx::content_of(reader);
        weights_[onnx::text_field(weight, onnx::tensor_field::Name)] = weight;
        break;
      }
      case onnx::graph_field::SparseInitializer:
        sparse_weights_.push_back(onnx::content_of(reader));
        break;
      case onnx::graph_field::Input: graph_inputs_.push_back(onnx::content_of(reader)); break;
      case onnx::graph_field::Output:
        output_names_.insert(
            onnx::text_field(onnx::content_of(reader), onnx::value_info_field::Name));
        break;
      default: reader.skip();
    }
  }
}

std::string ModelParts::with_graph(const std::string& graph) const {
  std::string bytes = head_;
  Writer(bytes).add_message(onnx::model_field::Graph, graph);
  return bytes;
}

std::string ModelParts::whole(Outputs outputs, NodeNames names) const {
  std::string graph;
  Writer writer(graph);
  writer.add_string(onnx::graph_field::Name, "all");
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::string_view bytes = nodes_[i].bytes;
    if (names == NodeNames::Stored) {
      writer.add_message(onnx::graph_field::Node, bytes.data(), bytes.size());
    } else {
      writer.add_message(onnx::graph_field::Node,
                         renamed(bytes, fmt::format("{}{}", kPosition, i)));
    }
  }
  for (const auto& [name, bytes] : weights_)
    writer.add_message(onnx::graph_field::Initializer, bytes.data(), bytes.size());
  for (const std::string_view bytes : sparse_weights_)
    writer.add_message(onnx::graph_field::SparseInitializer, bytes.data(), bytes.size());
  for (const std::string_view bytes : graph_inputs_)
    writer.add_message(onnx::graph_field::Input, bytes.data(), bytes.size());
  for (const std::string_view name : output_names_)
    writer.add_message(onnx::graph_field::Output, onnx::value_info(name, nullptr));
  if (outputs == Outputs::Declared) return with_graph(graph);
  for (const Part& node : nodes_) {
    for (const std::string_view output : node.outputs) {
      if (output.empty() || output_names_.count(output) > 0) continue;
      writer.add_message(onnx::graph_field::Output, onnx::value_info(output, nullptr));
    }
  }
  return with_graph(graph);
}

std::optional<std::size_t> ModelParts::position_of(std::string_view name) const {
  if (!name.starts_with(kPosition)) return std::nullopt;
  name.remove_prefix(kPosition.size());
  std::size_t position = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), position);
  if (error != std::errc() || end != name.data() + name.size() || position >= nodes_.size())
    return std::nullopt;
  return position;
}

std::optional<std::string_view> ModelParts::weight(std::string_view name) const {
  const auto found = weights_.find(name);
  if (found == weights_.end()) return std::nullopt;
  return found->second;
}

std::optional<ValueType> ModelParts::weight_type(std::string_view name) const {
  const auto bytes = weight(name);
  if (!bytes) return std::nullopt;
  return type_of_weight(*bytes);
}

std::int64_t ModelParts::weight_bytes(const Part& part) const {
  std::int64_t bytes = 0;
  for (const std::string_view input : part.inputs)
    if (const auto type = weight_type(input)) bytes += type->bytes().value_or(0);
  return bytes;
}

std::int64_t ModelParts::weight_bytes() const {
  std::int64_t bytes = 0;
  for (const auto& [name, weight] : weights_) bytes += type_of_weight(weight).bytes().value_or(0);
  return bytes;
}

}  // namespace jouletree::engines
