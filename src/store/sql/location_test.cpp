#include "store/sql/location.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/environment_variable.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::store::sql {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kHeader("SQLite format 3\0 and more", 25);

std::string refusal(const std::string& text) {
  try {
    (void)parse_location(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  ADD_FAILURE() << text << " was not refused";
  return {};
}

TEST(Location, ReadsFilesAndUrls) {
  const test::TempFolder folder;
  const std::string absent = (folder.path() / "absent.sqlite").string();
  const std::string present = folder.write("present", kHeader).string();
  const std::string empty = folder.write("empty", "").string();
  for (const std::string& path : {absent, present, empty, absent + ":2", std::string("C:x.db")}) {
    for (const std::string& text : {path, "sqlite:" + path}) {
      const Location location = parse_location(text);
      EXPECT_EQ(location.dialect, Dialect::Sqlite);
      EXPECT_EQ(location.target, path);
      EXPECT_EQ(text_of(location), path);
    }
  }
  for (const char* url : {"postgresql://me@host/db", "postgres://", "postgresql://?service=x"}) {
    EXPECT_EQ(parse_location(url).dialect, Dialect::Postgresql);
    EXPECT_EQ(parse_location(url).target, url);
  }
}

TEST(Location, TellsDatabasesFromOtherArguments) {
  const test::TempFolder folder;
  EXPECT_TRUE(names_database(folder.write("a.db", kHeader).string()));
  EXPECT_TRUE(names_database("sqlite:whatever"));
  EXPECT_TRUE(names_database("postgresql://host/x"));
  EXPECT_TRUE(names_database("postgres://host/x"));
  for (const std::string& other :
       {folder.write("model.onnx", "SQLite format 4").string(), folder.write("none", "").string(),
        folder.path().string(), (folder.path() / "absent").string(), std::string(),
        std::string("mysql://x"), std::string("/dev/null")})
    EXPECT_FALSE(names_database(other)) << other;
}

TEST(Location, RefusesWhatIsNoDatabase) {
  const test::TempFolder folder;
  EXPECT_THAT(refusal(folder.path().string()), HasSubstr("is a folder"));
  EXPECT_THAT(refusal(folder.write("model.onnx", "onnx").string()),
              HasSubstr("is not a database of SQLite"));
  EXPECT_THAT(refusal("sqlite:"), HasSubstr("sqlite:FILE"));
  EXPECT_THAT(refusal("sqlite:///x"), HasSubstr("write sqlite:/x"));
  for (const char* text : {"mysql://x", "mysql:x", "http://host/x", "postgresql:x", "file:x.db",
                           "postgresql+psycopg://host/x"})
    EXPECT_THAT(refusal(text), AllOf(HasSubstr("postgresql://"), HasSubstr("sqlite:FILE")));
  EXPECT_THAT(refusal("mysql://me:secret@host/x"), Not(HasSubstr("secret")));
  EXPECT_THAT(refusal("password=secret host=x"),
              AllOf(HasSubstr("postgresql://"), Not(HasSubstr("secret"))));
}

TEST(Location, TakesAFileThatLooksLikeAUrl) {
  const test::TempFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  folder.write("mysql:x", kHeader);
  EXPECT_EQ(parse_location("mysql:x").target, "mysql:x");
  std::filesystem::current_path(before);
}

TEST(Location, NeverShowsAPassword) {
  const auto shown = [](const char* url) { return text_of({Dialect::Postgresql, url}); };
  EXPECT_EQ(shown("postgresql://me:secret@host:5432/db"), "postgresql://me@host:5432/db");
  EXPECT_EQ(shown("postgresql://me@host/db?sslmode=require"),
            "postgresql://me@host/db?sslmode=require");
  EXPECT_EQ(shown("postgresql://host:5432/db"), "postgresql://host:5432/db");
  EXPECT_EQ(shown("postgresql://host/db?user=me&password=secret&sslmode=require"),
            "postgresql://host/db?user=me&sslmode=require");
  EXPECT_EQ(shown("postgresql://host/db?p%61ssword=secret"), "postgresql://host/db");
  EXPECT_EQ(shown("postgresql://host/db?sslpassword=secret&user=me@corp"),
            "postgresql://host/db?user=me@corp");
  // What nobody encoded.
  for (const char* url :
       {"postgresql://me:sec@secret@host/db", "postgresql://me:sec/secret@host/db",
        "postgresql://me:sec?secret@host/db", "postgresql://me:sec#secret@host/db?user=x",
        "postgresql://me:sec:secret@host/db"}) {
    EXPECT_THAT(shown(url), AllOf(HasSubstr("postgresql://me@host/db"), Not(HasSubstr("sec"))));
    EXPECT_EQ(has_raw_password(url), std::string_view(url).find("sec:") == std::string_view::npos);
  }
  for (const char* url : {"postgresql://me:a%40b@host/db", "postgresql://me@host:5432/db?user=a@b",
                          "postgresql://host:5432/db", "postgresql:///db?host=/tmp"})
    EXPECT_FALSE(has_raw_password(url)) << url;
}

TEST(Location, StandsInTheFolderForData) {
  const test::EnvironmentVariable home("HOME", "/home/me");
  {
    const test::EnvironmentVariable data("XDG_DATA_HOME", "/data");
    EXPECT_EQ(default_file(), "/data/jouletree/jouletree.sqlite");
    EXPECT_EQ(parse_location("").target, "/data/jouletree/jouletree.sqlite");
  }
  for (const char* unusable : {"", "relative"}) {
    const test::EnvironmentVariable data("XDG_DATA_HOME", unusable);
    EXPECT_EQ(default_file(), "/home/me/.local/share/jouletree/jouletree.sqlite");
  }
}

/// A program that has opened its plug-in keeps it; a failure it does not keep.
TEST(Location, SaysWhichPlugInIsMissingAndWhatToInstall) {
  const test::TempFolder folder;
  const test::EnvironmentVariable engines("JOULETREE_ENGINE_DIR", folder.path().string());
  const auto missing = [](Dialect dialect) {
    try {
      (void)open_connection({dialect, "x"}, Access::Read);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Missing);
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_THAT(missing(Dialect::Sqlite),
              AllOf(HasSubstr("libjouletree_sqlite.so"), HasSubstr("install libsqlite3-dev")));
  EXPECT_THAT(missing(Dialect::Postgresql),
              AllOf(HasSubstr("libjouletree_postgresql.so"), HasSubstr("install libpq-dev")));
  folder.write("libjouletree_sqlite.so", "not a library");
  EXPECT_THAT(missing(Dialect::Sqlite), HasSubstr("install libsqlite3-0"));
}

}  // namespace
}  // namespace jouletree::store::sql
