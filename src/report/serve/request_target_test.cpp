#include "report/serve/request_target.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace jouletree::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(RequestTargetTest, DecodesSegmentsAndQueryOnce) {
  const auto target = parse_target("/page/a%20b/%252e%252e/c%3Fd?model=x%26y&empty=&alone#part");
  ASSERT_TRUE(target);
  EXPECT_THAT(target->segments, ElementsAre("page", "a b", "%2e%2e", "c?d"));
  EXPECT_EQ(target->query.at("model"), "x&y");
  EXPECT_EQ(target->query.at("empty"), "");
  EXPECT_EQ(target->query.at("alone"), "");
  EXPECT_THAT(parse_target("/")->segments, IsEmpty());
  EXPECT_THAT(parse_target("/page/")->segments, ElementsAre("page"));
}

TEST(RequestTargetTest, RefusesWhatLeadsElsewhere) {
  for (const std::string_view text :
       {"", "page", "*", "http://elsewhere/", "//etc/passwd", "/page//etc", "/page/../x",
        "/page/%2e%2e/x", "/page/.%2E/x", "/page/./x", "/page/..%2fx", "/page/%2fetc",
        "/page/a%00b", "/page/%", "/page/%4", "/page/%4g", "/page/%-1", "/?a=%zz"})
    EXPECT_FALSE(parse_target(text)) << text;
}

TEST(RequestTargetTest, WhatIsEncodedIsDecodedAgain) {
  const std::string name = "a b/ü<>\"'&#?%\\\x01\xff";
  const auto target = parse_target("/page/" + encoded_path(name));
  ASSERT_TRUE(target);
  EXPECT_THAT(target->segments, ElementsAre("page", "a b", "ü<>\"'&#?%\\\x01\xff"));
  EXPECT_EQ(encoded_path(name).find_first_of("<>\"'&#?\\ "), std::string::npos);
}

TEST(RequestTargetTest, GivesAnAddressOfThisServerWithoutAName) {
  const auto address = [](std::string_view text) {
    return address_of(*parse_target(text), "token");
  };
  EXPECT_EQ(address("/page/a%20b?model=x%26y&token=z&alone"), "/page/a%20b?alone=&model=x%26y");
  EXPECT_EQ(address("/?token=z"), "/");
  EXPECT_EQ(address("/%5Cevil.example/%0d%0aX:?token=z"), "/%5Cevil.example/%0D%0AX%3A");
}

}  // namespace
}  // namespace jouletree::report
