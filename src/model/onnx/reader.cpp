#include "model/onnx/reader.hpp"

#include <fmt/format.h>
#include <protozero/exception.hpp>

#include "model/foreign/foreign.hpp"
#include "model/number_nodes.hpp"
#include "model/onnx/block_reader.hpp"
#include "model/onnx/external_place.hpp"
#include "model/onnx/node_reader.hpp"
#include "model/onnx/stated_modules.hpp"

namespace jouletree {
namespace {

using model::onnx::Message;
namespace model_field = model::onnx::model_field;

/// The messages that must wait until the whole file has been looked over.
struct TopLevel {
  std::optional<std::string_view> graph;
  model::onnx::Functions functions;
  std::string_view modules;  ///< What is stated about them; empty if nothing is.
};

TopLevel read_top_level(std::string_view bytes, Graph& graph) {
  TopLevel top;
  model::onnx::Message message(bytes);
  while (message.next()) {
    switch (message.tag()) {
      case model_field::IrVersion: graph.ir_version = message.integer(); break;
      case model_field::ProducerName: graph.producer = message.text(); break;
      case model_field::ProducerVersion: graph.producer_version = message.text(); break;
      case model_field::Graph: top.graph = message.text(); break;
      case model_field::OpsetImport:
        model::onnx::read_opset(message.message(), graph.opsets);
        break;
      case model_field::MetadataProps: {
        const Metadata entry = model::onnx::read_entry(message.message());
        if (entry.key == model::onnx::kModulesKey) top.modules = entry.value;
        break;
      }
      case model_field::Functions:
        model::onnx::read_function(message.message(), top.functions);
        break;
      default: message.skip();
    }
  }
  return top;
}

/// Nothing if the file cannot be an ONNX model.
std::optional<TopLevel> try_top_level(std::string_view bytes, Graph& graph) {
  try {
    TopLevel top = read_top_level(bytes, graph);
    if (top.graph && !graph.opsets.empty()) return top;
  } catch (const protozero::exception&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
  return std::nullopt;
}

/// An extent outside its file means a damaged download; a missing file still lets shapes be known.
void check_external_files(Graph& graph) {
  const auto folder = graph.path.parent_path();
  for (const GraphValue& value : graph.values) {
    if (!value.constant || !value.constant->external) continue;
    const ExternalData& external = *value.constant->external;
    auto known = graph.external_files.find(external.path);
    if (known == graph.external_files.end()) {
      model::onnx::refuse_links_outside(graph.path, folder / external.path);
      std::error_code error;
      const auto size = std::filesystem::file_size(folder / external.path, error);
      const std::int64_t bytes = error ? -1 : static_cast<std::int64_t>(size);
      known = graph.external_files.emplace(external.path, bytes).first;
    }
    if (known->second < 0) continue;
    const Count needed = external.length ? Count(*external.length) : value.constant->bytes();
    if ((Count(external.offset) + needed).value_or(0) > known->second) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("tensor '{}' ends beyond its external data file {} of {} bytes; the "
                              "file is truncated",
                              value.name, external.path.string(), known->second));
    }
  }
  for (auto file = graph.external_files.begin(); file != graph.external_files.end();) {
    if (file->second >= 0) {
      ++file;
      continue;
    }
    graph.missing_external_files.push_back(file->first);
    file = graph.external_files.erase(file);
  }
}

/// `file` is what `bytes` are in; null where that is other memory.
Graph read_bytes(std::string_view bytes, const std::filesystem::path& path,
                 const MappedFile* file) try {
  Graph graph;
  graph.path = path;
  graph.file_bytes = static_cast<std::int64_t>(bytes.size());
  const auto top = try_top_level(bytes, graph);
  if (!top) throw Error(ErrorKind::BadInput, model::foreign::describe_file(path, bytes));
  graph.main =
      model::onnx::BlockReader(graph, top->functions, file).read_main(Message(*top->graph));
  model::number_nodes(graph);
  model::onnx::read_stated_modules(top->modules, graph);
  check_external_files(graph);
  return graph;
} catch (const protozero::exception&) {
  throw Error(
      ErrorKind::BadInput,
      fmt::format("{}: this ONNX model is damaged; download or export it again", path.string()));
} catch (const Error& error) {
  throw Error(error.kind(), fmt::format("{}: {}", path.string(), error.what()));
}

}  // namespace

Graph read_onnx(std::string_view bytes, const std::filesystem::path& path) {
  return read_bytes(bytes, path, nullptr);
}

Graph read_onnx(const std::filesystem::path& path) {
  model::foreign::refuse_folder(path);
  return model::onnx::read_mapped(std::make_shared<const MappedFile>(path), path);
}

Graph model::onnx::read_mapped(std::shared_ptr<const MappedFile> file,
                               const std::filesystem::path& path) {
  Graph graph = read_bytes(file->bytes(), path, file.get());
  graph.file = std::move(file);
  return graph;
}

}  // namespace jouletree
