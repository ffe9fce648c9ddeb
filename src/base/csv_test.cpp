#include "base/csv.hpp"

#include <gtest/gtest.h>

#include "jouletree/error.hpp"

namespace jouletree {
namespace {

TEST(CsvTable, ReadsQuotedFieldsAndForgivesEndsOfLines) {
  const CsvTable table("a,b\r\n1,\"x, \"\"y\"\"\"\r\n\n2,\n", "t.csv");
  ASSERT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.at(0, "b"), "x, \"y\"");
  EXPECT_EQ(table.at(1, "a"), "2");
  EXPECT_EQ(table.at(1, "b"), "");
  EXPECT_EQ(table.at(1, "no such column"), "");
}

TEST(CsvTable, RefusesRowsThatDoNotFitTheHeader) {
  EXPECT_THROW(CsvTable("a,b\n1\n", "t.csv"), Error);
  EXPECT_THROW(CsvTable("a,b\n1,\"2\n", "t.csv"), Error);
}

}  // namespace
}  // namespace jouletree
