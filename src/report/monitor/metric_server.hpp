#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "report/monitor/listen_address.hpp"
#include "report/monitor/metric_family.hpp"

namespace jouletree::report {

// A plug-in in the engine folder does this with prometheus-cpp. Where it cannot be opened, all of
// these throw Error(Missing) that says why.

/// Opens the plug-in, so that nothing is begun in vain.
void require_metric_server();

/// In the text format of Prometheus.
[[nodiscard]] std::string metrics_text(const std::vector<MetricFamily>& families);

/// Serves metrics under /metrics until it is destroyed.
class MetricServer {
 public:
  virtual ~MetricServer() = default;
  /// With the port that was taken.
  [[nodiscard]] virtual ListenAddress address() const = 0;
};

/// Called for each request, by several threads at once.
using CollectMetrics = std::function<std::vector<MetricFamily>()>;

/// Throws Error(Missing) where nobody can listen.
[[nodiscard]] std::unique_ptr<MetricServer> serve_metrics(const ListenAddress& address,
                                                          CollectMetrics collect);

}  // namespace jouletree::report
