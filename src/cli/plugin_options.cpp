#include "cli/plugin_options.hpp"

#include <algorithm>
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
  return noted(set_.compute(tree), label);
}

std::vector<tree::MetricResult> PluginMetrics::of(const MeasuredModel& model,
                                                  const std::string& label) {
  return noted(set_.compute(model), label);
}

std::vector<tree::MetricResult> PluginMetrics::noted(std::vector<tree::MetricResult> results,
                                                     const std::string& label) {
  for (const tree::MetricResult& result : results) {
    if (result.failure.empty()) continue;
    failures_.push_back(
        printable(fmt::format("plug-in '{}': metric '{}' of {} is unknown: {}", result.entry.plugin,
                              result.entry.metric.name, label, result.failure)));
  }
  return results;
}

std::vector<std::string_view> PluginMetrics::plugins_for_profiles() const {
  std::vector<std::string_view> names;
  const std::vector<tree::MetricEntry>& entries = set_.entries();
  for (const tree::MetricEntry& entry : entries) {
    const auto helps = [&](const tree::MetricEntry& one) {
      return one.plugin == entry.plugin && one.from_tree;
    };
    const bool is_new = std::find(names.begin(), names.end(), entry.plugin) == names.end();
    if (!entry.plugin.empty() && is_new && std::none_of(entries.begin(), entries.end(), helps))
      names.push_back(entry.plugin);
  }
  return names;
}

void PluginMetrics::throw_bad_plugins() const {
  if (!set_.problems().empty()) throw_problems();
}

void PluginMetrics::throw_problems() const {
  std::vector<std::string> all = set_.problems();
  all.insert(all.end(), failures_.begin(), failures_.end());
  if (all.empty()) return;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) std::cerr << "jouletree: " << all[i] << '\n';
  throw Error(set_.problems().empty() ? ErrorKind::Failed : ErrorKind::BadInput, all.back());
}

}  // namespace jouletree::cli
