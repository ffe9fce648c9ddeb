#include "report/monitor/metric_server.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "base/shared_library.hpp"
#include "jouletree/error.hpp"
#include "report/monitor/metric_exporter.hpp"
#include "runtime/engine_folder.hpp"

namespace jouletree::report {
namespace {

[[noreturn]] void refuse(const std::string& reason) {
  throw Error(ErrorKind::Missing, "metrics cannot be exported: " + reason);
}

/// Opened by the one command that needs it: all others start sooner without the libraries behind
/// it.
const MetricExporter& open_exporter() {
  const std::filesystem::path file = runtime::engine_folder() / kExporterFile;
  std::error_code unreadable;
  if (!std::filesystem::exists(file, unreadable)) {
    refuse(fmt::format("there is no {}; install prometheus-cpp-dev and build JouleTree anew",
                       file.string()));
  }
  const auto [library, problem] = open_shared_library(file.string());
  if (library == nullptr) refuse(problem);
  const auto entry =
      reinterpret_cast<ExporterEntry>(::dlsym(library, kExporterEntry));  // NOLINT: dlsym
  if (entry == nullptr) refuse(fmt::format("{} is not a plug-in for it", file.string()));
  const MetricExporter* const exporter = entry();
  if (exporter->interface != kExporterInterface) {
    refuse(fmt::format("{} has interface {}, this program needs {}; install or build both anew",
                       file.string(), exporter->interface, kExporterInterface));
  }
  return *exporter;
}

const MetricExporter& exporter() {
  static const MetricExporter& opened = open_exporter();
  return opened;
}

}  // namespace

void require_metric_server() { exporter(); }

std::string metrics_text(const std::vector<MetricFamily>& families) {
  return exporter().text(families);
}

std::unique_ptr<MetricServer> serve_metrics(const ListenAddress& address, CollectMetrics collect) {
  const MetricExporter& opened = exporter();
  check_can_listen(address);
  try {
    return opened.serve(address, std::move(collect));
  } catch (const std::runtime_error& error) {
    throw Error(ErrorKind::Missing,
                fmt::format("cannot listen on {}: {}; choose another address with --listen",
                            address.text(), error.what()));
  }
}

}  // namespace jouletree::report
