#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/format_option.hpp"
#include "tree/noted_metrics.hpp"

namespace jouletree::cli {

/// The flag that adds metrics; shared by all commands that show metrics.
struct PluginOptions {
  std::vector<std::string> files;

  void add_to(CLI::App& command);
  [[nodiscard]] tree::NotedMetrics metrics() const;
};

/// The files per operator hold no metrics of the whole model: a plug-in would do nothing there.
/// Throws Error(BadInput).
void refuse_unused_plugins(const PluginOptions& plugins, Format format);
/// Throws Error(BadInput) where a plug-in cannot be used: for commands that take long.
void throw_bad_plugins(const tree::NotedMetrics& metrics);
/// To be called behind the report: throws Error(BadInput) where a plug-in cannot be used, else
/// Error(Failed) where a metric failed. Prints what does not fit into one error before.
void throw_problems(const tree::NotedMetrics& metrics);

}  // namespace jouletree::cli
