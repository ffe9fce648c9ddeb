#include "model/pt2/size_expression.hpp"

#include <gtest/gtest.h>

namespace jouletree::model::pt2 {
namespace {

std::optional<std::int64_t> value(std::string_view text, Dim s0 = 7, Dim s1 = 3) {
  const auto size = parse_size(text);
  if (!size) return std::nullopt;
  return evaluate(*size, [&](std::string_view symbol) -> std::optional<Dim> {
    if (symbol == "s0") return s0;
    if (symbol == "s1") return s1;
    return std::nullopt;
  });
}

TEST(SizeExpression, ReadsWhatSymPyWrites) {
  EXPECT_EQ(value("Symbol('s0', positive=True, integer=True)"), 7);
  EXPECT_EQ(value("Integer(12)"), 12);
  EXPECT_EQ(value("Mul(Integer(6), Symbol('s0', positive=True, integer=True))"), 42);
  EXPECT_EQ(value("Add(Mul(Integer(-1), Symbol('s1')), Symbol('s0'), Integer(1))"), 5);
  EXPECT_EQ(value("FloorDiv(Symbol('s0'), Integer(2))"), 3);
  EXPECT_EQ(value("Add(FloorDiv(Add(Symbol('s0'), Integer(-1)), Integer(2)), Integer(1))"), 4);
  EXPECT_EQ(value("Max(Integer(1), Symbol('s0'), Symbol('s1'))"), 7);
  EXPECT_EQ(value("Min(Integer(5), Symbol('s0'))"), 5);
  EXPECT_EQ(value("Pow(Symbol('s0'), Integer(2))"), 49);
  EXPECT_EQ(value("Mul(Rational(1, 2), Add(Symbol('s0'), Integer(1)))"), 4);
  EXPECT_EQ(value("Mod(Symbol('s0'), Integer(4))"), 3);
  EXPECT_EQ(value("CeilToInt(IntTrueDiv(Symbol('s0'), Integer(2)))"), 4);
  EXPECT_EQ(value("TruncToInt(Mul(Float('1.5', precision=53), ToFloat(Symbol('s0'))))"), 10);
}

TEST(SizeExpression, ReadsWhatPeopleWrite) {
  EXPECT_EQ(value("s0"), 7);
  EXPECT_EQ(value("2*s0 + 1"), 15);
  EXPECT_EQ(value("s0 - s1"), 4);
  EXPECT_EQ(value("(s0 + 1)//3"), 2);
  EXPECT_EQ(value("-s0 + 10"), 3);
  EXPECT_EQ(value("s0**2*2"), 98);
  EXPECT_EQ(value("Max(1, s0//8)"), 1);
  EXPECT_EQ(value("s0 % 4"), 3);
}

TEST(SizeExpression, KnowsTruthsAboutSizes) {
  EXPECT_EQ(value("StrictGreaterThan(Symbol('s0'), Integer(4))"), 1);
  EXPECT_EQ(value("s0 > 7"), 0);
  EXPECT_EQ(value("s0 >= 7"), 1);
  EXPECT_EQ(value("Eq(s0, 7)"), 1);
  EXPECT_EQ(value("And(Ne(s0, 7), LessThan(s1, 3))"), 0);
  EXPECT_EQ(value("Or(Eq(s0, 1), StrictLessThan(s1, 4))"), 1);
  EXPECT_EQ(value("Not(Eq(s0, 1))"), 1);
}

TEST(SizeExpression, IsUnknownWhereASymbolIsOrSomethingElseStands) {
  EXPECT_EQ(value("u0"), std::nullopt);
  EXPECT_EQ(value("Piecewise(s0, s1)"), std::nullopt);
  EXPECT_EQ(value("s0/2"), std::nullopt);
  EXPECT_EQ(value("s0//0"), std::nullopt);
  EXPECT_EQ(value("Pow(Integer(10), Integer(400))"), std::nullopt);
}

TEST(SizeExpression, IsNoneWhereItCannotBeRead) {
  for (const char* text :
       {"", "(", "s0 +", "Mul(", "Mul(s0", "Symbol('s0", "2*", "s0)", "s0 s1", "*"})
    EXPECT_FALSE(parse_size(text)) << text;
  EXPECT_FALSE(parse_size(std::string(100'000, '(')));
  EXPECT_FALSE(parse_size(std::string(10'000, '-') + "1"));
}

TEST(SizeExpression, IsWrittenForPeople) {
  const auto text = [](std::string_view given) { return to_string(*parse_size(given)); };
  EXPECT_EQ(text("Symbol('s77', positive=True)"), "s77");
  EXPECT_EQ(text("Add(Mul(Integer(2), Symbol('s0')), Integer(1))"), "2*s0 + 1");
  EXPECT_EQ(text("Add(Symbol('s0'), Integer(-1))"), "s0 - 1");
  EXPECT_EQ(text("Mul(Integer(2), Add(Symbol('s0'), Integer(1)))"), "2*(s0 + 1)");
  EXPECT_EQ(text("FloorDiv(Symbol('s0'), Integer(2))"), "(s0//2)");
  EXPECT_EQ(text("Max(Integer(1), Symbol('s0'))"), "Max(1, s0)");
}

}  // namespace
}  // namespace jouletree::model::pt2
