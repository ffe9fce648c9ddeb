#pragma once

#include "report/monitor/metric_server.hpp"

namespace jouletree::report {

/// Version of what stands below. A plug-in of another version is refused.
inline constexpr int kExporterInterface = 1;

/// What the plug-in with prometheus-cpp offers. It is built with the program and by the same
/// compiler, so that both share types of the standard library.
struct MetricExporter {
  int interface;  ///< Stays first in every version.
  /// As metrics_text().
  std::string (*text)(const std::vector<MetricFamily>& families);
  /// As serve_metrics(), but throws std::runtime_error where nobody can listen.
  std::unique_ptr<MetricServer> (*serve)(const ListenAddress& address, CollectMetrics collect);
};

inline constexpr const char* kExporterFile = "libjouletree_prometheus.so";
inline constexpr const char* kExporterEntry = "jouletree_metric_exporter";
/// The type of the function that the plug-in exports under that name.
using ExporterEntry = const MetricExporter* (*)();

}  // namespace jouletree::report
