#include "engines/data/row_major.hpp"

#include <cstring>

#include <gtest/gtest.h>

namespace jouletree::engines {
namespace {

template <class Number>
std::vector<Number> ordered(const NpyHeader& header, const std::vector<Number>& numbers) {
  const std::string bytes = to_row_major(
      header, {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)});
  std::vector<Number> result(bytes.size() / sizeof(Number));
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

TEST(RowMajor, TurnsColumnsIntoRows) {
  const NpyHeader header{DataType::Int32, {2, 3}, false, true, 0};
  EXPECT_FALSE(is_row_major(header));
  EXPECT_EQ(ordered<std::int32_t>(header, {0, 10, 1, 11, 2, 12}),
            (std::vector<std::int32_t>{0, 1, 2, 10, 11, 12}));
}

TEST(RowMajor, OrdersThreeDimensions) {
  const NpyHeader header{DataType::Int8, {2, 2, 2}, false, true, 0};
  EXPECT_EQ(ordered<std::int8_t>(header, {0, 4, 2, 6, 1, 5, 3, 7}),
            (std::vector<std::int8_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(RowMajor, SwapsTheBytesOfBigEndianNumbers) {
  const NpyHeader header{DataType::UInt16, {2}, true, false, 0};
  EXPECT_FALSE(is_row_major(header));
  EXPECT_EQ(ordered<std::uint16_t>(header, {0x0102, 0xFF00}),
            (std::vector<std::uint16_t>{0x0201, 0x00FF}));
}

TEST(RowMajor, LeavesAloneWhatNeedsNoOrder) {
  EXPECT_TRUE(is_row_major({DataType::Float32, {2, 3}, false, false, 0}));
  EXPECT_TRUE(is_row_major({DataType::Float32, {1, 3, 1}, false, true, 0}));
  EXPECT_TRUE(is_row_major({DataType::Int8, {2, 3}, true, false, 0}));
}

TEST(RowMajor, HasNothingToOrderWithoutElements) {
  EXPECT_EQ(to_row_major({DataType::Float32, {2, 0, 3}, false, true, 0}, ""), "");
}

}  // namespace
}  // namespace jouletree::engines
