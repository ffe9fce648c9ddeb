#include "store/database/deflated.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace jouletree::store {
namespace {

TEST(Deflated, GivesBackWhatWasPacked) {
  for (const std::string& text :
       {std::string("a"), std::string(100000, 'x'), std::string("\0\xff tree", 7)}) {
    EXPECT_EQ(inflated(deflated(text), text.size()), text);
  }
}

TEST(Deflated, PacksWhatRepeatsItself) {
  EXPECT_LT(deflated(std::string(100000, 'x')).size(), 1000);
}

TEST(Deflated, RefusesDamagedBytesAndAnotherSize) {
  const std::string packed = deflated("measured");
  EXPECT_THROW((void)inflated("measured", 8), std::runtime_error);
  EXPECT_THROW((void)inflated(packed, 7), std::runtime_error);
  EXPECT_THROW((void)inflated(packed, 9), std::runtime_error);
  EXPECT_THROW((void)inflated(packed.substr(0, 5), 8), std::runtime_error);
}

}  // namespace
}  // namespace jouletree::store
