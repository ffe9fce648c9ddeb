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
  throw Error(ErrorKind::Missing, fmt::format(fmt::runtime(plugin.without_it), folder.string()));
}

}  // namespace

JsonWorker::JsonWorker(const PluginFile& plugin)
    : engine_(plugin.engine),
      process_(worker_of(plugin, engine_folder()), {(engine_folder() / plugin.file).string()}) {}

}  // namespace jouletree::runtime
