#include "report/http/http_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"

namespace jouletree::report {
namespace {

bool can_listen_on(const char* address) {
  try {
    check_can_listen(parse_listen_address(address, 1));
    return true;
  } catch (const Error&) {
    return false;
  }
}

class HttpServerTest : public testing::TestWithParam<const char*> {};

TEST_P(HttpServerTest, TellsThePortThatItTookAndFreesItAtTheEnd) {
  if (!can_listen_on(GetParam())) GTEST_SKIP() << "this machine has no " << GetParam();
  auto server = open_http_server(parse_listen_address(GetParam(), 1));
  const ListenAddress address = server->address();
  EXPECT_GT(address.port, 0);
  EXPECT_TRUE(server->is_running());
  try {
    (void)open_http_server(address);
    FAIL() << "two servers on one port";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Missing);
    EXPECT_THAT(error.what(),
                testing::HasSubstr("port " + std::to_string(address.port) + " is in use"));
  }
  server.reset();
  EXPECT_NO_THROW(check_can_listen(address));
}

INSTANTIATE_TEST_SUITE_P(BothFamilies, HttpServerTest,
                         testing::Values("127.0.0.1:0", "[::1]:0", "0.0.0.0:0", "[::]:0"));

TEST(NoLongerListeningTest, SaysWhereAndWhatToDo) {
  const Error error = no_longer_listening({"127.0.0.1", 9417});
  EXPECT_EQ(error.kind(), ErrorKind::Failed);
  EXPECT_THAT(error.what(), testing::HasSubstr("listen on 127.0.0.1:9417; start it again"));
}

}  // namespace
}  // namespace jouletree::report
