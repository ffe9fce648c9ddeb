#include "model/torchscript/aten_table.hpp"

#include <gtest/gtest.h>

#include "model/operators/table.hpp"
#include "model/torchscript/aten_rows.hpp"

namespace jouletree::model::torchscript {
namespace {

TEST(AtenTable, MapsOnlyToRowsOfTheOperatorTable) {
  for (const AtenRow& row : aten_rows())
    EXPECT_NE(find_operator(row.domain, row.op), nullptr) << row.name << " → " << row.op;
}

TEST(AtenTable, HasEveryNameOnce) {
  for (const AtenRow& row : aten_rows()) EXPECT_EQ(find_aten(row.name), &row) << row.name;
}

TEST(AtenTable, MapsWholeOperatorsOnlyToRowsOfTheOperatorTable) {
  for (const AtenRow& row : aten_composite_rows()) {
    EXPECT_NE(find_operator(row.domain, row.op), nullptr) << row.name << " → " << row.op;
    EXPECT_EQ(find_composite(row.name), &row) << row.name;
    EXPECT_EQ(find_aten(row.name), nullptr) << row.name;
  }
}

TEST(AtenTable, FindsInPlaceFormsUnderTheirPlainName) {
  EXPECT_EQ(find_aten("aten::relu_"), find_aten("aten::relu"));
  EXPECT_EQ(find_aten("aten::no_such_operator_"), nullptr);
}

}  // namespace
}  // namespace jouletree::model::torchscript
