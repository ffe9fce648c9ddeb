#include "cli/man_page.hpp"

#include <gmock/gmock.h>

#include "cli/roff.hpp"

namespace jouletree::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Roff, KeepsTextFromBeingReadAsRequests) {
  EXPECT_EQ(roff_text(".PP"), "\\&.PP");
  EXPECT_EQ(roff_text("'quoted'"), "\\(aqquoted\\(aq");
  EXPECT_EQ(roff_text("a\\b"), "a\\(rsb");
  EXPECT_EQ(roff_text("--dim"), "\\-\\-dim");
}

std::vector<std::string> names_of(const std::vector<ManPage>& pages) {
  std::vector<std::string> names;
  names.reserve(pages.size());
  for (const ManPage& page : pages) names.push_back(page.name);
  return names;
}

TEST(ManPage, ThereIsOneForTheProgramAndForEveryCommand) {
  CLI::App app("A program", "jouletree");
  app.add_subcommand("zoo", "Animals")->add_subcommand("list", "All of them");
  app.add_subcommand("backstage", "Hidden")->group("");

  EXPECT_THAT(names_of(man_pages(app, "1.2")),
              ElementsAre("jouletree", "jouletree-zoo", "jouletree-zoo-list"));
}

TEST(ManPage, ShowsWhatMustBeGivenAndWhatMayBe) {
  CLI::App app("A program", "jouletree");
  std::vector<std::string> models;
  std::string file;
  app.add_option("models", models, "Files")->required()->type_name("MODEL");
  app.add_option("-o,--output", file, "Where to")->required()->type_name("FILE");
  app.add_flag("--quiet")->description("Say less");

  const std::string text = man_pages(app, "1.2").at(0).text;

  EXPECT_THAT(text, HasSubstr("\\fBjouletree\\fR [\\fIOPTION\\fR]... \\fB\\-o\\fR \\fIFILE\\fR "
                              "\\fIMODEL\\fR...\n"));
  EXPECT_THAT(text, HasSubstr("\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIFILE\\fR\nWhere to\n"));
  EXPECT_THAT(text, HasSubstr("\\fB\\-\\-quiet\\fR\nSay less\n"));
}

TEST(ManPage, ThePageOfTheProgramHoldsTheFlagsOfAllCommands) {
  CLI::App app("A program", "jouletree");
  app.add_subcommand("zoo", "Animals")
      ->add_subcommand("list", "All")
      ->add_flag("--tame")
      ->description("Some");

  EXPECT_THAT(man_pages(app, "1.2").at(0).text, HasSubstr("\\fB\\-\\-tame\\fR\nSome\n"));
}

TEST(ManPage, AFooterIsSplitIntoExamplesAndNotes) {
  CLI::App app("A program", "jouletree");
  app.footer("Examples:\n  jouletree go\n  jouletree stop\n\nIt is\nquick.\n\n  as laid\n    out");

  const std::string text = man_pages(app, "1.2").at(0).text;

  EXPECT_THAT(text, HasSubstr(".SH EXAMPLES\n.PP\n.nf\n  jouletree go\n  jouletree stop\n.fi\n"));
  EXPECT_THAT(text, HasSubstr(".PP\nIt is quick.\n"));
  EXPECT_THAT(text, HasSubstr(".nf\n  as laid\n    out\n.fi\n"));
  EXPECT_THAT(text, Not(HasSubstr("Examples:")));
}

}  // namespace
}  // namespace jouletree::cli
