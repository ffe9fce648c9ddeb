#include <iostream>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/message.hpp"
#include "cli/command.hpp"
#include "cli/cost_options.hpp"
#include "cli/meter_options.hpp"
#include "cli/output.hpp"
#include "cli/stop_signals.hpp"
#include "jouletree/error.hpp"
#include "measure/machine_watch.hpp"
#include "measure/metered_machine.hpp"
#include "report/http/http_server.hpp"
#include "report/monitor/machine_metrics.hpp"
#include "report/monitor/metric_answer.hpp"
#include "report/monitor/metrics_text.hpp"
#include "version.hpp"

namespace jouletree::cli {
namespace {

struct MonitorOptions {
  std::string listen = "127.0.0.1:9417";
  bool once = false;
  MeterOptions meters;
  CostOptions cost;
};

constexpr std::uint16_t kMonitorPort = 9417;
constexpr const char* kMonitorFooter =
    "Examples:\n"
    "  jouletree monitor\n"
    "  jouletree monitor --listen 0.0.0.0:9417 --region FR\n"
    "  jouletree monitor --once\n"
    "\n"
    "Prometheus finds the metrics under http://127.0.0.1:9417/metrics. Counters start at 0 with "
    "the\n"
    "monitor and never decrease; what a meter does not tell is absent, never 0. SIGINT and "
    "SIGTERM\n"
    "end the monitor.";

std::string text_of(measure::MachineWatch& watch, const FootprintFactors& factors) {
  return report::metrics_text(report::machine_metrics(watch.look(), factors, kVersion));
}

void print_once(measure::MachineWatch& watch, const FootprintFactors& factors,
                const StopSignals& stop) {
  // Power and utilisation are means over time, so some has to pass.
  if (stop.came_within_a_second()) return;
  std::cout << text_of(watch, factors);
  finish_output();
}

void serve_metrics(measure::MachineWatch& watch, const FootprintFactors& factors,
                   std::unique_ptr<report::HttpServer> server, const StopSignals& stop) {
  const report::ListenAddress address = server->address();
  server->start([&watch, &factors, is_loopback = address.is_loopback](const auto& request) {
    return report::metric_answer(request, is_loopback, [&] { return text_of(watch, factors); });
  });
  if (!address.is_loopback) {
    say(fmt::format("warning: everybody who reaches this machine can read the metrics on port {}",
                    address.port));
  }
  say(fmt::format("serving http://{}/metrics", address.text()));
  while (server->is_running() && !stop.came_within_a_second()) watch.tick();
  if (!server->is_running()) throw report::no_longer_listening(address);
}

void run_monitor(const MonitorOptions& options) {
  // All flags are looked at before anything is begun.
  const report::ListenAddress address = report::parse_listen_address(options.listen, kMonitorPort);
  const FootprintFactors factors = options.cost.factors();
  const std::chrono::nanoseconds interval = options.meters.sampling_interval();
  const ProbeOptions probe_options = options.meters.probe_options();
  const StopSignals stop;
  // Ahead of the meters: whoever cannot listen is told at once.
  auto server = options.once ? nullptr : report::open_http_server(address);
  Probe probe = measure::open_meters(probe_options, tell_of_meters);
  measure::MachineWatch watch(std::move(probe.meters), probe_options, interval);
  if (server == nullptr) {
    print_once(watch, factors, stop);
  } else {
    serve_metrics(watch, factors, std::move(server), stop);
  }
}

}  // namespace

void add_monitor(CLI::App& app) {
  const auto options = std::make_shared<MonitorOptions>();
  options->meters.interval = "100ms";
  CLI::App* command =
      app.add_subcommand("monitor", "Serve energy and power of this machine to Prometheus");
  command->footer(kMonitorFooter);
  command
      ->add_option("--listen", options->listen,
                   "Where to serve metrics: 127.0.0.1:9417 (default), 9417, [::1]:9417, "
                   "0.0.0.0:9417 for all who reach this machine; port 0 takes a free one")
      ->type_name("ADDRESS:PORT");
  command->add_flag("--once", options->once,
                    "Measure for a second, print the metrics to standard output and exit");
  options->meters.add_to(*command);
  options->cost.add_to(*command);
  command->callback([options] { run_monitor(*options); });
}

}  // namespace jouletree::cli
