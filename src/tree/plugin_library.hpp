#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "jouletree/metric_plugin.hpp"

namespace jouletree::tree {

/// A metric plug-in that was opened and speaks this program's interface. The library stays open as
/// long as this object lives.
class PluginLibrary {
 public:
  /// Throws Error(BadInput) naming the file where it cannot be opened, is no metric plug-in, or
  /// was built for another version of the interface.
  explicit PluginLibrary(const std::filesystem::path& path);

  [[nodiscard]] std::string_view name() const { return plugin_->name; }
  [[nodiscard]] std::span<const PluginMetric> metrics() const { return plugin_->metrics; }
  /// Name and file, for messages: "'example' (example.so)".
  [[nodiscard]] const std::string& label() const { return label_; }
  /// Both are the same library, perhaps opened by two paths.
  [[nodiscard]] bool same_as(const PluginLibrary& other) const { return handle_ == other.handle_; }

 private:
  std::shared_ptr<void> handle_;
  const MetricPlugin* plugin_;
  std::string label_;
};

/// Why this row of a plug-in cannot be used; empty where it can.
[[nodiscard]] std::string problem_of(const Metric& metric);

}  // namespace jouletree::tree
