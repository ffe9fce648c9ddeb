#include "runtime/json_worker.hpp"

#include <fmt/format.h>

#include "runtime/engine_folder.hpp"

namespace jouletree::runtime {
namespace {

/// The program to start, if the plug-in is there, too.
std::filesystem::path worker_of(const PluginFile& plugin, const std::filesystem::path& folder) {
  std::filesystem::path worker = folder / "jouletree-worker";
  if (std::filesystem::exists(worker) && std::filesystem::exists(folder / plugin.file))
    return worker;
  const std::string_view what_to_do = plugin.what_to_do;
  throw Error(ErrorKind::Missing,
              fmt::format("{}{}{}", fmt::format(fmt::runtime(plugin.without_it), folder.string()),
                          what_to_do.empty() ? "" : "; ", what_to_do));
}

}  // namespace

std::string text_of_request(const nlohmann::json& request) try {
  return request.dump();
} catch (const nlohmann::json::type_error&) {
  throw Error(ErrorKind::BadInput,
              "the model has a name that is not UTF-8, and no engine can be told of it; give its "
              "inputs, outputs and nodes other names");
}

JsonWorker::JsonWorker(const PluginFile& plugin)
    : engine_(plugin.engine),
      process_(worker_of(plugin, engine_folder()), {(engine_folder() / plugin.file).string()}) {}

}  // namespace jouletree::runtime
