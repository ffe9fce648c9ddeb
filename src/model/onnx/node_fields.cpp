#include "model/onnx/node_fields.hpp"

#include <algorithm>

#include "model/onnx/message_edit.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::model::onnx {
namespace {

using Writer = protozero::pbf_writer;

std::vector<std::string_view> texts_of(std::string_view message, protozero::pbf_tag_type tag) {
  std::vector<std::string_view> texts;
  Reader reader = reader_of(message);
  while (reader.next(tag)) texts.push_back(content_of(reader));
  return texts;
}

void read_integers(Reader reader, std::vector<std::int64_t>& integers) {
  while (reader.next()) {
    const bool is_integer =
        reader.tag() == attribute_field::I || reader.tag() == attribute_field::Ints;
    if (!is_integer) {
      reader.skip();
    } else if (reader.wire_type() == protozero::pbf_wire_type::varint) {
      integers.push_back(reader.get_int64());
    } else {
      for (const std::int64_t integer : reader.get_packed_int64()) integers.push_back(integer);
    }
  }
}

}  // namespace

bool is_standard_node(std::string_view node, std::string_view op) {
  const std::string_view domain = text_field(node, node_field::Domain);
  return text_field(node, node_field::OpType) == op && (domain.empty() || domain == "ai.onnx");
}

std::vector<std::string_view> inputs_of(std::string_view node) {
  return texts_of(node, node_field::Input);
}

std::vector<std::string_view> outputs_of(std::string_view node) {
  return texts_of(node, node_field::Output);
}

std::string_view first_output_of(std::string_view node) {
  const auto outputs = outputs_of(node);
  const auto first = std::find_if(outputs.begin(), outputs.end(),
                                  [](std::string_view name) { return !name.empty(); });
  return first == outputs.end() ? std::string_view() : *first;
}

std::vector<std::int64_t> integers_of(std::string_view node, std::string_view attribute) {
  std::vector<std::int64_t> integers;
  for (const std::string_view bytes : texts_of(node, node_field::Attribute)) {
    if (text_field(bytes, attribute_field::Name) == attribute)
      read_integers(reader_of(bytes), integers);
  }
  return integers;
}

std::string identity_node(std::string_view from, std::string_view to) {
  std::string bytes;
  Writer writer(bytes);
  writer.add_string(node_field::Input, from.data(), from.size());
  writer.add_string(node_field::Output, to.data(), to.size());
  writer.add_string(node_field::OpType, "Identity");
  return bytes;
}

}  // namespace jouletree::model::onnx
