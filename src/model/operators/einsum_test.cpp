#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

model::OnnxBuilder sum(const char* equation, const std::vector<Dims>& inputs) {
  OnnxBuilder model(12);
  std::vector<std::string> names;
  for (const Dims& dims : inputs) {
    names.push_back("x" + std::to_string(names.size()));
    model.input(names.back(), DataType::Float32, dims);
  }
  model.node("Einsum", names, {"y"}).text("equation", equation);
  model.output("y");
  return model;
}

Dims shape_of(const char* equation, const std::vector<Dims>& inputs) {
  return inspect(sum(equation, inputs)).dims("y");
}

Count macs_of(const char* equation, const std::vector<Dims>& inputs) {
  return inspect(sum(equation, inputs)).work("Einsum").macs;
}

TEST(Einsum, FollowsAnExplicitOutput) {
  EXPECT_EQ(shape_of("bij,bjk->bik", {{2, 3, 4}, {2, 4, 5}}), (Dims{2, 3, 5}));
  EXPECT_EQ(shape_of("bhid , bhjd -> bhij", {{2, 3, 4, 8}, {2, 3, 5, 8}}), (Dims{2, 3, 4, 5}));
  EXPECT_EQ(shape_of("ij->ji", {{2, 3}}), (Dims{3, 2}));
  EXPECT_EQ(shape_of("ij->", {{2, 3}}), Dims{});
}

TEST(Einsum, OrdersAnImplicitOutputByTheAlphabet) {
  EXPECT_EQ(shape_of("ba", {{2, 3}}), (Dims{3, 2}));
  EXPECT_EQ(shape_of("ij,jk", {{2, 3}, {3, 4}}), (Dims{2, 4}));
  EXPECT_EQ(shape_of("ii", {{3, 3}}), Dims{});
  EXPECT_EQ(shape_of("aB", {{2, 3}}), (Dims{3, 2}));
}

TEST(Einsum, BroadcastsWhatAnEllipsisCovers) {
  EXPECT_EQ(shape_of("...ij,...jk->...ik", {{7, 1, 2, 3}, {5, 3, 4}}), (Dims{7, 5, 2, 4}));
  EXPECT_EQ(shape_of("...ij,...jk", {{7, 2, 3}, {3, 4}}), (Dims{7, 2, 4}));
  EXPECT_EQ(shape_of("i...->...i", {{2, 3, 4}}), (Dims{3, 4, 2}));
}

TEST(Einsum, TakesTheDiagonalOfARepeatedLabel) {
  EXPECT_EQ(shape_of("...ii->...i", {{5, 3, 3}}), (Dims{5, 3}));
}

TEST(Einsum, CountsEveryCombinationOfLabelsForEachFurtherOperand) {
  EXPECT_EQ(macs_of("bij,bjk->bik", {{2, 3, 4}, {2, 4, 5}}), Count(120));
  EXPECT_EQ(macs_of("i,j,k->ijk", {{2}, {3}, {4}}), Count(48));
  EXPECT_EQ(macs_of("...ij,...jk->...ik", {{7, 2, 3}, {3, 4}}), Count(7 * 24));
  const Inspected summed = inspect(sum("ij->i", {{2, 3}}));
  EXPECT_EQ(summed.work("Einsum").macs, Count(0));
  EXPECT_EQ(summed.work("Einsum").flops, Count(6));
  EXPECT_EQ(inspect(sum("ij->ji", {{2, 3}})).work("Einsum").flops, Count(0));
}

TEST(Einsum, RejectsEquationsThatDoNotFitTheirInputs) {
  EXPECT_NE(error_of(sum("ij,jk->ik", {{2, 3}})).find("2 terms for 1 input"), std::string::npos);
  EXPECT_NE(error_of(sum("ijk->i", {{2, 3}})).find("3 labels"), std::string::npos);
  EXPECT_NE(error_of(sum("ij,jk->ik", {{2, 3}, {4, 5}})).find("label 'j'"), std::string::npos);
  EXPECT_NE(error_of(sum("ij->iz", {{2, 3}})).find("label 'z'"), std::string::npos);
  EXPECT_NE(error_of(sum("i.j->i", {{2, 3}})).find("odd term"), std::string::npos);
  EXPECT_NE(error_of(sum("", {{2, 3}})).find("0 labels"), std::string::npos);
}

}  // namespace
}  // namespace jouletree::test
