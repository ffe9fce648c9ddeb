#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "report/monitor/metric_server.hpp"

namespace jouletree::report {
namespace {

std::vector<MetricFamily> one_counter() {
  return {{"some_joules_total",
           "Joules of something.",
           MetricFamily::Type::Counter,
           {{{{"model", "a \"b\"\\\nc"}}, 12345678.901234}}}};
}

TEST(PrometheusServerTest, WritesTheTextFormat) {
  EXPECT_EQ(metrics_text(one_counter()),
            "# HELP some_joules_total Joules of something.\n"
            "# TYPE some_joules_total counter\n"
            "some_joules_total{model=\"a \\\"b\\\"\\\\\\nc\"} 12345678.901234\n");
}

TEST(PrometheusServerTest, TellsThePortThatItTookAndFreesItAtTheEnd) {
  auto server = serve_metrics(parse_listen_address("127.0.0.1:0"), one_counter);
  const ListenAddress address = server->address();
  EXPECT_GT(address.port, 0);
  try {
    (void)serve_metrics(address, one_counter);
    FAIL() << "two servers on one port";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Missing);
    EXPECT_THAT(error.what(), testing::HasSubstr("port " + std::to_string(address.port)));
  }
  server.reset();
  EXPECT_NO_THROW(check_can_listen(address));
}

}  // namespace
}  // namespace jouletree::report
