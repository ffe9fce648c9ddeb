#include "report/metric_text.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace jouletree::test {
namespace {

Metric metric_of(MetricScale scale, std::string_view short_unit) {
  Metric metric = metric_catalogue()[0];
  metric.scale = scale;
  metric.short_unit = short_unit;
  return metric;
}

TEST(MetricText, NeverShowsANumberAsZeroThatIsNot) {
  EXPECT_EQ(report::metric_text(metric_of(MetricScale::Plain, "J"), {0.00042, false}), "0.00042 J");
  EXPECT_EQ(report::metric_text(metric_of(MetricScale::Plain, "J"), {0.0, false}), "0.00 J");
  EXPECT_EQ(report::metric_text(metric_of(MetricScale::Thousands, ""), {0.5, false}), "0.50");
}

TEST(MetricText, ShowsNumbersBeyond64Bits) {
  EXPECT_EQ(report::metric_text(metric_of(MetricScale::Thousands, ""), {1e300, false}), "1e+300");
  EXPECT_EQ(report::metric_text(metric_of(MetricScale::Plain, ""), {-1e300, true}),
            "at least -1e+300");
}

TEST(MetricText, TakesThePrefixThatFitsTheUnit) {
  EXPECT_EQ(report::metric_text(metric_of(MetricScale::Si, "s"), {0.00123, false}), "1.23 ms");
  EXPECT_EQ(report::short_metric_text(metric_of(MetricScale::Si, "FLOP/J"), {2e9, true}),
            "≥ 2 GFLOP/J");
}

TEST(MetricText, SaysThatIntervalsOverlapBehindTheRatio) {
  const Metric metric = metric_of(MetricScale::Si, "s");
  EXPECT_EQ(report::comparison_text(metric, {1.02, Verdict::Overlap}), "× 1.02, intervals overlap");
  EXPECT_EQ(report::comparison_text(metric, {0.0123, Verdict::Better}), "× 0.0123 better");
  EXPECT_EQ(report::comparison_text(metric, {0.0000123, Verdict::Better}), "× 1.2e-05 better");
  EXPECT_EQ(report::comparison_text(metric, {std::nullopt, Verdict::Different}), "different");
}

TEST(MetricText, TitlesThatContinueAnotherAreShortBelowIt) {
  EXPECT_EQ(report::title_below("Latency, p90", "Latency, mean"), "  p90");
  EXPECT_EQ(report::title_below("Energy above idle", "Energy"), "  above idle");
  EXPECT_EQ(report::title_below("Latency, mean", "Time"), "Latency, mean");
  EXPECT_EQ(report::title_below("Timely", "Time"), "Timely");
  EXPECT_EQ(report::title_below("Time", ""), "Time");
}

TEST(MetricText, NamesWhatPluginsGive) {
  const Metric& metric = metric_catalogue()[0];
  Metric estimate = metric_catalogue()[1];
  estimate.provenance = Provenance::Estimated;
  std::ostringstream out;
  report::print_plugin_notes({{{metric, "", false}, {}, ""},
                              {{metric, "team", true}, {}, ""},
                              {{estimate, "team", false}, {}, ""}},
                             out);
  EXPECT_EQ(
      out.str(),
      "Note: plug-in team gives Parameters (estimated) and overrides the built-in Model size.\n");
}

}  // namespace
}  // namespace jouletree::test
