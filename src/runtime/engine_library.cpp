#include "runtime/engine_library.hpp"

#include <dlfcn.h>

#include <fmt/format.h>

#include "base/shared_library.hpp"
#include "jouletree/error.hpp"

namespace jouletree::runtime {

const EnginePlugin& open_engine(const std::filesystem::path& file) {
  const auto [library, problem] = open_shared_library(file.string());
  if (library == nullptr) throw Error(ErrorKind::Missing, problem);
  const auto entry =
      reinterpret_cast<EngineEntry>(::dlsym(library, kEngineEntry));  // NOLINT: dlsym
  if (entry == nullptr)
    throw Error(ErrorKind::Missing, fmt::format("{} is not an engine plug-in", file.string()));
  const EnginePlugin* plugin = entry();
  if (plugin->interface != kEngineInterface) {
    throw Error(ErrorKind::Missing,
                fmt::format("{} was built for engine interface {}, this program has {}",
                            file.string(), plugin->interface, kEngineInterface));
  }
  return *plugin;
}

}  // namespace jouletree::runtime
