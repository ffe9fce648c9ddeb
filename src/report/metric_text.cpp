#include "report/metric_text.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_format.hpp"
#include "base/text_table.hpp"
#include "report/si_text.hpp"

namespace jouletree::report {
namespace {

constexpr double kFirstShortened = 1000.0;

// Metrics of plug-ins may have any finite value: a number is never shown as one that it is not.
constexpr double kLongestPlain = 1e15;
constexpr double kSmallestWithTwoDecimals = 0.01;

std::string plain(double value) {
  const double size = std::abs(value);
  if (size >= kLongestPlain || (size > 0 && size < kSmallestWithTwoDecimals))
    return fmt::format("{:.3g}", value);
  return fmt::format("{:.2f}", value);
}

/// Scores are compared by their last digits, however small they are.
std::string score_text(double value) {
  return std::abs(value) < kFirstShortened ? fmt::format("{:.4g}", value) : plain(value);
}

std::string whole(double value) {
  constexpr double kBeyond64Bits = 9.2e18;
  if (std::floor(value) != value || std::abs(value) >= kBeyond64Bits) return plain(value);
  return with_separators(static_cast<std::int64_t>(value));
}

/// Most metrics are counted, so what is not needs a word.
std::string with_provenance(const tree::MetricResult& result) {
  std::string text(result.entry.metric.friendly_name);
  const Provenance how = tree::provenance_of(result);
  if (how != Provenance::Counted) text += fmt::format(" ({})", name_of(how));
  return text;
}

/// "× 2.25"; a small one has as many digits as it needs, so that none reads as 0.
std::string ratio_text(double ratio) {
  if (ratio < 0.0001) return fmt::format("× {:.2g}", ratio);
  // What is hardly more or less must not look like the same.
  const bool is_close = ratio != 1 && std::abs(ratio - 1) < 0.005;
  return fmt::format("× {:.{}f}", ratio, is_close || ratio < 0.1 ? 4 : 2);
}

std::string marked(const MetricValue& result, const char* mark, const std::string& text) {
  return (result.lower_bound ? mark : "") + text;
}

}  // namespace

std::string short_metric_text(const Metric& metric, const MetricValue& result) {
  if (!result.value) return "unknown";
  const double value = *result.value;
  switch (metric.scale) {
    case MetricScale::Plain:
      return marked(result, "≥ ", metric.of_score ? score_text(value) : plain(value));
    case MetricScale::Bytes: return marked(result, "≥ ", shortened_bytes(value));
    case MetricScale::Ratio: return marked(result, "≥ ", percent(value));
    case MetricScale::Si: return marked(result, "≥ ", si_text(value, metric.short_unit));
    case MetricScale::Thousands:
      return marked(result, "≥ ", metric.short_unit.empty() ? whole(value) : shortened(value));
  }
  return "";
}

std::string metric_text(const Metric& metric, const MetricValue& result) {
  if (!result.value) return "unknown";
  const double value = *result.value;
  MetricValue exact = result;
  exact.lower_bound = false;
  std::string text = short_metric_text(metric, exact);
  if (metric.scale == MetricScale::Plain && !metric.short_unit.empty())
    text += fmt::format(" {}", metric.short_unit);
  const bool shortens = metric.scale == MetricScale::Thousands && !metric.short_unit.empty();
  if (shortens && value >= kFirstShortened) text += fmt::format(" ({})", whole(value));
  return marked(result, "at least ", text);
}

std::string comparison_text(const Metric& metric, const ComparedValue& compared) {
  if (compared.verdict == Verdict::Same || compared.verdict == Verdict::Unknown)
    return std::string(name_of(compared.verdict));
  std::string text;
  if (compared.value) {
    if (metric.comparison == MetricComparison::Difference) {
      text = metric.scale == MetricScale::Ratio ? fmt::format("{:+.1f} %", *compared.value * 100)
                                                : fmt::format("{:+g}", *compared.value);
    } else {
      text = ratio_text(*compared.value);
    }
  }
  if (compared.verdict == Verdict::Different && !text.empty()) return text;
  if (compared.verdict == Verdict::Overlap && !text.empty()) text += ',';
  return fmt::format("{}{}{}", text, text.empty() ? "" : " ", name_of(compared.verdict));
}

std::string title_below(std::string_view title, std::string_view above) {
  // "Latency, p90" below "Latency, mean", and "Energy above idle" below "Energy".
  const std::size_t comma = above.find(", ");
  const std::string_view shared = comma == std::string_view::npos ? above : above.substr(0, comma);
  const std::string_view joint = comma == std::string_view::npos ? " " : ", ";
  if (shared.empty() || !title.starts_with(std::string(shared) + std::string(joint)))
    return std::string(title);
  return "  " + std::string(title.substr(shared.size() + joint.size()));
}

void print_plugin_notes(const std::vector<tree::MetricResult>& results, std::ostream& out) {
  std::vector<std::string_view> plugins;
  for (const tree::MetricResult& result : results) {
    const std::string_view plugin = result.entry.plugin;
    if (!plugin.empty() && std::find(plugins.begin(), plugins.end(), plugin) == plugins.end())
      plugins.push_back(plugin);
  }
  for (const std::string_view plugin : plugins) {
    std::vector<std::string> own;
    std::vector<std::string> overridden;
    for (const tree::MetricResult& result : results) {
      if (result.entry.plugin != plugin) continue;
      (result.entry.overrides ? overridden : own).push_back(with_provenance(result));
    }
    std::string line = fmt::format("Note: plug-in {}", plugin);
    if (!own.empty()) line += fmt::format(" gives {}", fmt::join(own, ", "));
    if (!own.empty() && !overridden.empty()) line += " and";
    if (!overridden.empty()) {
      line += fmt::format(" overrides the built-in {}", fmt::join(overridden, ", "));
    }
    out << printable(line) << ".\n";
  }
}

}  // namespace jouletree::report
