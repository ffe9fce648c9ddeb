#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "report/http/http_server.hpp"
#include "report/http/http_server_plugin.hpp"

namespace jouletree::report {
namespace {

using testing::HasSubstr;

TEST(MissingHttpServerTest, SaysWhichFileIsMissingAndWhatToInstall) {
  const std::string folder = testing::TempDir() + "no_engines";
  ::setenv("JOULETREE_ENGINE_DIR", folder.c_str(), 1);
  try {
    require_http_server();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Missing);
    EXPECT_THAT(error.what(), HasSubstr(folder + "/" + kHttpServerFile));
    EXPECT_THAT(error.what(), HasSubstr("libcpp-httplib-dev"));
  }
}

}  // namespace
}  // namespace jouletree::report
