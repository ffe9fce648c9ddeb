#include "report/serve/access.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"

namespace jouletree::report {
namespace {

using testing::HasSubstr;
using Verdict = Access::Verdict;

constexpr const char* kToken = "0123456789abcdef0123456789abcdef";

Verdict judged(const Access& access, HttpRequest request) {
  request.method = "GET";
  if (request.target.empty()) request.target = "/";
  const auto target = parse_target(request.target);
  return target ? access.judge(request, *target) : Verdict::WrongHost;
}

HttpRequest from_host(const char* host) {
  HttpRequest request;
  request.host = host;
  return request;
}

TEST(AccessTest, OnLoopbackOnlyItsNamesAreAnswered) {
  const Access access(parse_listen_address("127.0.0.1:8417", 8417), "");
  for (const char* host : {"localhost", "localhost:8417", "LocalHost:9", "127.0.0.1:8417",
                           "127.1.2.3", "[::1]:8417", "[::1]"})
    EXPECT_EQ(judged(access, from_host(host)), Verdict::Granted) << host;
  for (const char* host :
       {"", "evil.example", "evil.example:8417", "localhost.evil.example", "127.0.0.1.evil.example",
        "0.0.0.0", "192.168.1.1:8417", "[::2]:8417", "[::1", "localhost evil", "127.0.0.1@evil"})
    EXPECT_EQ(judged(access, from_host(host)), Verdict::WrongHost) << host;
  EXPECT_EQ(judged(access, {}), Verdict::WrongHost);
}

TEST(AccessTest, ATokenIsTakenFromHeaderCookieAndAddress) {
  const Access access(parse_listen_address("0.0.0.0:8417", 8417), kToken);
  const std::string token = kToken;
  HttpRequest request = from_host("lab.example:8417");
  EXPECT_EQ(judged(access, request), Verdict::TokenNeeded);

  request.authorization = "Bearer " + token;
  EXPECT_EQ(judged(access, request), Verdict::Granted);
  request.authorization = "Basic " + token;
  EXPECT_EQ(judged(access, request), Verdict::TokenNeeded);
  request.authorization.reset();

  request.cookie = "a=b; jouletree-8417=" + token + "; c=d";
  EXPECT_EQ(judged(access, request), Verdict::Granted);
  for (const std::string& cookie :
       {"jouletree-8417=" + token.substr(1), std::string("jouletree-8417="),
        std::string("jouletree-8417"), "jouletree-8418=" + token, "xjouletree-8417=" + token,
        std::string(";;=;")}) {
    request.cookie = cookie;
    EXPECT_EQ(judged(access, request), Verdict::TokenNeeded) << cookie;
  }
  request.cookie.reset();

  request.target = "/page/x?token=" + token;
  EXPECT_EQ(judged(access, request), Verdict::GrantedByAddress);
  request.target = "/page/x?token=" + token + "0";
  EXPECT_EQ(judged(access, request), Verdict::TokenNeeded);
}

TEST(AccessTest, OnLoopbackATokenIsAskedForBesideTheName) {
  const Access access(parse_listen_address("[::1]:8417", 8417), kToken);
  HttpRequest request = from_host("evil.example");
  request.authorization = std::string("Bearer ") + kToken;
  EXPECT_EQ(judged(access, request), Verdict::WrongHost);
  EXPECT_EQ(judged(access, from_host("localhost")), Verdict::TokenNeeded);
}

TEST(AccessTest, TheCookieIsForThisServerAlone) {
  const Access access(parse_listen_address("0.0.0.0:8417", 8417), kToken);
  EXPECT_EQ(access.cookie(),
            std::string("jouletree-8417=") + kToken + "; Path=/; HttpOnly; SameSite=Strict");
}

TEST(AccessTest, NewTokensAreLongAndDiffer) {
  const std::string token = new_token();
  EXPECT_EQ(token.size(), 32U);
  EXPECT_NE(token, new_token());
  EXPECT_NO_THROW(check_token(token, "x"));
}

TEST(AccessTest, RefusesTokensThatAreGuessedOrBreakHeaders) {
  for (const std::string& token :
       {std::string(), std::string("short"), std::string(15, 'a'), std::string(300, 'a'),
        std::string("0123456789abcdef;x=y"), std::string("0123456789abcdef\r\nA: b")}) {
    try {
      check_token(token, "--token-file t");
      FAIL() << token;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      EXPECT_THAT(error.what(), HasSubstr("--token-file t: a token has 16 to 256 letters"));
    }
  }
}

TEST(AccessTest, ComparesWholeTexts) {
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  for (const char* other : {"", "ab", "abd", "xbc", "abcd"})
    EXPECT_FALSE(equal_in_constant_time("abc", other)) << other;
}

}  // namespace
}  // namespace jouletree::report
