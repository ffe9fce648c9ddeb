#include "engines/onnxruntime/inlined_data.hpp"

#include <map>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "jouletree/error.hpp"
#include "jouletree/graph.hpp"
#include "model/onnx/message_edit.hpp"
#include "model/onnx/wire.hpp"

namespace jouletree::engines {
namespace {

namespace onnx = model::onnx;

using Writer = protozero::pbf_writer;
using DataByName = std::map<std::string_view, std::string_view>;

std::string with_data(std::string_view tensor, std::string_view data) {
  std::string bytes = onnx::rewritten(tensor, [](auto tag, std::string_view, std::string&) {
    return tag == onnx::tensor_field::ExternalData || tag == onnx::tensor_field::DataLocation;
  });
  Writer(bytes).add_bytes(onnx::tensor_field::RawData, data.data(), data.size());
  return bytes;
}

std::string graph_with_data(std::string_view graph, const DataByName& data);

/// Branches and bodies have weights of their own.
std::string node_with_data(std::string_view node, const DataByName& data) {
  return onnx::rewritten(node, [&](auto tag, std::string_view attribute, std::string& out) {
    if (tag != onnx::node_field::Attribute) return false;
    Writer(out).add_message(
        tag,
        onnx::rewritten(attribute, [&](auto field, std::string_view graph, std::string& inner) {
          if (field != onnx::attribute_field::G && field != onnx::attribute_field::Graphs)
            return false;
          Writer(inner).add_message(field, graph_with_data(graph, data));
          return true;
        }));
    return true;
  });
}

std::string graph_with_data(std::string_view graph, const DataByName& data) {
  return onnx::rewritten(graph, [&](auto tag, std::string_view content, std::string& out) {
    if (tag == onnx::graph_field::Node) {
      Writer(out).add_message(tag, node_with_data(content, data));
      return true;
    }
    if (tag != onnx::graph_field::Initializer) return false;
    const auto found = data.find(onnx::text_field(content, onnx::tensor_field::Name));
    if (found == data.end()) return false;
    Writer(out).add_message(tag, with_data(content, found->second));
    return true;
  });
}

std::string model_with_data(std::string_view model, const DataByName& data) {
  return onnx::rewritten(model, [&](auto tag, std::string_view graph, std::string& out) {
    if (tag != onnx::model_field::Graph) return false;
    Writer(out).add_message(tag, graph_with_data(graph, data));
    return true;
  });
}

}  // namespace

std::optional<std::string> with_inlined_data(const std::filesystem::path& model,
                                             const std::filesystem::path& folder_of_data) {
  const Graph graph = read_onnx(model);
  if (graph.missing_external_files.empty()) return std::nullopt;
  std::map<std::filesystem::path, MappedFile> files;
  for (const std::filesystem::path& missing : graph.missing_external_files)
    files.try_emplace(missing, folder_of_data / missing);
  DataByName data;
  for (const GraphValue& value : graph.values) {
    if (!value.constant || !value.constant->external) continue;
    const ExternalData& external = *value.constant->external;
    const auto file = files.find(external.path);
    if (file == files.end()) continue;
    const std::string_view all = file->second.bytes();
    const std::int64_t bytes =
        external.length ? *external.length : value.constant->bytes().value_or(0);
    if (external.offset < 0 || bytes < 0 ||
        external.offset + bytes > static_cast<std::int64_t>(all.size())) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("tensor '{}' ends beyond its external data file {}", value.name,
                              external.path.string()));
    }
    data[value.name] =
        all.substr(static_cast<std::size_t>(external.offset), static_cast<std::size_t>(bytes));
  }
  const MappedFile bytes(model);
  return model_with_data(bytes.bytes(), data);
}

}  // namespace jouletree::engines
