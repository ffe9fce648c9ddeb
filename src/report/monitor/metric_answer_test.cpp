#include "report/monitor/metric_answer.hpp"

#include <new>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace jouletree::report {
namespace {

using testing::HasSubstr;

HttpAnswer answer_to(const HttpRequest& request, bool is_loopback = true) {
  return metric_answer(request, is_loopback, [] { return std::string("some_joules_total 7\n"); });
}

int status_for_host(const char* host, bool is_loopback = true) {
  return answer_to({"GET", "/metrics", host}, is_loopback).status;
}

TEST(MetricAnswerTest, GivesTheTextUnderMetrics) {
  for (const char* target : {"/metrics", "/metrics?", "/metrics?collect=all"}) {
    const HttpAnswer answer = answer_to({"GET", target});
    EXPECT_EQ(answer.status, 200) << target;
    EXPECT_EQ(*answer.body, "some_joules_total 7\n");
    EXPECT_EQ(answer.type, "text/plain; version=0.0.4; charset=utf-8");
  }
  EXPECT_EQ(answer_to({"HEAD", "/metrics"}).status, 200);
}

TEST(MetricAnswerTest, HasNothingElse) {
  for (const char* target : {"", "/", "/metricsx", "/metrics/", "//metrics", "/x?/metrics",
                             "/etc/passwd", "/../metrics", "*", "http://x/metrics"}) {
    const HttpAnswer answer = answer_to({"GET", target});
    EXPECT_EQ(answer.status, 404) << target;
    EXPECT_THAT(*answer.body, HasSubstr("under /metrics"));
  }
}

TEST(MetricAnswerTest, OnlyShows) {
  for (const char* method : {"POST", "PUT", "DELETE", "get", ""}) {
    const HttpAnswer answer = answer_to({method, "/metrics"});
    EXPECT_EQ(answer.status, 405) << method;
    EXPECT_THAT(answer.headers, testing::Contains(testing::Pair("Allow", "GET, HEAD")));
  }
}

TEST(MetricAnswerTest, OnLoopbackNoWebPageReadsAlong) {
  for (const char* host : {"evil.example", "evil.example:9417", "127.0.0.1.evil.example",
                           "192.168.1.1:9417", "localhost.evil.example:9417"}) {
    EXPECT_EQ(status_for_host(host), 421) << host;
    EXPECT_EQ(status_for_host(host, false), 200) << host;
  }
  for (const char* host :
       {"127.0.0.1:9417", "localhost:9417", "[::1]:9417", "127.8.9.1", "lab:9417"})
    EXPECT_EQ(status_for_host(host), 200) << host;
  EXPECT_EQ(answer_to({"GET", "/metrics"}).status, 200) << "HTTP/1.0 has no Host";
}

TEST(MetricAnswerTest, SaysWhatKeepsItFromTelling) {
  const HttpAnswer answer =
      metric_answer({"GET", "/metrics"}, true, []() -> std::string { throw std::bad_alloc(); });
  EXPECT_EQ(answer.status, 500);
  EXPECT_THAT(*answer.body, HasSubstr("cannot be told"));
}

}  // namespace
}  // namespace jouletree::report
