#include "report/metric_text.hpp"

#include <fmt/format.h>

#include "base/number_format.hpp"

namespace jouletree {
namespace {

constexpr double kFirstShortened = 1000.0;

std::string whole(double value) { return with_separators(static_cast<std::int64_t>(value)); }

std::string marked(const MetricValue& result, const char* mark, const std::string& text) {
  return (result.lower_bound ? mark : "") + text;
}

}  // namespace

std::string short_metric_text(const Metric& metric, const MetricValue& result) {
  if (!result.value) return "unknown";
  const double value = *result.value;
  switch (metric.scale) {
    case MetricScale::Plain: return marked(result, "≥ ", fmt::format("{:.2f}", value));
    case MetricScale::Bytes: return marked(result, "≥ ", shortened_bytes(value));
    case MetricScale::Ratio: return marked(result, "≥ ", percent(value));
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
  if (metric.scale == MetricScale::Plain) text += fmt::format(" {}", metric.short_unit);
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
      text = fmt::format("× {:.{}f}", *compared.value, *compared.value < 0.1 ? 4 : 2);
    }
  }
  if (compared.verdict == Verdict::Different) return text;
  return fmt::format("{}{}{}", text, text.empty() ? "" : " ", name_of(compared.verdict));
}

}  // namespace jouletree
