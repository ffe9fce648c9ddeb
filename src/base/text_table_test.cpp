#include "base/text_table.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace jouletree {
namespace {

std::string printed(const TextTable& table) {
  std::ostringstream out;
  table.print(out);
  return out.str();
}

TEST(TextTable, AlignsTextsLeftAndNumbersRight) {
  TextTable table({{"name", TextTable::Align::Left}, {"n"}});
  table.add_row({"a", "1"});
  table.add_row({"long", "1000"});
  EXPECT_EQ(printed(table),
            "name     n\n"
            "──────────\n"
            "a        1\n"
            "long  1000\n");
}

TEST(TextTable, CountsCharactersNotBytes) {
  TextTable table({{"", TextTable::Align::Left}, {""}});
  table.add_row({"≥ 1", "x"});
  table.add_row({"four", "y"});
  EXPECT_EQ(printed(table), "≥ 1   x\nfour  y\n");
}

TEST(TextTable, DoesNotLetANameSteerTheTerminal) { EXPECT_EQ(printable("a\x1b[2Jb\n"), "a?[2Jb?"); }

}  // namespace
}  // namespace jouletree
