#include "base/csv.hpp"

#include <sstream>

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

TEST(CsvTable, FindsItsSeparator) {
  const CsvTable table("\xEF\xBB\xBF\"a,b,c\";d\n1,5;2\n", "t.csv");
  EXPECT_EQ(table.separator(), ';');
  EXPECT_EQ(table.at(0, "a,b,c"), "1,5");
  EXPECT_EQ(csv_separator("one"), ',');
}

TEST(CsvTable, RefusesRowsThatDoNotFitTheHeader) {
  EXPECT_THROW(CsvTable("a,b\n1\n", "t.csv"), Error);
  EXPECT_THROW(CsvTable("a,b\n1,\"2\n", "t.csv"), Error);
}

TEST(CsvSheet, IsReadAgainAsItWasWritten) {
  CsvSheet sheet;
  sheet.begin_row();
  sheet.set("name", std::string("a, \"b\"\nc"));
  sheet.set("watts", 0.1);
  sheet.begin_row();
  sheet.set("joules", 5.0);
  sheet.set("watts", std::nullopt);
  std::ostringstream out;
  sheet.print(out);
  const CsvTable table(out.str(), "t.csv");
  ASSERT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.at(0, "name"), "a, \"b\"\nc");
  EXPECT_EQ(table.at(0, "watts"), "0.1");
  EXPECT_EQ(table.at(0, "joules"), "");
  EXPECT_EQ(table.at(1, "watts"), "");
  EXPECT_EQ(table.at(1, "joules"), "5");
}

}  // namespace
}  // namespace jouletree
