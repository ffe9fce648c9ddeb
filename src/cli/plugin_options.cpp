#include "cli/plugin_options.hpp"

#include <iostream>

#include <fmt/format.h>

#include "base/text_table.hpp"
#include "jouletree/error.hpp"

namespace jouletree::cli {

void PluginOptions::add_to(CLI::App& command) {
  command
      .add_option("--plugin", files,
                  "Shared library with metrics of your own, e.g. my_metric.so (repeatable)")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

PluginMetrics::PluginMetrics(const PluginOptions& options)
    : set_({options.files.begin(), options.files.end()}) {}

std::vector<tree::MetricResult> PluginMetrics::of(const ModelTree& tree, const std::string& label) {
  std::vector<tree::MetricResult> results = set_.compute(tree);
  for (const tree::MetricResult& result : results) {
    if (result.failure.empty()) continue;
    failures_.push_back(
        printable(fmt::format("plug-in '{}': metric '{}' of {} is unknown: {}", result.entry.plugin,
                              result.entry.metric.name, label, result.failure)));
  }
  return results;
}

void PluginMetrics::throw_problems() const {
  std::vector<std::string> all = set_.problems();
  all.insert(all.end(), failures_.begin(), failures_.end());
  if (all.empty()) return;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) std::cerr << "jouletree: " << all[i] << '\n';
  throw Error(set_.problems().empty() ? ErrorKind::Failed : ErrorKind::BadInput, all.back());
}

}  // namespace jouletree::cli
