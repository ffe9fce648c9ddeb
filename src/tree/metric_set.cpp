#include "tree/metric_set.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text_table.hpp"
#include "tree/plugin_library.hpp"

namespace jouletree::tree {
namespace {

/// A usable row of a plug-in.
struct Offer {
  const PluginLibrary* library = nullptr;
  const PluginMetric* row = nullptr;
};

/// Why a row cannot be used whatever other plug-ins say; empty where it can.
std::string row_problem(const PluginMetric& row) {
  std::string problem = problem_of(row.metric);
  if (!problem.empty()) return problem;
  const Metric* original = built_in_metric(row.metric.name);
  if (original != nullptr && !row.overrides) {
    return fmt::format(
        "its metric '{0}' ({1}) has the name of the built-in metric '{0}' ({2}), which is shown "
        "instead; set `overrides` in the plug-in to replace it, or rename it",
        row.metric.name, row.metric.friendly_name, original->friendly_name);
  }
  if (original == nullptr && row.overrides) {
    return fmt::format(
        "its metric '{}' says that it overrides a built-in one, but there is none of that name",
        row.metric.name);
  }
  return "";
}

std::vector<std::string> labels_of(const std::vector<Offer>& rivals) {
  std::vector<std::string> labels;
  for (const Offer& offer : rivals) {
    if (std::find(labels.begin(), labels.end(), offer.library->label()) == labels.end())
      labels.push_back(offer.library->label());
  }
  return labels;
}

std::string conflict_of(const std::vector<Offer>& rivals) {
  const PluginMetric& row = *rivals[0].row;
  const std::vector<std::string> labels = labels_of(rivals);
  if (labels.size() == 1)
    return fmt::format("plug-in {}: metric '{}' is listed twice", labels[0], row.metric.name);
  const bool two = labels.size() == 2;
  const char* instead = two ? "neither is shown" : "none is shown";
  return fmt::format("plug-ins {} {} {} '{}', so {}; use only one of them",
                     fmt::join(labels, " and "), two ? "both" : "all",
                     row.overrides ? "override the built-in metric" : "give a metric",
                     row.metric.name, row.overrides ? "the built-in one is shown" : instead);
}

MetricEntry entry_of(const Offer& offer) {
  return {offer.row->metric, offer.library->name(), offer.row->overrides};
}

/// Nothing a plug-in does in here may end the program.
void compute_safely(const ModelTree& tree, MetricResult& result) try {
  const MetricValue value = result.entry.metric.compute(tree);
  if (value.value && std::isnan(*value.value)) {
    result.failure = "it returned NaN";
  } else if (value.value && std::isinf(*value.value)) {
    result.failure = "it returned infinity";
  } else {
    result.value = value;
  }
} catch (const std::exception& error) {
  const char* words = error.what();
  result.failure = printable(fmt::format("it threw: {}", words == nullptr ? "" : words));
} catch (...) {
  result.failure = "it threw something that is not a std::exception";
}

}  // namespace

const Metric* built_in_metric(std::string_view name) {
  const auto catalogue = metric_catalogue();
  const auto found = std::find_if(catalogue.begin(), catalogue.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  return found == catalogue.end() ? nullptr : &*found;
}

MetricSet::MetricSet(const std::vector<std::filesystem::path>& plugins) {
  for (const Metric& metric : metric_catalogue()) entries_.push_back({metric, "", false});
  for (const auto& path : plugins) open(path);
  add_metrics();
}

MetricSet::MetricSet(MetricSet&&) noexcept = default;
MetricSet& MetricSet::operator=(MetricSet&&) noexcept = default;
MetricSet::~MetricSet() = default;

void MetricSet::open(const std::filesystem::path& path) try {
  PluginLibrary library(path);
  for (const PluginLibrary& other : libraries_) {
    if (!library.same_as(other)) continue;
    problems_.push_back(fmt::format("plug-in {} is given twice", other.label()));
    return;
  }
  libraries_.push_back(std::move(library));
} catch (const Error& error) {
  problems_.emplace_back(error.what());
}

void MetricSet::add_metrics() {
  std::vector<std::vector<Offer>> offers;  // By name, in the order in which names were first met.
  for (const PluginLibrary& library : libraries_) {
    for (const PluginMetric& row : library.metrics()) {
      if (const std::string problem = row_problem(row); !problem.empty()) {
        problems_.push_back(printable(fmt::format("plug-in {}: {}", library.label(), problem)));
        continue;
      }
      const auto rivals = std::find_if(offers.begin(), offers.end(), [&](const auto& others) {
        return others[0].row->metric.name == row.metric.name;
      });
      if (rivals == offers.end()) {
        offers.push_back({{&library, &row}});
      } else {
        rivals->push_back({&library, &row});
      }
    }
  }
  for (const auto& rivals : offers) {
    if (rivals.size() > 1) {
      problems_.push_back(conflict_of(rivals));
    } else if (!rivals[0].row->overrides) {
      entries_.push_back(entry_of(rivals[0]));
    } else {
      *std::find_if(entries_.begin(), entries_.end(), [&](const MetricEntry& entry) {
        return entry.metric.name == rivals[0].row->metric.name;
      }) = entry_of(rivals[0]);
    }
  }
}

std::vector<MetricResult> MetricSet::compute(const ModelTree& tree) const {
  std::vector<MetricResult> results;
  results.reserve(entries_.size());
  for (const MetricEntry& entry : entries_) {
    MetricResult& result = results.emplace_back(MetricResult{entry, {}, {}});
    if (entry.plugin.empty()) {
      result.value = entry.metric.compute(tree);
    } else {
      compute_safely(tree, result);
    }
  }
  return results;
}

}  // namespace jouletree::tree
