#include "store/database/table_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "store/database/figure_columns.hpp"

namespace jouletree::store {
namespace {

TEST(TableRows, RowsAreThereAsTheyStandInTheFile) {
  TableRows table("a,b\r\n1,\"x\ny\"\n2,\n", "t.csv");
  EXPECT_EQ(table.header(), "a,b\r\n");
  ASSERT_TRUE(table.next());
  EXPECT_EQ(table.raw(), "1,\"x\ny\"\n");
  EXPECT_EQ(table.text(table.column("b")), "x\ny");
  ASSERT_TRUE(table.next());
  EXPECT_EQ(table.number(table.column("b")), std::nullopt);
  EXPECT_EQ(table.position(), 2);
  EXPECT_FALSE(table.next());
}

TEST(TableRows, MessagesCountLinesAsEditorsDo) {
  TableRows table("a,b\n1,\"x\ny\"\nz,3\n", "t.csv");
  ASSERT_TRUE(table.next() && table.next());
  try {
    (void)table.number(table.column("a"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("t.csv: line 4, column a: 'z' is not a number"));
  }
}

TEST(TableRows, ColumnsHaveNamesOfTheirOwn) {
  EXPECT_THROW(TableRows("a,a\n1,2\n", "t.csv"), Error);
}

TEST(ShapeText, ReadsNumbersInAnyWriting) {
  EXPECT_EQ(shape_text("(32, 3, 56, 56)"), "[32,3,56,56]");
  EXPECT_EQ(shape_text("32x3"), "[32,3]");
  EXPECT_EQ(shape_text(""), "");
}

struct Named {
  const char* column;
  double factor;
};

TEST(FigureColumns, UnitsEndTheNames) {
  for (const Named& one :
       {Named{"latency_ms", 1e-3}, Named{"time_s", 1}, Named{"Latency (us)", 1e-6},
        Named{"inference_time_ns", 1e-9}, Named{"time_h", 3600}, Named{"latency_\u00b5s", 1e-6}}) {
    const std::string header = std::string("model,") + one.column + "\n";
    const TableRows table(header, "t.csv");
    ASSERT_TRUE(figure_columns(table).time) << one.column;
    EXPECT_EQ(figure_columns(table).time->factor, one.factor);
  }
  for (const Named& one :
       {Named{"energy_mj", 1e-3}, Named{"energy_per_iter_mJ", 1e-3}, Named{"energy_J", 1},
        Named{"energy_MJ", 1e6}, Named{"energy_kwh", 3.6e6}, Named{"energy_consumption_j", 1},
        Named{"energy_Wh", 3600}, Named{"energy_mWh", 3.6}}) {
    const std::string header = std::string("model,") + one.column + "\n";
    const TableRows table(header, "t.csv");
    ASSERT_TRUE(figure_columns(table).energy) << one.column;
    EXPECT_EQ(figure_columns(table).energy->factor, one.factor);
  }
}

TEST(FigureColumns, WhatIsNoTimeAndNoEnergyIsLeftAlone) {
  const TableRows table("model,energy_err_5Wsampling_mJ,times,time_per_epoch_s,latency\n", "t.csv");
  EXPECT_FALSE(figure_columns(table).any());
}

}  // namespace
}  // namespace jouletree::store
