#include "model/torchscript/reader.hpp"

#include <csignal>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/engine_folder.hpp"
#include "base/progress.hpp"
#include "base/worker_process.hpp"
#include "model/torchscript/graph_of_run.hpp"
#include "model/torchscript/run_notes.hpp"

namespace jouletree::torchscript {
namespace {

using Json = nlohmann::json;

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// TorchScript files do not say of what type a tensor must be. Names like these mean indices.
bool sounds_like_indices(std::string_view name) {
  for (const std::string_view end : {"ids", "mask", "indices", "index", "tokens", "positions"})
    if (ends_with(name, end)) return true;
  return false;
}

Json request_for(const std::filesystem::path& path, const InputSettings& settings) {
  Json request{{"file", std::filesystem::absolute(path).string()},
               {"shapes", Json::object()},
               {"types", Json::object()},
               {"values", Json::object()}};
  for (const auto& [name, dims] : settings.shapes) {
    request["shapes"][name] = dims;
    if (sounds_like_indices(name)) request["types"][name] = name_of(DataType::Int64);
  }
  for (const auto& [name, type] : settings.types) request["types"][name] = name_of(type);
  for (const auto& [name, elements] : settings.values) {
    Json numbers = Json::array();
    for (const Scalar& element : elements) numbers.push_back(element.as_real());
    request["values"][name] = std::move(numbers);
  }
  return request;
}

std::string ask_engine(const Json& request) {
  const auto folder = engine_folder();
  const auto plugin = folder / "libjouletree_torch.so";
  const auto worker = folder / "jouletree-worker";
  if (!std::filesystem::exists(plugin) || !std::filesystem::exists(worker)) {
    throw Error(
        ErrorKind::Missing,
        fmt::format("TorchScript files need the LibTorch engine, which is not in {}; install "
                    "JouleTree's LibTorch plug-in, or export the model to ONNX",
                    folder.string()));
  }
  Progress progress("running the model once in LibTorch", 0);
  try {
    WorkerProcess process(worker, {plugin.string()});
    return process.ask(request.dump(), std::chrono::hours(24), [&progress] { progress.add(0); });
  } catch (const WorkerLost& lost) {
    throw Error(lost.signal() == SIGKILL ? ErrorKind::Missing : ErrorKind::BadInput,
                fmt::format("the LibTorch engine gave no answer: {}", lost.what()));
  }
}

}  // namespace

Graph read(const std::filesystem::path& path, const InputSettings& settings) try {
  const RecordedRun run = parse_run(ask_engine(request_for(path, settings)));
  Graph graph = graph_of(run);
  graph.path = path;
  graph.file_bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
  graph.notes = notes_on(run, graph, settings);
  return graph;
} catch (const Error& error) {
  throw Error(error.kind(), fmt::format("{}: {}", path.string(), error.what()));
}

}  // namespace jouletree::torchscript
