// The plug-in that `jouletree monitor` opens: the only place with prometheus-cpp.
#include <sstream>

#include <prometheus/collectable.h>
#include <prometheus/exposer.h>
#include <prometheus/text_serializer.h>

#include "report/monitor/metric_exporter.hpp"

namespace jouletree::report {
namespace {

prometheus::ClientMetric translated(const MetricSample& sample, MetricFamily::Type type) {
  prometheus::ClientMetric metric;
  for (const MetricLabel& label : sample.labels) metric.label.push_back({label.name, label.value});
  (type == MetricFamily::Type::Counter ? metric.counter.value : metric.gauge.value) = sample.value;
  return metric;
}

std::vector<prometheus::MetricFamily> translated(const std::vector<MetricFamily>& families) {
  std::vector<prometheus::MetricFamily> result;
  for (const MetricFamily& family : families) {
    prometheus::MetricFamily& target = result.emplace_back();
    target.name = family.name;
    target.help = family.help;
    target.type = family.type == MetricFamily::Type::Counter ? prometheus::MetricType::Counter
                                                             : prometheus::MetricType::Gauge;
    for (const MetricSample& sample : family.samples)
      target.metric.push_back(translated(sample, family.type));
  }
  return result;
}

class Collected final : public prometheus::Collectable {
 public:
  explicit Collected(CollectMetrics collect) : collect_(std::move(collect)) {}

  // NOLINTNEXTLINE(readability-identifier-naming): the name is that of the library
  [[nodiscard]] std::vector<prometheus::MetricFamily> Collect() const override {
    return translated(collect_());
  }

 private:
  CollectMetrics collect_;
};

/// The server gives each connection a thread of its own until it ends. Hundreds of them, each only
/// for a few seconds, so that clients that say nothing keep nobody else waiting.
std::vector<std::string> options_for(const ListenAddress& address) {
  return {"listening_ports",    address.text(), "num_threads",           "256",
          "request_timeout_ms", "5000",         "keep_alive_timeout_ms", "500"};
}

class PrometheusServer final : public MetricServer {
 public:
  PrometheusServer(ListenAddress address, CollectMetrics collect)
      : address_(std::move(address)),
        collected_(std::make_shared<Collected>(std::move(collect))),
        exposer_(options_for(address_)) {
    exposer_.RegisterCollectable(collected_);
    address_.port = static_cast<std::uint16_t>(exposer_.GetListeningPorts().at(0));
  }

  [[nodiscard]] ListenAddress address() const override { return address_; }

 private:
  ListenAddress address_;
  std::shared_ptr<Collected> collected_;
  prometheus::Exposer exposer_;
};

std::string prometheus_text(const std::vector<MetricFamily>& families) {
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, translated(families));
  return out.str();
}

std::unique_ptr<MetricServer> prometheus_server(const ListenAddress& address,
                                                CollectMetrics collect) {
  return std::make_unique<PrometheusServer>(address, std::move(collect));
}

}  // namespace
}  // namespace jouletree::report

extern "C" [[gnu::visibility("default")]] const jouletree::report::MetricExporter*
jouletree_metric_exporter() {
  static constexpr jouletree::report::MetricExporter kExporter{
      jouletree::report::kExporterInterface, jouletree::report::prometheus_text,
      jouletree::report::prometheus_server};
  return &kExporter;
}
