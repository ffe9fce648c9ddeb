#include "cli/completion.hpp"

#include <gmock/gmock.h>

namespace jouletree::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// What a value of this name is completed with.
std::string tables_for(const std::string& value_name) {
  CLI::App app("A program", "jouletree");
  std::string target;
  app.add_subcommand("work", "Does it")->add_option("--flag", target)->type_name(value_name);
  return completion_tables(app, {{"ANIMAL", {"cat", "dog"}}});
}

TEST(Completion, ListsCommandsAtEveryLevel) {
  CLI::App app("A program", "jouletree");
  app.add_subcommand("outer", "")->add_subcommand("inner", "");

  const std::string tables = completion_tables(app, {});

  EXPECT_THAT(tables, HasSubstr("['jouletree']='outer'\n"));
  EXPECT_THAT(tables, HasSubstr("['jouletree outer']='inner'\n"));
  EXPECT_THAT(tables, HasSubstr("['jouletree outer inner']='-h --help'\n"));
}

TEST(Completion, FlagsWithoutAValueHaveNoRowOfValues) {
  CLI::App app("A program", "jouletree");
  app.add_flag("--quiet");

  const std::string tables = completion_tables(app, {});

  EXPECT_THAT(tables, HasSubstr("--quiet"));
  EXPECT_THAT(tables, Not(HasSubstr("['jouletree --quiet']")));
}

TEST(Completion, TheNameOfAValueSaysWhatItMayBe) {
  const std::string row = "['jouletree work --flag']=";
  EXPECT_THAT(tables_for("table|json"), HasSubstr(row + "'table json'"));
  EXPECT_THAT(tables_for("only"), HasSubstr(row + "'only'"));
  EXPECT_THAT(tables_for("ANIMAL"), HasSubstr(row + "'cat dog'"));
  EXPECT_THAT(tables_for("MODEL"), HasSubstr(row + "'@model'"));
  EXPECT_THAT(tables_for("FOLDER"), HasSubstr(row + "'@folder'"));
  EXPECT_THAT(tables_for("PLUGIN"), HasSubstr(row + "'@file'"));
  EXPECT_THAT(tables_for("NAME=SIZE"), HasSubstr(row + "'@none'"));
  EXPECT_THAT(tables_for("N"), HasSubstr(row + "'@none'"));
}

TEST(Completion, PlacesAreNumberedAndAListHoldsForAllThatFollow) {
  CLI::App app("A program", "jouletree");
  std::string first;
  std::vector<std::string> rest;
  app.add_option("first", first)->type_name("a|b");
  app.add_option("rest", rest)->type_name("MODEL");

  const std::string tables = completion_tables(app, {});

  EXPECT_THAT(tables, HasSubstr("['jouletree 1']='a b'"));
  EXPECT_THAT(tables, HasSubstr("['jouletree *']='@model'"));
}

TEST(Completion, HiddenFlagsAndCommandsStayHidden) {
  CLI::App app("A program", "jouletree");
  app.add_flag("--secret")->group("");
  app.add_subcommand("backstage", "")->group("");

  const std::string tables = completion_tables(app, {});

  EXPECT_THAT(tables, Not(HasSubstr("secret")));
  EXPECT_THAT(tables, Not(HasSubstr("backstage")));
}

}  // namespace
}  // namespace jouletree::cli
