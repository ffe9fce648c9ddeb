#include "report/serve/page_server.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "report/serve/page_server_plugin.hpp"

namespace jouletree::report {
namespace {

using testing::HasSubstr;

TEST(ServeAddressTest, TakesAPortForOneOfTheLoopbackAddress) {
  for (const char* text : {"8417", ":8417", "127.0.0.1:8417", "localhost:8417"})
    EXPECT_EQ(parse_serve_address(text).text(), "127.0.0.1:8417") << text;
  EXPECT_EQ(parse_serve_address("[::1]:8417").text(), "[::1]:8417");
  EXPECT_EQ(parse_serve_address("0").port, 0);
  EXPECT_FALSE(parse_serve_address("0.0.0.0:8417").is_loopback);
}

TEST(ServeAddressTest, RefusesEverythingElse) {
  for (const char* text : {"", ":", "65536", ":65536", "-1", "8417x", "127.0.0.1", "example.org:1",
                           "::1:8417", "127.0.0.1:8417:1"}) {
    try {
      (void)parse_serve_address(text);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput) << text;
      EXPECT_THAT(error.what(), HasSubstr("127.0.0.1:8417"));
    }
  }
}

/// A program that has opened its plug-in keeps it, so this stands in a test program without one.
TEST(MissingPageServerTest, SaysWhichFileIsMissingAndWhatToInstall) {
  const std::string folder = testing::TempDir() + "no_engines";
  ::setenv("JOULETREE_ENGINE_DIR", folder.c_str(), 1);
  try {
    require_page_server();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Missing);
    EXPECT_THAT(error.what(), HasSubstr(folder + "/" + kPageServerFile));
    EXPECT_THAT(error.what(), HasSubstr("libcpp-httplib-dev"));
  }
}

}  // namespace
}  // namespace jouletree::report
