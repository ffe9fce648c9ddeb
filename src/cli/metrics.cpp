#include <iostream>
#include <memory>

#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/plugin_options.hpp"
#include "jouletree/error.hpp"
#include "report/metric_list.hpp"

namespace jouletree::cli {
namespace {

enum class MetricsFormat { Table, Json, Markdown };

struct MetricsOptions {
  PluginOptions plugins;
  MetricsFormat format = MetricsFormat::Table;
};

constexpr const char* kMetricsFooter =
    "Examples:\n"
    "  jouletree metrics\n"
    "  jouletree metrics --plugin my_metric.so --format json\n"
    "\n"
    "Names are the keys in JSON. 'inspect' shows what is known of models, 'profile' and 'show' "
    "what\n"
    "is known of profiles, 'compare' both.";

void run(const MetricsOptions& options) {
  const PluginMetrics metrics(options.plugins);
  switch (options.format) {
    case MetricsFormat::Table: report::print_metric_table(metrics.entries(), std::cout); break;
    case MetricsFormat::Json: report::print_metric_json(metrics.entries(), std::cout); break;
    case MetricsFormat::Markdown:
      report::print_metric_markdown(metrics.entries(), std::cout);
      break;
  }
  finish_output();
  metrics.throw_problems();
}

}  // namespace

void add_metrics(CLI::App& app) {
  const auto options = std::make_shared<MetricsOptions>();
  CLI::App* command =
      app.add_subcommand("metrics", "List the metrics of models and profiles, and what they mean");
  command->footer(kMetricsFooter);
  options->plugins.add_to(*command);
  add_choice<MetricsFormat>(*command, "--format", options->format,
                            {{"table", MetricsFormat::Table},
                             {"json", MetricsFormat::Json},
                             {"markdown", MetricsFormat::Markdown}},
                            "What to print on standard output (default: table)");
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
