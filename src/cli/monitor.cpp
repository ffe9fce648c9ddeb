#include <iostream>
#include <memory>

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
#include "report/monitor/machine_metrics.hpp"
#include "report/monitor/metric_server.hpp"
#include "version.hpp"

namespace jouletree::cli {
namespace {

struct MonitorOptions {
  std::string listen = "127.0.0.1:9417";
  bool once = false;
  MeterOptions meters;
  CostOptions cost;
};

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

void print_once(measure::MachineWatch& watch, const FootprintFactors& factors,
                const StopSignals& stop) {
  // Power and utilisation are means over time, so some has to pass.
  if (stop.came_within_a_second()) return;
  std::cout << report::metrics_text(report::machine_metrics(watch.look(), factors, kVersion));
  finish_output();
}

void serve(measure::MachineWatch& watch, const FootprintFactors& factors,
           const report::ListenAddress& address, const StopSignals& stop) {
  const auto server = report::serve_metrics(
      address, [&] { return report::machine_metrics(watch.look(), factors, kVersion); });
  if (!address.is_loopback) {
    say(fmt::format("warning: everybody who reaches this machine can read the metrics on port {}",
                    server->address().port));
  }
  say(fmt::format("serving http://{}/metrics", server->address().text()));
  while (!stop.came_within_a_second()) watch.tick();
}

void run_monitor(const MonitorOptions& options) {
  report::require_metric_server();
  // All flags are looked at before anything is begun.
  const report::ListenAddress address = report::parse_listen_address(options.listen);
  const FootprintFactors factors = options.cost.factors();
  const std::chrono::nanoseconds interval = options.meters.sampling_interval();
  const ProbeOptions probe_options = options.meters.probe_options();
  const StopSignals stop;
  Probe probe = measure::open_meters(probe_options, tell_of_meters);
  measure::MachineWatch watch(std::move(probe.meters), probe_options, interval);
  if (options.once) {
    print_once(watch, factors, stop);
  } else {
    serve(watch, factors, address, stop);
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
                   "Where to serve metrics, e.g. 0.0.0.0:9417 for all who reach this machine "
                   "(default: 127.0.0.1:9417)")
      ->type_name("ADDRESS:PORT");
  command->add_flag("--once", options->once,
                    "Measure for a second, print the metrics to standard output and exit");
  options->meters.add_to(*command);
  options->cost.add_to(*command);
  command->callback([options] { run_monitor(*options); });
}

}  // namespace jouletree::cli
