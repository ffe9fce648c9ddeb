#include "report/http/listen_address.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"

namespace jouletree::report {
namespace {

using testing::HasSubstr;

/// Listens on a free port of the loopback address as long as it lives.
class Listener {
 public:
  Listener() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const raw = reinterpret_cast<sockaddr*>(&address);
    if (::bind(descriptor_, raw, size) != 0 || ::listen(descriptor_, 1) != 0 ||
        ::getsockname(descriptor_, raw, &size) != 0)
      throw std::runtime_error("cannot listen");
    port = ntohs(address.sin_port);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { ::close(descriptor_); }

  std::uint16_t port = 0;

 private:
  int descriptor_;
};

ListenAddress parsed(std::string_view text) { return parse_listen_address(text, 9417); }

TEST(ListenAddressTest, ReadsAddressesOfBothFamilies) {
  const ListenAddress v4 = parsed("127.0.0.1:9417");
  EXPECT_EQ(v4.text(), "127.0.0.1:9417");
  EXPECT_TRUE(v4.is_loopback);
  const ListenAddress v6 = parsed("[::1]:80");
  EXPECT_EQ(v6.text(), "[::1]:80");
  EXPECT_TRUE(v6.is_ipv6);
  EXPECT_TRUE(v6.is_loopback);
  EXPECT_EQ(parsed("localhost:0").text(), "127.0.0.1:0");
}

TEST(ListenAddressTest, TakesAPortForOneOfTheLoopbackAddress) {
  for (const char* text : {"9417", ":9417"})
    EXPECT_EQ(parsed(text).text(), "127.0.0.1:9417") << text;
  EXPECT_EQ(parsed("0").port, 0);
}

TEST(ListenAddressTest, KnowsWhatCanBeReachedFromOutside) {
  EXPECT_FALSE(parsed("0.0.0.0:9417").is_loopback);
  EXPECT_FALSE(parsed("192.168.1.2:9417").is_loopback);
  EXPECT_FALSE(parsed("[::]:9417").is_loopback);
  EXPECT_TRUE(parsed("127.8.9.1:9417").is_loopback);
}

TEST(ListenAddressTest, RefusesEverythingElse) {
  for (const char* text : {"",
                           ":",
                           "::",
                           "65536",
                           ":65536",
                           "-1",
                           "+1",
                           "0x50",
                           " 9417",
                           "127.0.0.1",
                           "127.0.0.1:",
                           "127.0.0.1:65536",
                           "127.0.0.1:-1",
                           "127.0.0.1:9417s",
                           "127.0.0.1:9417,80",
                           "::1:9417",
                           "127.0.0.1:9417:1",
                           "[::1:9417",
                           "[nonsense]:9417",
                           "example.org:9417",
                           "[]:1",
                           "[:1",
                           "[127.0.0.1]:1",
                           "[fe80::1%lo]:1",
                           "http://127.0.0.1:9417"}) {
    try {
      (void)parsed(text);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput) << text;
      EXPECT_THAT(error.what(), HasSubstr("127.0.0.1:9417"));
    }
  }
}

TEST(ListenAddressTest, KnowsNamesOfTheLoopbackAddress) {
  for (const char* host : {"localhost", "LocalHost:9", "127.0.0.1:9417", "[::1]:9417", "[::1]"})
    EXPECT_TRUE(names_loopback(host)) << host;
  for (const char* host :
       {"", ":9417", "0.0.0.0", "localhost.x", "[::2]:1", "[::1", "::1", "127.1"})
    EXPECT_FALSE(names_loopback(host)) << host;
}

TEST(ListenAddressTest, SaysWhichPortIsInUse) {
  const Listener other;
  const ListenAddress address{"127.0.0.1", other.port};
  try {
    check_can_listen(address);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Missing);
    EXPECT_THAT(error.what(), HasSubstr("port " + std::to_string(other.port) + " is in use"));
  }
}

TEST(ListenAddressTest, SaysThatTheMachineHasNoSuchAddress) {
  try {
    check_can_listen(parsed("192.0.2.1:0"));  // reserved for examples
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("no such address"));
  }
}

TEST(ListenAddressTest, AcceptsAFreePort) {
  EXPECT_NO_THROW(check_can_listen(parsed("127.0.0.1:0")));
}

}  // namespace
}  // namespace jouletree::report
