#include "model/onnx/onnx_builder.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

#include <protozero/pbf_writer.hpp>

#include "model/onnx/wire.hpp"

namespace jouletree::model {
namespace {

using onnx::WireAttributeType;
using protozero::pbf_writer;
namespace attribute_field = onnx::attribute_field;
namespace dim_field = onnx::dim_field;
namespace entry_field = onnx::entry_field;
namespace function_field = onnx::function_field;
namespace graph_field = onnx::graph_field;
namespace model_field = onnx::model_field;
namespace node_field = onnx::node_field;
namespace opset_field = onnx::opset_field;
namespace shape_field = onnx::shape_field;
namespace sparse_tensor_field = onnx::sparse_tensor_field;
namespace tensor_field = onnx::tensor_field;
namespace type_field = onnx::type_field;
namespace typed_field = onnx::typed_field;
namespace value_info_field = onnx::value_info_field;

constexpr std::int64_t kIrVersion = 8;

void add_text(pbf_writer& writer, protozero::pbf_tag_type tag, std::string_view text) {
  writer.add_bytes(tag, text.data(), text.size());
}

void add_header(pbf_writer& attribute, std::string_view name, onnx::WireAttributeType type) {
  add_text(attribute, attribute_field::Name, name);
  attribute.add_int32(attribute_field::Type, static_cast<int>(type));
}

void add_entry(pbf_writer& parent, protozero::pbf_tag_type tag, std::string_view key,
               std::string_view value) {
  pbf_writer entry(parent, tag);
  add_text(entry, entry_field::Key, key);
  add_text(entry, entry_field::Value, value);
}

void add_tensor_head(pbf_writer& tensor, std::string_view name, DataType type, const Dims& dims) {
  tensor.add_packed_int64(tensor_field::Dims, dims.begin(), dims.end());
  tensor.add_int32(tensor_field::DataType, static_cast<int>(type));
  if (!name.empty()) add_text(tensor, tensor_field::Name, name);
}

void add_tensor(pbf_writer& parent, protozero::pbf_tag_type tag, std::string_view name,
                DataType type, const Dims& dims, std::string_view bytes) {
  pbf_writer tensor(parent, tag);
  add_tensor_head(tensor, name, type, dims);
  add_text(tensor, tensor_field::RawData, bytes);
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

void add_value_info(std::string& graph, protozero::pbf_tag_type tag, std::string_view name,
                    DataType type, const std::vector<std::string>* dims) {
  pbf_writer writer(graph);
  pbf_writer info(writer, tag);
  add_text(info, value_info_field::Name, name);
  pbf_writer type_message(info, value_info_field::Type);
  pbf_writer tensor(type_message, type_field::TensorType);
  tensor.add_int32(typed_field::ElemType, static_cast<int>(type));
  if (dims == nullptr) return;
  // A message without fields would be left out: a scalar has a shape, too.
  if (dims->empty()) return tensor.add_message(typed_field::Shape, std::string());
  pbf_writer shape(tensor, typed_field::Shape);
  for (const std::string& dim : *dims) {
    pbf_writer dim_message(shape, shape_field::Dim);
    if (is_number(dim)) {
      dim_message.add_int64(dim_field::DimValue, std::stoll(dim));
    } else {
      add_text(dim_message, dim_field::DimParam, dim);
    }
  }
}

std::vector<std::string> texts_of(const Dims& dims) {
  std::vector<std::string> texts;
  for (const Dim dim : dims) texts.push_back(std::to_string(dim));
  return texts;
}

template <class Number>
std::string bytes_of(const std::vector<Number>& values) {
  std::string bytes(values.size() * sizeof(Number), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

void add_opset(pbf_writer& parent, protozero::pbf_tag_type tag, std::string_view domain,
               int version) {
  pbf_writer opset(parent, tag);
  add_text(opset, opset_field::Domain, domain);
  opset.add_int64(opset_field::Version, version);
}

}  // namespace

OnnxNode::OnnxNode(std::string_view op, const std::vector<std::string>& inputs,
                   const std::vector<std::string>& outputs) {
  pbf_writer node(bytes_);
  for (const std::string& input : inputs) add_text(node, node_field::Input, input);
  for (const std::string& output : outputs) add_text(node, node_field::Output, output);
  add_text(node, node_field::OpType, op);
}

OnnxNode& OnnxNode::name(std::string_view name) {
  pbf_writer node(bytes_);
  add_text(node, node_field::Name, name);
  return *this;
}

OnnxNode& OnnxNode::domain(std::string_view domain) {
  pbf_writer node(bytes_);
  add_text(node, node_field::Domain, domain);
  return *this;
}

OnnxNode& OnnxNode::integer(std::string_view name, std::int64_t value) {
  pbf_writer node(bytes_);
  pbf_writer attribute(node, node_field::Attribute);
  add_header(attribute, name, onnx::WireAttributeType::Int);
  attribute.add_int64(attribute_field::I, value);
  return *this;
}

OnnxNode& OnnxNode::ints(std::string_view name, const std::vector<std::int64_t>& values) {
  pbf_writer node(bytes_);
  pbf_writer attribute(node, node_field::Attribute);
  add_header(attribute, name, onnx::WireAttributeType::Ints);
  attribute.add_packed_int64(attribute_field::Ints, values.begin(), values.end());
  return *this;
}

OnnxNode& OnnxNode::real(std::string_view name, float value) {
  pbf_writer node(bytes_);
  pbf_writer attribute(node, node_field::Attribute);
  add_header(attribute, name, onnx::WireAttributeType::Float);
  attribute.add_float(attribute_field::F, value);
  return *this;
}

OnnxNode& OnnxNode::reals(std::string_view name, const std::vector<float>& values) {
  pbf_writer node(bytes_);
  pbf_writer attribute(node, node_field::Attribute);
  add_header(attribute, name, onnx::WireAttributeType::Floats);
  attribute.add_packed_float(attribute_field::Floats, values.begin(), values.end());
  return *this;
}

OnnxNode& OnnxNode::text(std::string_view name, std::string_view value) {
  pbf_writer node(bytes_);
  pbf_writer attribute(node, node_field::Attribute);
  add_header(attribute, name, onnx::WireAttributeType::String);
  add_text(attribute, attribute_field::S, value);
  return *this;
}

OnnxNode& OnnxNode::texts(std::string_view name, const std::vector<std::string>& values) {
  pbf_writer node(bytes_);
  pbf_writer attribute(node, node_field::Attribute);
  add_header(attribute, name, onnx::WireAttributeType::Strings);
  for (const std::string& value : values) add_text(attribute, attribute_field::Strings, value);
  return *this;
}

OnnxNode& OnnxNode::tensor(std::string_view name, DataType type, const Dims& dims,
                           std::string_view bytes) {
  pbf_writer node(bytes_);
  pbf_writer attribute(node, node_field::Attribute);
  add_header(attribute, name, onnx::WireAttributeType::Tensor);
  add_tensor(attribute, attribute_field::T, "", type, dims, bytes);
  return *this;
}

OnnxNode& OnnxNode::graph(std::string_view name, const OnnxBuilder& body) {
  pbf_writer node(bytes_);
  pbf_writer attribute(node, node_field::Attribute);
  add_header(attribute, name, onnx::WireAttributeType::Graph);
  attribute.add_message(attribute_field::G, body.graph_bytes());
  return *this;
}

OnnxNode& OnnxNode::reference(std::string_view name, std::string_view function_attribute) {
  pbf_writer node(bytes_);
  pbf_writer attribute(node, node_field::Attribute);
  add_text(attribute, attribute_field::Name, name);
  add_text(attribute, attribute_field::RefAttrName, function_attribute);
  return *this;
}

OnnxNode& OnnxNode::metadata(std::string_view key, std::string_view value) {
  pbf_writer node(bytes_);
  add_entry(node, node_field::MetadataProps, key, value);
  return *this;
}

OnnxBuilder::OnnxBuilder(int opset) { opsets_[""] = opset; }

OnnxBuilder& OnnxBuilder::import_domain(std::string_view domain, int version) {
  opsets_[std::string(domain)] = version;
  return *this;
}

OnnxBuilder& OnnxBuilder::input(std::string_view name, DataType type, const Dims& dims) {
  return symbolic_input(name, type, texts_of(dims));
}

OnnxBuilder& OnnxBuilder::symbolic_input(std::string_view name, DataType type,
                                         const std::vector<std::string>& dims) {
  add_value_info(rest_of_graph_, graph_field::Input, name, type, &dims);
  return *this;
}

OnnxBuilder& OnnxBuilder::shapeless_input(std::string_view name, DataType type) {
  add_value_info(rest_of_graph_, graph_field::Input, name, type, nullptr);
  return *this;
}

OnnxBuilder& OnnxBuilder::output(std::string_view name, DataType type) {
  add_value_info(rest_of_graph_, graph_field::Output, name, type, nullptr);
  return *this;
}

OnnxBuilder& OnnxBuilder::symbolic_output(std::string_view name, DataType type,
                                          const std::vector<std::string>& dims) {
  add_value_info(rest_of_graph_, graph_field::Output, name, type, &dims);
  return *this;
}

OnnxBuilder& OnnxBuilder::value_info(std::string_view name, DataType type, const Dims& dims) {
  const auto texts = texts_of(dims);
  add_value_info(rest_of_graph_, graph_field::ValueInfo, name, type, &texts);
  return *this;
}

OnnxBuilder& OnnxBuilder::initializer(std::string_view name, DataType type, const Dims& dims) {
  ValueType value;
  value.type = type;
  value.dims = dims;
  return initializer(name, type, dims,
                     std::string(static_cast<std::size_t>(value.bytes().value()), '\0'));
}

OnnxBuilder& OnnxBuilder::initializer(std::string_view name, DataType type, const Dims& dims,
                                      std::string_view bytes) {
  pbf_writer graph(rest_of_graph_);
  add_tensor(graph, graph_field::Initializer, name, type, dims, bytes);
  return *this;
}

OnnxBuilder& OnnxBuilder::external_initializer(std::string_view name, DataType type,
                                               const Dims& dims, std::string_view location,
                                               std::int64_t offset, std::int64_t length) {
  pbf_writer graph(rest_of_graph_);
  pbf_writer tensor(graph, graph_field::Initializer);
  add_tensor_head(tensor, name, type, dims);
  add_entry(tensor, tensor_field::ExternalData, "location", location);
  add_entry(tensor, tensor_field::ExternalData, "offset", std::to_string(offset));
  add_entry(tensor, tensor_field::ExternalData, "length", std::to_string(length));
  tensor.add_int32(tensor_field::DataLocation, 1);
  return *this;
}

OnnxBuilder& OnnxBuilder::sparse_initializer(std::string_view name, DataType type, const Dims& dims,
                                             std::int64_t stored_elements) {
  ValueType value;
  value.type = type;
  value.dims = Dims{stored_elements};
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < stored_elements; ++i) indices.push_back(i);
  pbf_writer graph(rest_of_graph_);
  pbf_writer sparse(graph, graph_field::SparseInitializer);
  add_tensor(sparse, sparse_tensor_field::Values, name, type, *value.dims,
             std::string(static_cast<std::size_t>(value.bytes().value()), '\0'));
  add_tensor(sparse, sparse_tensor_field::Indices, "", DataType::Int64, *value.dims,
             bytes_of(indices));
  sparse.add_packed_int64(sparse_tensor_field::Dims, dims.begin(), dims.end());
  return *this;
}

OnnxBuilder& OnnxBuilder::integers(std::string_view name, const std::vector<std::int64_t>& values) {
  return initializer(name, DataType::Int64, {static_cast<Dim>(values.size())}, bytes_of(values));
}

OnnxBuilder& OnnxBuilder::reals(std::string_view name, const std::vector<float>& values) {
  return initializer(name, DataType::Float32, {static_cast<Dim>(values.size())}, bytes_of(values));
}

OnnxNode& OnnxBuilder::node(std::string_view op, const std::vector<std::string>& inputs,
                            const std::vector<std::string>& outputs) {
  return nodes_.emplace_back(op, inputs, outputs);
}

OnnxBuilder& OnnxBuilder::function(std::string_view domain, std::string_view name,
                                   const std::vector<std::string>& inputs,
                                   const std::vector<std::string>& outputs,
                                   const std::vector<std::string>& attributes,
                                   const OnnxBuilder& body) {
  pbf_writer model(functions_);
  pbf_writer function(model, model_field::Functions);
  add_text(function, function_field::Name, name);
  add_text(function, function_field::Domain, domain);
  for (const std::string& input : inputs) add_text(function, function_field::Input, input);
  for (const std::string& output : outputs) add_text(function, function_field::Output, output);
  for (const std::string& attribute : attributes)
    add_text(function, function_field::Attribute, attribute);
  for (const OnnxNode& node : body.nodes_) function.add_message(function_field::Node, node.bytes());
  for (const auto& [opset_domain, version] : body.opsets_)
    add_opset(function, function_field::OpsetImport, opset_domain, version);
  return *this;
}

std::string OnnxBuilder::graph_bytes() const {
  std::string bytes;
  pbf_writer graph(bytes);
  for (const OnnxNode& node : nodes_) graph.add_message(graph_field::Node, node.bytes());
  add_text(graph, graph_field::Name, "main");
  return bytes + rest_of_graph_;
}

std::string OnnxBuilder::head_bytes() const {
  std::string bytes;
  pbf_writer model(bytes);
  model.add_int64(model_field::IrVersion, kIrVersion);
  add_text(model, model_field::ProducerName, "jouletree");
  return bytes;
}

std::string OnnxBuilder::tail_bytes() const {
  std::string bytes;
  pbf_writer model(bytes);
  for (const auto& [domain, version] : opsets_)
    add_opset(model, model_field::OpsetImport, domain, version);
  return bytes + functions_;
}

std::string OnnxBuilder::model_bytes() const {
  std::string bytes = head_bytes();
  pbf_writer(bytes).add_message(model_field::Graph, graph_bytes());
  return bytes + tail_bytes();
}

}  // namespace jouletree::model
