#include "engines/data/outside_values.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace jouletree::engines {
namespace {

template <class Number>
std::optional<std::string> outside(DataType type, const std::vector<Number>& numbers) {
  return first_outside(
      type, {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)}, -3,
      2);
}

TEST(OutsideValues, AreNamedAsTheFirstOne) {
  EXPECT_EQ(outside<std::int64_t>(DataType::Int64, {0, 3, 4}), "3");
  EXPECT_EQ(outside<std::int8_t>(DataType::Int8, {-3, -4}), "-4");
}

TEST(OutsideValues, AreNoneWithinTheBounds) {
  EXPECT_EQ(outside<std::int32_t>(DataType::Int32, {-3, 0, 2}), std::nullopt);
  EXPECT_EQ(outside<std::int32_t>(DataType::Int32, {}), std::nullopt);
}

TEST(OutsideValues, AreNotTakenForNegativeOnes) {
  EXPECT_EQ(outside<std::uint64_t>(DataType::UInt64, {0xFFFFFFFFFFFFFFFF}), "18446744073709551615");
}

TEST(OutsideValues, AreLookedForInIntegersOnly) {
  EXPECT_EQ(outside<float>(DataType::Float32, {100.0F}), std::nullopt);
}

}  // namespace
}  // namespace jouletree::engines
