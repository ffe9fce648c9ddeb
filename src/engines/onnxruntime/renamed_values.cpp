#include "engines/onnxruntime/renamed_values.hpp"

#include "model/onnx/message_edit.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::onnx {
namespace {

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
  return rewritten(graph, [&](auto tag, std::string_view content, std::string& out) {
    if (tag == graph_field::Node) {
      Writer(out).add_message(tag, with_new_names(content, visible));
      return true;
    }
    if (tag != graph_field::Output) return false;
    Writer(out).add_message(
        tag, rewritten(content, [&](auto field, std::string_view name, std::string& info) {
          return field == value_info_field::Name && write_new_name(field, name, visible, info);
        }));
    return true;
  });
}

}  // namespace

BodyParts read_body(std::string_view graph) {
  BodyParts body;
  Reader reader = reader_of(graph);
  while (reader.next()) {
    switch (reader.tag()) {
      case graph_field::Node: body.nodes.push_back(content_of(reader)); break;
      case graph_field::Initializer:
        body.initializers.push_back(content_of(reader));
        body.defined.emplace(text_field(body.initializers.back(), tensor_field::Name));
        break;
      case graph_field::SparseInitializer:
        body.has_sparse_initializers = true;
        reader.skip();
        break;
      case graph_field::Input:
        body.input_infos.push_back(content_of(reader));
        body.inputs.push_back(text_field(body.input_infos.back(), value_info_field::Name));
        body.defined.emplace(body.inputs.back());
        break;
      case graph_field::Output:
        body.outputs.push_back(text_field(content_of(reader), value_info_field::Name));
        break;
      default: reader.skip();
    }
  }
  for (const std::string_view node : body.nodes) {
    Reader fields = reader_of(node);
    while (fields.next(node_field::Output)) {
      const std::string_view name = content_of(fields);
      if (!name.empty()) body.defined.emplace(name);
    }
  }
  return body;
}

void collect_names(std::string_view graph, std::set<std::string, std::less<>>& names) {
  BodyParts body = read_body(graph);
  names.merge(body.defined);
  for (const std::string_view node : body.nodes) {
    Reader fields = reader_of(node);
    while (fields.next(node_field::Attribute)) {
      Reader attribute = reader_of(content_of(fields));
      while (attribute.next()) {
        if (attribute.tag() == attribute_field::G || attribute.tag() == attribute_field::Graphs) {
          collect_names(content_of(attribute), names);
        } else {
          attribute.skip();
        }
      }
    }
  }
}

std::string_view body_of(std::string_view node, std::string_view attribute) {
  Reader reader = reader_of(node);
  while (reader.next(node_field::Attribute)) {
    const std::string_view bytes = content_of(reader);
    if (text_field(bytes, attribute_field::Name) == attribute)
      return text_field(bytes, attribute_field::G);
  }
  return {};
}

std::string with_new_names(std::string_view node, const NewNames& names) {
  return rewritten(node, [&](auto tag, std::string_view content, std::string& out) {
    if (tag == node_field::Input || tag == node_field::Output)
      return write_new_name(tag, content, names, out);
    if (tag != node_field::Attribute) return false;
    Writer(out).add_message(
        tag, rewritten(content, [&](auto field, std::string_view graph, std::string& attribute) {
          if (field != attribute_field::G && field != attribute_field::Graphs) return false;
          Writer(attribute).add_message(field, renamed_graph(graph, names));
          return true;
        }));
    return true;
  });
}

}  // namespace jouletree::onnx
