#include "model/torchscript/reader.hpp"

#include <fmt/format.h>

#include "base/progress.hpp"
#include "model/torchscript/graph_of_run.hpp"
#include "model/torchscript/run_notes.hpp"

namespace jouletree::model::torchscript {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// TorchScript files do not say of what type a tensor must be. Names like these mean indices.
bool sounds_like_indices(std::string_view name) {
  for (const std::string_view end : {"ids", "mask", "indices", "index", "tokens", "positions"})
    if (ends_with(name, end)) return true;
  return false;
}

}  // namespace

runtime::RunRequest request_for(const std::filesystem::path& path, const InputSettings& settings) {
  runtime::RunRequest request;
  request.file = path;
  for (const auto& [name, dims] : settings.shapes) {
    request.shapes[name] = dims;
    if (sounds_like_indices(name)) request.types[name] = DataType::Int64;
  }
  for (const auto& [name, type] : settings.types) request.types[name] = type;
  for (const auto& [name, elements] : settings.values)
    for (const Scalar& element : elements) request.values[name].push_back(element.as_real());
  return request;
}

Graph read(const std::filesystem::path& path, const InputSettings& settings) try {
  Progress progress("running the model once in LibTorch", 0);
  const runtime::RecordedRun run =
      runtime::record_run(request_for(path, settings), [&] { progress.add(0); });
  Graph graph = graph_of(run);
  graph.path = path;
  graph.file_bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
  graph.notes = notes_on(run, graph, settings);
  return graph;
} catch (const Error& error) {
  throw Error(error.kind(), fmt::format("{}: {}", path.string(), error.what()));
}

}  // namespace jouletree::model::torchscript
