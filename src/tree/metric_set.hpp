#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "jouletree/metrics.hpp"

namespace jouletree::tree {

class PluginLibrary;

using TreeFunction = std::function<MetricValue(const ModelTree&)>;
using ProfileFunction = std::function<MetricValue(const MeasuredModel&)>;

/// A metric, what computes it and where it comes from.
struct MetricEntry {
  Metric metric;
  std::string_view plugin;  ///< Name of the plug-in that gives it; empty for built-in metrics.
  bool overrides = false;   ///< It stands in the place of a built-in metric.
  TreeFunction from_tree{};
  ProfileFunction from_profile{};
};

/// A metric that neither the catalogue nor a plug-in gives, for programs in other languages. It
/// owns its texts; the functions may hold whatever they need.
struct CallbackMetric {
  std::string name;  ///< As in Metric; so are all that follow.
  std::string friendly_name;
  std::string unit = "1";
  std::string short_unit{};
  MetricScale scale = MetricScale::Plain;
  MetricComparison comparison = MetricComparison::Ratio;
  Better better = Better::Neither;
  std::string description{};
  Provenance provenance = Provenance::Counted;
  TreeFunction from_tree{};
  ProfileFunction from_profile{};
  bool of_file = false;
  bool overrides = false;  ///< As in PluginMetric.
  std::string source{};    ///< Who gives it, as the name of a plug-in; not empty.
  /// How its author says that it overrides one.
  std::string to_override = "set `overrides`";
};

/// Thrown by a callback that knows in words of its own why there is no value.
class MetricFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A metric of one model.
struct MetricResult {
  MetricEntry entry;
  MetricValue value;    ///< Unknown where the metric failed.
  std::string failure;  ///< Why it failed; empty where it did not.
  /// Keeps the texts of the entry, where they are in no catalogue and no plug-in.
  std::shared_ptr<const void> texts{};
};

/// The row of the catalogue; null where there is none of that name.
[[nodiscard]] const Metric* built_in_metric(std::string_view name);
/// It is known of profiles alone.
[[nodiscard]] inline bool is_only_measured(const MetricEntry& entry) {
  return entry.from_profile && !entry.from_tree;
}
/// How the value was obtained, or would have been.
[[nodiscard]] inline Provenance provenance_of(const MetricResult& result) {
  return result.value.provenance.value_or(result.entry.metric.provenance);
}

/// The metrics that reports show: the catalogue and those of plug-ins. Keeps the plug-ins open;
/// texts of entries and results point into them. Movable, not copyable.
class MetricSet {
 public:
  /// A plug-in, or a metric of one, that cannot be used is left out and listed in problems(). Where
  /// plug-ins contradict each other, none of them is used for that metric.
  explicit MetricSet(const std::vector<std::filesystem::path>& plugins = {});
  MetricSet(MetricSet&&) noexcept;
  MetricSet& operator=(MetricSet&&) noexcept;
  ~MetricSet();

  /// Behind all others, or in the place of a built-in one. Throws Error(BadInput), in the words
  /// that a plug-in's row would get, for one that cannot be used.
  void add(CallbackMetric metric);

  /// In the order in which reports show them: the catalogue, then plug-ins as given.
  [[nodiscard]] const std::vector<MetricEntry>& entries() const { return entries_; }
  /// One sentence each: which plug-in, what is wrong, what to do.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

  /// Those that follow from a tree. A metric of a plug-in that throws, or is not finite, is unknown
  /// and says why.
  [[nodiscard]] std::vector<MetricResult> compute(const ModelTree& tree) const;
  /// All: those without a function for profiles are what the profile holds of them. Of scores
  /// only those that the profile has, also such as no catalogue knows.
  [[nodiscard]] std::vector<MetricResult> compute(const MeasuredModel& model) const;

 private:
  void open(const std::filesystem::path& path);
  void add_metrics();
  void place(MetricEntry entry);

  std::vector<PluginLibrary> libraries_;
  std::deque<CallbackMetric> callbacks_;  ///< Texts of entries point to them.
  std::vector<MetricEntry> entries_;
  std::vector<std::string> problems_;
};

/// What a profile of this tree keeps: all but metrics of the file, and those that failed.
[[nodiscard]] std::vector<CountedMetric> counted_metrics(const std::vector<MetricResult>& of_tree);

}  // namespace jouletree::tree
