#include "tree/metric_set.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text_table.hpp"
#include "tree/plugin_library.hpp"
#include "tree/score_metrics.hpp"

namespace jouletree::tree {
namespace {

/// A usable row of a plug-in.
struct Offer {
  const PluginLibrary* library = nullptr;
  const PluginMetric* row = nullptr;
};

/// Why a row cannot be used whatever other plug-ins say; empty where it can.
std::string row_problem(const Metric& metric, bool overrides, std::string_view to_override) {
  std::string problem = problem_of(metric);
  if (!problem.empty()) return problem;
  const Metric* original = built_in_metric(metric.name);
  if (original != nullptr && !overrides) {
    return fmt::format(
        "its metric '{0}' ({1}) has the name of the built-in metric '{0}' ({2}), which is shown "
        "instead; {3} to replace it, or rename it",
        metric.name, metric.friendly_name, original->friendly_name, to_override);
  }
  if (original == nullptr && overrides) {
    return fmt::format(
        "its metric '{}' says that it overrides a built-in one, but there is none of that name",
        metric.name);
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

MetricEntry entry_of(const Metric& metric, std::string_view plugin, bool overrides) {
  return {metric, plugin, overrides, metric.from_tree, metric.from_profile};
}

/// Why a value cannot be taken; empty where it can.
std::string value_problem(const MetricValue& value) {
  if (value.value && std::isnan(*value.value)) return "it returned NaN";
  if (value.value && std::isinf(*value.value)) return "it returned infinity";
  const auto is_number = [](const std::optional<double>& bound) {
    return !bound || std::isfinite(*bound);
  };
  if (!is_number(value.low) || !is_number(value.high))
    return "it returned a bound that is not a number";
  if (!value.value && (value.low || value.high)) return "it returned bounds without a value";
  if ((value.low && *value.low > *value.value) || (value.high && *value.high < *value.value))
    return "it returned bounds that do not enclose its value";
  if (value.provenance && name_of(*value.provenance).empty())
    return "it returned a provenance that does not exist";
  return "";
}

/// Nothing a plug-in does in here may end the program.
template <class Function, class From>
void compute_safely(const Function& function, const From& from, MetricResult& result) try {
  const MetricValue value = function(from);
  result.failure = value_problem(value);
  if (result.failure.empty()) result.value = value;
} catch (const MetricFailure& failure) {
  result.failure = printable(failure.what());
} catch (const std::exception& error) {
  const char* words = error.what();
  result.failure = printable(fmt::format("it threw: {}", words == nullptr ? "" : words));
} catch (...) {
  result.failure = "it threw something that is not a std::exception";
}

template <class Function, class From>
void compute_one(const Function& function, const From& from, MetricResult& result) {
  if (result.entry.plugin.empty()) {
    result.value = function(from);
  } else {
    compute_safely(function, from, result);
  }
}

/// As the row of a plug-in. The texts stay with the callback.
Metric row_of(const CallbackMetric& metric) {
  // Only there to say that it has one: entries call the callback.
  const auto from_tree = [](const ModelTree&) -> MetricValue { return {}; };
  const auto from_profile = [](const MeasuredModel&) -> MetricValue { return {}; };
  Metric row{
      metric.name,       metric.friendly_name, metric.unit,        metric.short_unit, metric.scale,
      metric.comparison, metric.better,        metric.description, metric.provenance, nullptr,
      nullptr,           metric.of_file};
  if (metric.from_tree) row.from_tree = from_tree;
  if (metric.from_profile) row.from_profile = from_profile;
  return row;
}

}  // namespace

const Metric* built_in_metric(std::string_view name) {
  const auto catalogue = metric_catalogue();
  const auto found = std::find_if(catalogue.begin(), catalogue.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  return found == catalogue.end() ? nullptr : &*found;
}

MetricSet::MetricSet(const std::vector<std::filesystem::path>& plugins) {
  for (const Metric& metric : metric_catalogue()) entries_.push_back(entry_of(metric, "", false));
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
      const std::string problem =
          row_problem(row.metric, row.overrides, "set `overrides` in the plug-in");
      if (!problem.empty()) {
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
    const Offer& offer = rivals[0];
    if (rivals.size() > 1) {
      problems_.push_back(conflict_of(rivals));
    } else {
      place(entry_of(offer.row->metric, offer.library->name(), offer.row->overrides));
    }
  }
}

void MetricSet::place(MetricEntry entry) {
  if (!entry.overrides) {
    entries_.push_back(std::move(entry));
    return;
  }
  *std::find_if(entries_.begin(), entries_.end(), [&](const MetricEntry& one) {
    return one.metric.name == entry.metric.name;
  }) = std::move(entry);
}

void MetricSet::add(CallbackMetric metric) {
  const auto refuse = [&](const std::string& problem) {
    throw Error(ErrorKind::BadInput, printable(fmt::format("{}: {}", metric.source, problem)));
  };
  if (metric.source.empty()) throw Error(ErrorKind::BadInput, "a metric does not say who gives it");
  const std::string problem = row_problem(row_of(metric), metric.overrides, metric.to_override);
  if (!problem.empty()) refuse(problem);
  for (const MetricEntry& entry : entries_) {
    if (entry.metric.name != metric.name || entry.plugin.empty()) continue;
    refuse(fmt::format("metric '{}' is given by {} already; rename it", metric.name, entry.plugin));
  }
  const CallbackMetric& kept = callbacks_.emplace_back(std::move(metric));
  place({row_of(kept), kept.source, kept.overrides, kept.from_tree, kept.from_profile});
}

std::vector<MetricResult> MetricSet::compute(const ModelTree& tree) const {
  std::vector<MetricResult> results;
  results.reserve(entries_.size());
  for (const MetricEntry& entry : entries_) {
    if (!entry.from_tree) continue;
    compute_one(entry.from_tree, tree, results.emplace_back(MetricResult{entry, {}, {}}));
  }
  return results;
}

std::vector<MetricResult> MetricSet::compute(const MeasuredModel& model) const {
  std::vector<MetricResult> results;
  results.reserve(entries_.size());
  for (const MetricEntry& entry : entries_) {
    MetricResult& result = results.emplace_back(MetricResult{entry, {}, {}});
    if (entry.from_profile) {
      compute_one(entry.from_profile, model, result);
      if (entry.metric.of_score && !result.value.value) results.pop_back();
    } else {
      result.value = model.count_of(entry.metric.name, entry.plugin);
      if (result.value.provenance == entry.metric.provenance) result.value.provenance.reset();
    }
  }
  if (model.score) add_other_scores(*model.score, results);
  return results;
}

std::vector<CountedMetric> counted_metrics(const std::vector<MetricResult>& of_tree) {
  std::vector<CountedMetric> counted;
  for (const MetricResult& result : of_tree) {
    const MetricEntry& entry = result.entry;
    if (entry.metric.of_file || entry.from_profile || !result.failure.empty()) continue;
    counted.push_back({std::string(entry.metric.name), std::string(entry.plugin), result.value});
  }
  return counted;
}

}  // namespace jouletree::tree
