#include "report/monitor/metric_server.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "report/monitor/metric_exporter.hpp"

namespace jouletree::report {
namespace {

void expect_missing(const std::function<void()>& call, const std::string& words) {
  try {
    call();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Missing);
    EXPECT_THAT(error.what(), testing::HasSubstr(words));
  }
}

/// A program that has opened its plug-in keeps it, so this stands in a test program of its own.
TEST(MissingExporterTest, SaysWhichFileIsMissingAndWhatToInstall) {
  const std::string folder = testing::TempDir() + "no_engines";
  ::setenv("JOULETREE_ENGINE_DIR", folder.c_str(), 1);
  for (const std::string& words :
       {folder + "/" + kExporterFile, std::string("prometheus-cpp-dev")}) {
    expect_missing([] { require_metric_server(); }, words);
    expect_missing([] { (void)metrics_text({}); }, words);
    expect_missing([] { (void)serve_metrics({}, {}); }, words);
  }
}

}  // namespace
}  // namespace jouletree::report
