#include "store/sql/postgresql/placeholders.hpp"

#include <gtest/gtest.h>

namespace jouletree::store::sql {
namespace {

TEST(Placeholders, AreNumbered) {
  EXPECT_EQ(numbered("INSERT INTO t VALUES (?, ?,?)").text, "INSERT INTO t VALUES ($1, $2,$3)");
  EXPECT_EQ(numbered("INSERT INTO t VALUES (?, ?,?)").count, 3U);
  EXPECT_EQ(numbered("").text, "");
  EXPECT_EQ(numbered("?").text, "$1");
  EXPECT_EQ(numbered("SELECT ?::text||?").text, "SELECT $1::text||$2");
}

TEST(Placeholders, AreLeftAloneInTextsNamesAndComments) {
  for (const char* same :
       {"SELECT '?'", "SELECT 'it''s ?'", "SELECT \"a?\"\"?\" FROM t", "SELECT 1 -- ?",
        "SELECT /* ? /* ? */ ? */ 1", "SELECT $$ ? $$", "SELECT $x$ ? $$ ? $x$", "SELECT E'\\'?'",
        "SELECT e'\\\\\\'?'", "SELECT '?", "SELECT \"?", "SELECT /* ?", "SELECT $a$ ?",
        "SELECT U&'?'"}) {
    EXPECT_EQ(numbered(same).text, same);
    EXPECT_EQ(numbered(same).count, 0U) << same;
  }
}

TEST(Placeholders, AreFoundBehindThem) {
  EXPECT_EQ(numbered("SELECT '\\', ?").text, "SELECT '\\', $1");
  EXPECT_EQ(numbered("SELECT -- ?\n ?").text, "SELECT -- ?\n $1");
  EXPECT_EQ(numbered("SELECT $$?$$, ?").text, "SELECT $$?$$, $1");
  EXPECT_EQ(numbered("SELECT a$b$ + ? - c$b$").text, "SELECT a$b$ + $1 - c$b$");
  EXPECT_EQ(numbered("SELECT 1/ ? - ?").text, "SELECT 1/ $1 - $2");
  EXPECT_EQ(numbered("SELECT name'\\', ?").text, "SELECT name'\\', $1");
  EXPECT_EQ(numbered("SELECT '', ?, ''''").text, "SELECT '', $1, ''''");
}

TEST(Statements, AreCounted) {
  for (const char* one : {"SELECT 1", "SELECT 1;", "SELECT ';' ; -- ; x", "SELECT $$;$$ /* ; */",
                          "", "SELECT \";\";;"})
    EXPECT_TRUE(holds_one_statement(one)) << one;
  for (const char* two : {"SELECT 1; SELECT 2", "SELECT 1;;x", "SELECT 1; 'x'", "a; /* */ \"b\"",
                          "SELECT '\\'; DROP TABLE x --'"})
    EXPECT_FALSE(holds_one_statement(two)) << two;
}

TEST(FirstWord, IsFoundBehindSpacesCommentsAndBrackets) {
  EXPECT_EQ(first_word("SELECT 1"), "select");
  EXPECT_EQ(first_word(" \n-- insert\n/* update */ ((Select 1))"), "select");
  EXPECT_EQ(first_word("with x as (select 1) select 2"), "with");
  EXPECT_EQ(first_word("/* unclosed"), "");
  EXPECT_EQ(first_word(";"), "");
  EXPECT_EQ(first_word(""), "");
}

}  // namespace
}  // namespace jouletree::store::sql
