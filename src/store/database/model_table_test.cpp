#include "store/database/model_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"

namespace jouletree::store {
namespace {

using ::testing::HasSubstr;

std::string model_table_problem(std::string_view text) {
  try {
    (void)read_model_table(text, "models.csv");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "no problem";
}

TEST(ModelTable, IsKnownByAColumnThatNamesModels) {
  EXPECT_TRUE(names_models("model,latency_ms\n"));
  EXPECT_TRUE(names_models("arch_idx,arch_str\r\n"));
  EXPECT_FALSE(names_models("name,type,time_s\n")) << "one row per operator";
  EXPECT_FALSE(names_models("model,op_class,count\n"));
  EXPECT_FALSE(names_models("a,b\n"));
  EXPECT_FALSE(names_models("{\"model_name\": 1}\n"));
  EXPECT_FALSE(names_models(""));
}

TEST(ModelTable, ReadsNumbersInTheUnitsOfTheirColumns) {
  const ModelTable table = read_model_table(
      "model,batch,latency_ms,energy_mj,classes,input_shape,device\n"
      "a.onnx,8,1.5,20,100,1x3x32x32,pi\n"
      "\n"
      "b.onnx,,,30,,,\n",
      "models.csv");
  ASSERT_EQ(table.rows.size(), 2U);
  const ModelRow& first = table.rows[0];
  EXPECT_EQ(first.model, "a.onnx");
  EXPECT_EQ(first.batch, 8);
  EXPECT_DOUBLE_EQ(*first.time_s, 0.0015);
  EXPECT_DOUBLE_EQ(*first.energy_j, 0.02);
  EXPECT_EQ(first.input_shape, "[1,3,32,32]");
  EXPECT_EQ(first.device, "pi");
  EXPECT_EQ(first.others, (std::map<std::string, std::string>{{"classes", "100"}}));
  EXPECT_FALSE(table.rows[1].time_s);
  EXPECT_TRUE(table.rows[1].others.empty());
  EXPECT_EQ(table.rows[1].line, 4U);
  EXPECT_EQ(table.rows[1].position, 3);
}

TEST(ModelTable, SaysWhichFieldIsWrong) {
  EXPECT_THAT(model_table_problem("model,latency_ms\na,-1\n"),
              HasSubstr("models.csv: line 2, column latency_ms: is -1; it must be above 0"));
  EXPECT_THAT(model_table_problem("model,latency_ms\na,1\nb,fast\n"),
              HasSubstr("line 3, column latency_ms: 'fast' is not a number"));
  EXPECT_THAT(model_table_problem("model,latency_ms\n,1\n"),
              HasSubstr("line 2, column model: is empty; it names the model"));
  EXPECT_THAT(model_table_problem("model,latency_ms\n"), HasSubstr("holds no rows"));
}

}  // namespace
}  // namespace jouletree::store
