#include "store/above_idle.hpp"

#include <gmock/gmock.h>

namespace jouletree::store {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(AboveIdle, ThatIsClearlyMoreThanNothingNeedsNoNote) {
  EXPECT_THAT(above_idle_doubt(6.0, 5.9, 10.0), IsEmpty());
  EXPECT_THAT(above_idle_doubt(6.0, std::nullopt, 10.0), IsEmpty());
}

TEST(AboveIdle, ThatIsNegativeOrMayBeNoneIsDoubted) {
  EXPECT_THAT(above_idle_doubt(-1e-6, std::nullopt, 10.0), HasSubstr("busy"));
  EXPECT_THAT(above_idle_doubt(0.0, std::nullopt, std::nullopt), HasSubstr("busy"));
  EXPECT_THAT(above_idle_doubt(0.5, -0.1, 10.0), HasSubstr("cannot be told from idle"));
  EXPECT_THAT(above_idle_doubt(0.05, std::nullopt, 10.0), HasSubstr("cannot be told from idle"));
}

TEST(AboveIdle, ThatIsUnknownIsNotDoubted) {
  EXPECT_THAT(above_idle_doubt(std::nullopt, std::nullopt, 10.0), IsEmpty());
}

}  // namespace
}  // namespace jouletree::store
