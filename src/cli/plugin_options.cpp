#include "cli/plugin_options.hpp"

#include <iostream>

#include "base/message.hpp"
#include "jouletree/error.hpp"

namespace jouletree::cli {

void PluginOptions::add_to(CLI::App& command) {
  command
      .add_option("--plugin", files,
                  "Shared library with metrics of your own, e.g. my_metric.so (repeatable)")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

tree::NotedMetrics PluginOptions::metrics() const {
  return tree::NotedMetrics({files.begin(), files.end()});
}

void refuse_unused_plugins(const PluginOptions& plugins, Format format) {
  if (plugins.files.empty() || format == Format::Table || format == Format::Json) return;
  throw Error(ErrorKind::BadInput,
              "--plugin adds metrics of the whole model, which the formats csv and jsonl do not "
              "hold; use --format table or json");
}

void throw_bad_plugins(const tree::NotedMetrics& metrics) {
  if (!metrics.bad_plugins().empty()) throw_problems(metrics);
}

void throw_problems(const tree::NotedMetrics& metrics) {
  std::vector<std::string> all = metrics.bad_plugins();
  all.insert(all.end(), metrics.failures().begin(), metrics.failures().end());
  if (all.empty()) return;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) say(all[i]);
  throw Error(metrics.bad_plugins().empty() ? ErrorKind::Failed : ErrorKind::BadInput, all.back());
}

}  // namespace jouletree::cli
