#include "base/told_as.hpp"

#include <gtest/gtest.h>

namespace jouletree {
namespace {

TEST(ToldAs, EveryPathBecomesTheName) {
  EXPECT_EQ(told_as("/tmp/x/net.onnx: no; see /tmp/x/net.onnx", "/tmp/x/net.onnx", "net"),
            "net: no; see net");
  EXPECT_EQ(told_as("m:f: no", "m:f", "m:f"), "m:f: no");
}

TEST(ToldAs, WithoutANameTheTextStays) {
  EXPECT_EQ(told_as("/tmp/net.onnx: no", "/tmp/net.onnx", ""), "/tmp/net.onnx: no");
}

TEST(ToldAs, ErrorsKeepTheirKind) {
  try {
    with_errors_told_as("/tmp/net.onnx", "zoo: net",
                        [] { throw Error(ErrorKind::BadInput, "/tmp/net.onnx: no input x"); });
    FAIL() << "the error is passed on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_STREQ(error.what(), "zoo: net: no input x");
  }
}

}  // namespace
}  // namespace jouletree
