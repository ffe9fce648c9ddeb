#include "engines/onnxruntime/renamed_values.hpp"

#include "model/onnx/message_edit.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::engines {
namespace {

namespace onnx = model::onnx;

using Writer = protozero::pbf_writer;

bool write_new_name(protozero::pbf_tag_type tag, std::string_view name, const NewNames& names,
                    std::string& out) {
  const auto found = names.find(name);
  if (found == names.end()) return false;
  Writer(out).add_string(tag, found->second);
  return true;
}

/// What the graph itself defines hides the values outside that are named alike.
std::string renamed_graph(std::string_view graph, const NewNames& names) {
  NewNames visible = names;
  for (const std::string& own : read_body(graph).defined) visible.erase(own);
  if (visible.empty()) return std::string(graph);
  return onnx::rewritten(graph, [&](auto tag, std::string_view content, std::string& out) {
    if (tag == onnx::graph_field::Node) {
      Writer(out).add_message(tag, with_new_names(content, visible));
      return true;
    }
    if (tag != onnx::graph_field::Output) return false;
    Writer(out).add_message(
        tag, onnx::rewritten(content, [&](auto field, std::string_view name, std::string& info) {
          return field == onnx::value_info_field::Name &&
                 write_new_name(field, name, visible, info);
        }));
    return true;
  });
}

}  // namespace

BodyParts read_body(std::string_view graph) {
  BodyParts body;
  onnx::Reader reader = onnx::reader_of(graph);
  while (reader.next()) {
    switch (reader.tag()) {
      case onnx::graph_field::Node: body.nodes.push_back(onnx::content_of(reader)); break;
      case onnx::graph_field::Initializer:
        body.initializers.push_back(onnx::content_of(reader));
        body.defined.emplace(onnx::text_field(body.initializers.back(), onnx::tensor_field::Name));
        break;
      case onnx::graph_field::SparseInitializer:
        body.has_sparse_initializers = true;
        reader.skip();
        break;
      case onnx::graph_field::Input:
        body.input_infos.push_back(onnx::content_of(reader));
        body.inputs.push_back(
            onnx::text_field(body.input_infos.back(), onnx::value_info_field::Name));
        body.defined.emplace(body.inputs.back());
        break;
      case onnx::graph_field::Output:
        body.outputs.push_back(
            onnx::text_field(onnx::content_of(reader), onnx::value_info_field::Name));
        break;
      default: reader.skip();
    }
  }
  for (const std::string_view node : body.nodes) {
    onnx::Reader fields = onnx::reader_of(node);
    while (fields.next(onnx::node_field::Output)) {
      const std::string_view name = onnx::content_of(fields);
      if (!name.empty()) body.defined.emplace(name);
    }
  }
  return body;
}

void collect_names(std::string_view graph, std::set<std::string, std::less<>>& names) {
  BodyParts body = read_body(graph);
  names.merge(body.defined);
  for (const std::string_view node : body.nodes) {
    onnx::Reader fields = onnx::reader_of(node);
    while (fields.next(onnx::node_field::Attribute)) {
      onnx::Reader attribute = onnx::reader_of(onnx::content_of(fields));
      while (attribute.next()) {
        if (attribute.tag() == onnx::attribute_field::G ||
            attribute.tag() == onnx::attribute_field::Graphs) {
          collect_names(onnx::content_of(attribute), names);
        } else {
          attribute.skip();
        }
      }
    }
  }
}

std::string_view body_of(std::string_view node, std::string_view attribute) {
  onnx::Reader reader = onnx::reader_of(node);
  while (reader.next(onnx::node_field::Attribute)) {
    const std::string_view bytes = onnx::content_of(reader);
    if (onnx::text_field(bytes, onnx::attribute_field::Name) == attribute)
      return onnx::text_field(bytes, onnx::attribute_field::G);
  }
  return {};
}

std::string with_new_names(std::string_view node, const NewNames& names) {
  return onnx::rewritten(node, [&](auto tag, std::string_view content, std::string& out) {
    if (tag == onnx::node_field::Input || tag == onnx::node_field::Output)
      return write_new_name(tag, content, names, out);
    if (tag != onnx::node_field::Attribute) return false;
    Writer(out).add_message(
        tag,
        onnx::rewritten(content, [&](auto field, std::string_view graph, std::string& attribute) {
          if (field != onnx::attribute_field::G && field != onnx::attribute_field::Graphs)
            return false;
          Writer(attribute).add_message(field, renamed_graph(graph, names));
          return true;
        }));
    return true;
  });
}

}  // namespace jouletree::engines
