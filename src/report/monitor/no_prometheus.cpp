// Stands in for prometheus_server.cpp where prometheus-cpp was not there to build with.
#include "jouletree/error.hpp"
#include "report/monitor/metric_server.hpp"

namespace jouletree::report {

void require_metric_server() {
  throw Error(ErrorKind::Missing,
              "this program was built without prometheus-cpp, so it cannot export metrics; install "
              "prometheus-cpp-dev and build it anew");
}

std::string metrics_text(const std::vector<MetricFamily>& /*families*/) {
  require_metric_server();
  return "";
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): who can serve them keeps the function
std::unique_ptr<MetricServer> serve_metrics(const ListenAddress&, CollectMetrics) {
  require_metric_server();
  return nullptr;
}

}  // namespace jouletree::report
