#include <iostream>
#include <memory>

#include "cli/command.hpp"
#include "cli/format_option.hpp"
#include "cli/output.hpp"
#include "cli/plugin_options.hpp"
#include "jouletree/error.hpp"
#include "report/metric_list.hpp"

namespace jouletree::cli {
namespace {

struct MetricsOptions {
  PluginOptions plugins;
  Format format = Format::Table;
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
  const tree::NotedMetrics metrics = options.plugins.metrics();
  switch (options.format) {
    case Format::Json: report::print_metric_json(metrics.entries(), std::cout); break;
    case Format::Markdown: report::print_metric_markdown(metrics.entries(), std::cout); break;
    default: report::print_metric_table(metrics.entries(), std::cout); break;
  }
  finish_output();
  throw_problems(metrics);
}

}  // namespace

void add_metrics(CLI::App& app) {
  const auto options = std::make_shared<MetricsOptions>();
  CLI::App* command =
      app.add_subcommand("metrics", "List the metrics of models and profiles, and what they mean");
  command->footer(kMetricsFooter);
  options->plugins.add_to(*command);
  add_format(*command, options->format, {Format::Table, Format::Json, Format::Markdown});
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
