#include "report/monitor/metrics_text.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace jouletree::report {
namespace {

MetricFamily gauge(std::vector<MetricSample> samples) {
  return {"some_ratio", "A share.", MetricFamily::Type::Gauge, std::move(samples)};
}

/// The text without the two lines that introduce the family.
std::string samples_of(std::vector<MetricSample> samples) {
  const std::string text = metrics_text({gauge(std::move(samples))});
  const std::string head = "# HELP some_ratio A share.\n# TYPE some_ratio gauge\n";
  EXPECT_EQ(text.substr(0, head.size()), head);
  return text.substr(head.size());
}

TEST(MetricsTextTest, WritesFamiliesWithHelpTypeAndSamples) {
  const MetricFamily counter{"some_joules_total",
                             "Joules of something.",
                             MetricFamily::Type::Counter,
                             {{{{"meter", "a"}, {"level", "b"}}, 12345678.901234}, {{}, 7}}};
  EXPECT_EQ(metrics_text({counter, gauge({{{}, 0.5}})}),
            "# HELP some_joules_total Joules of something.\n"
            "# TYPE some_joules_total counter\n"
            "some_joules_total{meter=\"a\",level=\"b\"} 12345678.901234\n"
            "some_joules_total 7\n"
            "# HELP some_ratio A share.\n"
            "# TYPE some_ratio gauge\n"
            "some_ratio 0.5\n");
  EXPECT_EQ(metrics_text({}), "");
}

TEST(MetricsTextTest, NoLabelCanEndItsQuotesOrItsLine) {
  EXPECT_EQ(samples_of({{{{"model", R"(a "b"\)"}}, 1}}),
            "some_ratio{model=\"a \\\"b\\\"\\\\\"} 1\n");
  EXPECT_EQ(samples_of({{{{"model", "a\nsome_ratio 9\r\t\x1b[1m"}}, 1}}),
            "some_ratio{model=\"a?some_ratio 9???[1m\"} 1\n");
  EXPECT_EQ(samples_of({{{{"model", std::string("a\0b", 3)}}, 1}}),
            "some_ratio{model=\"a?b\"} 1\n");
}

TEST(MetricsTextTest, ALabelThatIsNoUtf8DoesNotSpoilTheOthers) {
  EXPECT_EQ(samples_of({{{{"model", "caf\xe9 \xc3\xa9 \xe2\x82"}}, 1}}),
            "some_ratio{model=\"caf\xef\xbf\xbd \xc3\xa9 \xef\xbf\xbd\"} 1\n");
}

TEST(MetricsTextTest, WritesNumbersThatAreReadBackUnchanged) {
  EXPECT_EQ(samples_of({{{}, 1e300}}), "some_ratio 1e+300\n");
  EXPECT_EQ(samples_of({{{}, 0.1 + 0.2}}), "some_ratio 0.30000000000000004\n");
  EXPECT_EQ(samples_of({{{}, std::nan("")}}), "some_ratio NaN\n");
  EXPECT_EQ(samples_of({{{}, -std::numeric_limits<double>::infinity()}}), "some_ratio -Inf\n");
  EXPECT_EQ(samples_of({{{}, std::numeric_limits<double>::infinity()}}), "some_ratio +Inf\n");
}

}  // namespace
}  // namespace jouletree::report
