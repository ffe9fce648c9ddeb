#include "model/onnx/captured_names.hpp"

#include "model/onnx/message_edit.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::model::onnx {
namespace {

using Writer = protozero::pbf_writer;

/// What a graph defines itself hides what is outside.
void forget_defined(std::string_view graph, std::set<std::string_view>& captured) {
  Reader reader = reader_of(graph);
  while (reader.next()) {
    switch (reader.tag()) {
      case graph_field::Input:
        captured.erase(text_field(content_of(reader), value_info_field::Name));
        break;
      case graph_field::Initializer:
        captured.erase(text_field(content_of(reader), tensor_field::Name));
        break;
      case graph_field::Node: {
        Reader node = reader_of(content_of(reader));
        while (node.next(node_field::Output)) captured.erase(content_of(node));
        break;
      }
      default: reader.skip();
    }
  }
}

std::string with_renamed_inputs(std::string_view graph, std::set<std::string_view> captured,
                                const NewName& renamed) {
  forget_defined(graph, captured);
  const auto rename_in_node = [&](auto tag, std::string_view content, std::string& out) {
    if (tag != node_field::Input || captured.count(content) == 0) return false;
    Writer(out).add_string(tag, renamed(content));
    return true;
  };
  return rewritten(graph, [&](auto tag, std::string_view content, std::string& out) {
    if (tag != graph_field::Node) return false;
    const std::string node = rewritten(content, rename_in_node);
    Writer(out).add_message(tag, with_renamed_captures(node, captured, renamed));
    return true;
  });
}

}  // namespace

std::string with_renamed_captures(std::string_view node, const std::set<std::string_view>& captured,
                                  const NewName& renamed) {
  const auto rename_in_graph = [&](auto tag, std::string_view content, std::string& out) {
    if (tag != attribute_field::G && tag != attribute_field::Graphs) return false;
    Writer(out).add_message(tag, with_renamed_inputs(content, captured, renamed));
    return true;
  };
  return rewritten(node, [&](auto tag, std::string_view content, std::string& out) {
    if (tag != node_field::Attribute) return false;
    Writer(out).add_message(tag, rewritten(content, rename_in_graph));
    return true;
  });
}

}  // namespace jouletree::model::onnx
