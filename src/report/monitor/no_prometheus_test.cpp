#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "report/monitor/metric_server.hpp"

namespace jouletree::report {
namespace {

void expect_missing(const std::function<void()>& call) {
  try {
    call();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Missing);
    EXPECT_THAT(error.what(), testing::HasSubstr("install prometheus-cpp-dev"));
  }
}

TEST(NoPrometheusTest, SaysWhatToInstall) {
  expect_missing([] { require_metric_server(); });
  expect_missing([] { (void)metrics_text({}); });
  expect_missing([] { (void)serve_metrics({}, {}); });
}

}  // namespace
}  // namespace jouletree::report
