#include "base/text_table.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace jouletree {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

std::string printed(const TextTable& table, std::optional<std::size_t> columns = std::nullopt) {
  std::ostringstream out;
  table.print(out, columns);
  return out.str();
}

TEST(TextTable, AlignsTextsLeftAndNumbersRight) {
  TextTable table({{"name", Align::Left}, {"n"}});
  table.add_row({"a", "1"});
  table.add_row({"long", "1000"});
  EXPECT_EQ(printed(table),
            "name     n\n"
            "──────────\n"
            "a        1\n"
            "long  1000\n");
}

TEST(TextTable, CountsCharactersNotBytes) {
  TextTable table({{"", Align::Left}, {""}});
  table.add_row({"≥ 1", "x"});
  table.add_row({"four", "y"});
  EXPECT_EQ(printed(table), "≥ 1   x\nfour  y\n");
}

TEST(TextTable, DoesNotShiftWithWideLettersAndMarks) {
  TextTable table({{"name", Align::Left}, {"n"}});
  table.add_row({"卷积", "1"});
  table.add_row({"e\u0301te\u0301", "2"});
  table.add_row({"🙂", "3"});
  EXPECT_EQ(printed(table),
            "name  n\n"
            "───────\n"
            "卷积  1\n"
            "e\u0301te\u0301   2\n"
            "🙂    3\n");
}

TEST(TextTable, ShortensNamesWhereTheTerminalIsNarrow) {
  TextTable table({{"module", Align::Left}, {"MACs"}});
  table.add_row({"encoder.layer.11.attention.self.query", "1,234,567,890"});
  EXPECT_EQ(printed(table, 35),
            "module                         MACs\n"
            "───────────────────────────────────\n"
            "encode…on.self.query  1,234,567,890\n");
}

TEST(TextTable, ShortensNothingWithoutATerminal) {
  TextTable table({{"module", Align::Left}, {"MACs"}});
  const std::string name(500, 'x');
  table.add_row({name, "1"});
  std::ostringstream out;
  table.print(out);
  EXPECT_NE(out.str().find(name), std::string::npos);
}

TEST(TextTable, NeverCutsNumbers) {
  TextTable table({{"module", Align::Left}, {"output", Align::Left, Fit::Whole}, {"MACs"}});
  table.add_row({"encoder.layer.11.attention", "1x12x128x128", "1,234,567,890"});
  for (std::size_t columns = 1; columns < 60; ++columns) {
    const std::string text = printed(table, columns);
    EXPECT_NE(text.find("1x12x128x128"), std::string::npos) << columns;
    EXPECT_NE(text.find("1,234,567,890"), std::string::npos) << columns;
  }
}

TEST(TextTable, LeavesAdornmentOutWhereItDoesNotFit) {
  TextTable table({{"module", Align::Left}, {"time"}, {"", Align::Left, Fit::Drop}, {"energy"}});
  table.add_row({"attention", "12.5 ms", "██████████", "1.25 J"});
  EXPECT_EQ(printed(table, 30),
            "module        time  energy\n"
            "──────────────────────────\n"
            "attention  12.5 ms  1.25 J\n");
  EXPECT_NE(printed(table, 80).find("██████████"), std::string::npos);
}

TEST(TextTable, WrapsTheLastText) {
  TextTable table({{"", Align::Left}, {"", Align::Left}});
  table.add_row({"Energy", "275.4 J (275.1 J to 275.9 J), measured: CPU packages and memory"});
  EXPECT_EQ(printed(table, 40),
            "Energy  275.4 J (275.1 J to 275.9 J),\n"
            "        measured: CPU packages and\n"
            "        memory\n");
}

TEST(TextTable, ShortensTitlesThatAreLongerThanTheNumbersBelow) {
  TextTable table({{"metric", Align::Left}, {"a_very_long_name_of_a_model.onnx"}});
  table.add_row({"FLOPs", "4.09 G"});
  EXPECT_EQ(printed(table, 22),
            "metric  a_ve…odel.onnx\n"
            "──────────────────────\n"
            "FLOPs           4.09 G\n");
}

TEST(TextTable, LeavesColumnsOutBeforeNamesBecomeTooShort) {
  TextTable table({{"operator", Align::Left},
                   {"type", Align::Left, Fit::Shorten, 1},
                   {"each", Align::Right, Fit::Whole, 2},
                   {"total"}});
  table.add_row({"features.denseblock1.Conv_2", "FusedConvolution", "1.234 ms", "2.468 ms"});
  const std::string narrow = printed(table, 44);
  EXPECT_EQ(narrow.find("each"), std::string::npos);
  EXPECT_NE(narrow.find("type"), std::string::npos);
  EXPECT_NE(narrow.find("featur…block1.Conv_2  Fus…volution"), std::string::npos) << narrow;
  const std::string narrower = printed(table, 37);
  EXPECT_EQ(narrower.find("type"), std::string::npos);
  EXPECT_NE(narrower.find("features.denseblock1.Conv_2  2.468 ms"), std::string::npos) << narrower;
}

TEST(TextTable, NeverCutsTheLabelsOfRows) {
  TextTable table({{"ledger", Align::Left, Fit::Whole}, {"time"}, {"", Align::Left, Fit::Wrap, 1}});
  table.add_row({"Σ operators × count", "11.29 ms", "129 operators of 30 kinds, measured alone"});
  for (const std::size_t columns : {20U, 40U, 50U, 60U})
    EXPECT_NE(printed(table, columns).find("Σ operators × count  11.29 ms"), std::string::npos);
  EXPECT_EQ(printed(table, 40).find("129"), std::string::npos) << "has no room";
}

TEST(TextTable, WrapsValuesAtTheirWords) {
  TextTable table({{"metric", Align::Left, Fit::Wrap}, {"a", Align::Right, Fit::Wrap}, {"b"}});
  table.add_row({"Trainable parameters", "12.5 mJ (estimated)", "11,689,512"});
  EXPECT_EQ(printed(table, 39),
            "metric                    a           b\n"
            "───────────────────────────────────────\n"
            "Trainable           12.5 mJ  11,689,512\n"
            "parameters      (estimated)\n");
}

}  // namespace
}  // namespace jouletree
