#include <cmath>

#include "jouletree/metrics.hpp"

namespace jouletree {

std::string_view name_of(MetricComparison comparison) {
  switch (comparison) {
    case MetricComparison::None: return "none";
    case MetricComparison::Difference: return "difference";
    case MetricComparison::Ratio: return "ratio";
    case MetricComparison::Reciprocal: return "reciprocal";
  }
  return "";
}

std::string_view name_of(Better better) {
  switch (better) {
    case Better::Neither: return "neither";
    case Better::Lower: return "lower";
    case Better::Higher: return "higher";
  }
  return "";
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Unknown: return "unknown";
    case Verdict::Same: return "same";
    case Verdict::Better: return "better";
    case Verdict::Worse: return "worse";
    case Verdict::Different: return "different";
    case Verdict::Overlap: return "intervals overlap";
  }
  return "";
}

namespace {

bool overlap(const MetricValue& first, const MetricValue& other) {
  return other.low.value_or(*other.value) <= first.high.value_or(*first.value) &&
         first.low.value_or(*first.value) <= other.high.value_or(*other.value);
}

/// What was not counted and does not tell its interval: nobody knows what it would be the next
/// time. A score in its own unit is the same every time; what it cost is not.
bool is_without_interval(const Metric& metric, const MetricValue& value) {
  if (metric.of_score && metric.unit == "1") return false;
  return value.provenance.value_or(metric.provenance) != Provenance::Counted && !value.low &&
         !value.high;
}

/// Nothing is a multiple of 0, and a 0 more often tells of what could not be counted.
bool has_no_ratio(const Metric& metric, const MetricValue& first, const MetricValue& other) {
  const bool divides = metric.comparison == MetricComparison::Ratio ||
                       metric.comparison == MetricComparison::Reciprocal;
  return divides && (*first.value == 0 || *other.value == 0);
}

Verdict verdict_of(const Metric& metric, const MetricValue& first, const MetricValue& other) {
  if (*first.value == *other.value) return Verdict::Same;
  if (overlap(first, other)) return Verdict::Overlap;
  const bool is_judged = metric.better != Better::Neither && !has_no_ratio(metric, first, other) &&
                         !is_without_interval(metric, first) && !is_without_interval(metric, other);
  if (!is_judged) return Verdict::Different;
  const bool is_lower = *other.value < *first.value;
  return is_lower == (metric.better == Better::Lower) ? Verdict::Better : Verdict::Worse;
}

/// Nothing where the numbers are too far apart for a double.
std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> quotient(double dividend, double divisor) {
  return divisor == 0 || dividend == 0 ? std::nullopt : finite(dividend / divisor);
}

}  // namespace

ComparedValue compare_values(const Metric& metric, const MetricValue& first,
                             const MetricValue& other) {
  if (!first.value || !other.value || first.lower_bound || other.lower_bound) return {};
  const Verdict verdict = verdict_of(metric, first, other);
  switch (metric.comparison) {
    case MetricComparison::None: return {std::nullopt, verdict};
    case MetricComparison::Difference: return {finite(*other.value - *first.value), verdict};
    case MetricComparison::Ratio: return {quotient(*other.value, *first.value), verdict};
    case MetricComparison::Reciprocal: return {quotient(*first.value, *other.value), verdict};
  }
  return {};
}

}  // namespace jouletree
