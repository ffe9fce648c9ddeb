#include "model/operators/short_names.hpp"

#include <string>

#include <gtest/gtest.h>

namespace jouletree::model {
namespace {

TEST(ShortNames, FindsEveryNameAndNoOther) {
  ShortNames names(200);
  std::string name;
  std::uint32_t number = 0;
  for (std::size_t letters = 0; letters <= ShortNames::kLongest; ++letters) {
    for (const char last : {'a', 'b', '\0', '\xff'}) {
      name = std::string(letters == 0 ? 0 : letters - 1, 'x');
      if (letters > 0) name += last;
      if (letters == 0 && last != 'a') continue;
      EXPECT_EQ(names.find(name), ShortNames::kNone);
      names.add(name, number);
      EXPECT_EQ(names.find(name), number++) << name;
    }
  }
  EXPECT_EQ(names.find("xxxxxxxc"), ShortNames::kNone);
  EXPECT_EQ(names.find("axxxxxxx"), ShortNames::kNone);
}

TEST(ShortNames, KeepsTheFirstNumberOfAName) {
  ShortNames names(2);
  names.add("Conv", 1);
  names.add("Conv", 2);
  EXPECT_EQ(names.find("Conv"), 1U);
}

}  // namespace
}  // namespace jouletree::model
