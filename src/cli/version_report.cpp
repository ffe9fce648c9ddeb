#include "cli/version_report.hpp"

#include <fmt/format.h>

#include "runtime/engine_folder.hpp"
#include "runtime/engines.hpp"
#include "version.hpp"

namespace jouletree::cli {

std::string version_report() {
  std::string report = fmt::format("jouletree {}", kVersion);
  for (const runtime::EngineStatus& engine : runtime::find_engines(runtime::engine_folder())) {
    report += fmt::format("\n{}: {} {}", engine.name,
                          engine.found ? "found" : "not found:", engine.detail);
  }
  return report;
}

}  // namespace jouletree::cli
