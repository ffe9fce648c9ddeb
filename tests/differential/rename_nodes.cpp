#include "rename_nodes.hpp"

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

namespace jouletree::test {
namespace {

constexpr protozero::pbf_tag_type kModelGraph = 7;
constexpr protozero::pbf_tag_type kGraphNode = 1;
constexpr protozero::pbf_tag_type kNodeName = 3;
constexpr protozero::pbf_tag_type kNodeAttribute = 5;
constexpr protozero::pbf_tag_type kAttributeName = 1;
constexpr protozero::pbf_tag_type kAttributeGraph = 6;
constexpr protozero::pbf_tag_type kAttributeGraphs = 11;

// Calls change(field, reader, writer) for each field of a message. Where it returns false the field
// is copied as its very bytes, which no decode and encode round trip could promise.
template <typename Change>
std::string rewrite(std::string_view message, Change change) {
  std::string result;
  result.reserve(message.size() + 64);
  protozero::pbf_writer writer(result);
  protozero::pbf_reader reader(message.data(), message.size());
  while (true) {
    const char* const field_begin = reader.data().data();
    if (!reader.next()) break;
    if (change(reader.tag(), reader, writer)) continue;
    reader.skip();
    result.append(field_begin, reader.data().data());
  }
  return result;
}

std::string_view view(protozero::pbf_reader& reader) {
  const protozero::data_view bytes = reader.get_view();
  return {bytes.data(), bytes.size()};
}

std::string_view attribute_name(std::string_view attribute) {
  protozero::pbf_reader reader(attribute.data(), attribute.size());
  return reader.next(kAttributeName) ? view(reader) : std::string_view{};
}

std::string rename_graph(std::string_view graph, const std::string& prefix);

std::string rename_attribute(std::string_view attribute, const std::string& node_name) {
  const std::string path = node_name + '.' + std::string(attribute_name(attribute));
  std::size_t graphs = 0;
  return rewrite(attribute, [&](auto tag, auto& reader, auto& writer) {
    if (tag == kAttributeGraph) {
      writer.add_message(kAttributeGraph, rename_graph(view(reader), path + '.'));
      return true;
    }
    if (tag == kAttributeGraphs) {
      const std::string index = '[' + std::to_string(graphs++) + ']';
      writer.add_message(kAttributeGraphs, rename_graph(view(reader), path + index + '.'));
      return true;
    }
    return false;
  });
}

std::string rename_node(std::string_view node, const std::string& name) {
  std::string result = rewrite(node, [&](auto tag, auto& reader, auto& writer) {
    if (tag == kNodeName) {
      reader.skip();
      return true;
    }
    if (tag == kNodeAttribute) {
      writer.add_message(kNodeAttribute, rename_attribute(view(reader), name));
      return true;
    }
    return false;
  });
  protozero::pbf_writer(result).add_string(kNodeName, name);
  return result;
}

std::string rename_graph(std::string_view graph, const std::string& prefix) {
  std::size_t nodes = 0;
  return rewrite(graph, [&](auto tag, auto& reader, auto& writer) {
    if (tag != kGraphNode) return false;
    writer.add_message(kGraphNode,
                       rename_node(view(reader), prefix + 'n' + std::to_string(nodes++)));
    return true;
  });
}

}  // namespace

std::string rename_nodes(std::string_view model_bytes) {
  return rewrite(model_bytes, [](auto tag, auto& reader, auto& writer) {
    if (tag != kModelGraph) return false;
    writer.add_message(kModelGraph, rename_graph(view(reader), ""));
    return true;
  });
}

}  // namespace jouletree::test
