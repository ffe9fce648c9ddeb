#include "model/onnx/streamed_model.hpp"

#include <stdexcept>
#include <vector>

#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>

#include "model/onnx/wire.hpp"

namespace jouletree::model {
namespace {

using protozero::pbf_tag_type;
using protozero::pbf_writer;
namespace graph_field = onnx::graph_field;
namespace model_field = onnx::model_field;
namespace tensor_field = onnx::tensor_field;

/// Tag and length that stand before a message or a byte string.
std::string prefix(pbf_tag_type tag, std::size_t length) {
  std::string bytes;
  protozero::add_varint_to_buffer(
      &bytes, (tag << 3U) | static_cast<std::uint32_t>(protozero::pbf_wire_type::length_delimited));
  protozero::add_varint_to_buffer(&bytes, length);
  return bytes;
}

/// Everything of an initializer that stands before its content.
std::string initializer_head(const StreamedTensor& tensor) {
  std::string message;
  pbf_writer writer(message);
  writer.add_packed_int64(tensor_field::Dims, tensor.dims.begin(), tensor.dims.end());
  writer.add_int32(tensor_field::DataType, static_cast<int>(tensor.type));
  writer.add_string(tensor_field::Name, tensor.name);
  message += prefix(tensor_field::RawData, tensor.bytes());
  return prefix(graph_field::Initializer, message.size() + tensor.bytes()) + message;
}

void write_content(const StreamedTensor& tensor, const ByteSink& out) {
  std::size_t written = 0;
  tensor.content([&](std::string_view piece) {
    written += piece.size();
    out(piece);
  });
  if (written != tensor.bytes())
    throw std::logic_error("tensor " + tensor.name + " has another size than its shape says");
}

std::size_t padding_at(std::size_t offset) {
  return (kExternalAlignment - offset % kExternalAlignment) % kExternalAlignment;
}

}  // namespace

Count StreamedTensor::size() const {
  ValueType value;
  value.type = type;
  value.dims = dims;
  return value.bytes();
}

std::size_t StreamedTensor::bytes() const {
  const Count known = size();
  if (!known.known()) throw std::logic_error("tensor " + name + " has no known size");
  return static_cast<std::size_t>(known.value());
}

void write_model(const OnnxBuilder& model, std::span<const StreamedTensor> tensors,
                 const ByteSink& out) {
  const std::string graph = model.graph_bytes();
  std::vector<std::string> heads;
  heads.reserve(tensors.size());
  std::size_t graph_bytes = graph.size();
  for (const StreamedTensor& tensor : tensors) {
    heads.push_back(initializer_head(tensor));
    graph_bytes += heads.back().size() + tensor.bytes();
  }
  out(model.head_bytes());
  out(prefix(model_field::Graph, graph_bytes));
  out(graph);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    out(heads[i]);
    write_content(tensors[i], out);
  }
  out(model.tail_bytes());
}

std::size_t place_external(OnnxBuilder& model, std::span<const StreamedTensor> tensors,
                           std::string_view location) {
  std::size_t end = 0;
  for (const StreamedTensor& tensor : tensors) {
    const std::size_t offset = end + padding_at(end);
    model.external_initializer(tensor.name, tensor.type, tensor.dims, location,
                               static_cast<std::int64_t>(offset),
                               static_cast<std::int64_t>(tensor.bytes()));
    end = offset + tensor.bytes();
  }
  return end;
}

void write_external(OnnxBuilder& model, std::span<const StreamedTensor> tensors,
                    std::string_view location, const ByteSink& out) {
  place_external(model, tensors, location);
  const std::string zeros(kExternalAlignment, '\0');
  std::size_t end = 0;
  for (const StreamedTensor& tensor : tensors) {
    const std::size_t padding = padding_at(end);
    out(std::string_view(zeros).substr(0, padding));
    write_content(tensor, out);
    end += padding + tensor.bytes();
  }
}

}  // namespace jouletree::model
