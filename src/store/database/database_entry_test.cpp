#include "store/database/database_entry.hpp"

#include <gtest/gtest.h>

#include "support/temp_folder.hpp"

namespace jouletree::store {
namespace {

/// "DATABASE | MODEL", or "none".
std::string parsed(const std::string& given) {
  const auto entry = parse_entry(given);
  return entry ? entry->database + " | " + entry->model : "none";
}

class DatabaseEntryTest : public testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name, bool is_database) const {
    const std::string header("SQLite format 3\0", 16);
    folder_.write(name, is_database ? header + std::string(84, 'x') : std::string("a model"));
    return (folder_.path() / name).string();
  }

  test::TempFolder folder_;
};

TEST_F(DatabaseEntryTest, AFileOfSqliteIsADatabaseWithOrWithoutAModel) {
  const std::string lab = file("lab.sqlite", true);
  EXPECT_EQ(parsed(lab), lab + " | ");
  EXPECT_EQ(parsed(lab + "#"), lab + " | ");
  EXPECT_EQ(parsed(lab + "#resnet-18@batch=8"), lab + " | resnet-18@batch=8");
  EXPECT_EQ(parsed("sqlite:" + lab + "#resnet-18"), "sqlite:" + lab + " | resnet-18");
  EXPECT_EQ(parsed(file("no_ending", true) + "#m"),
            (folder_.path() / "no_ending").string() + " | m");
}

TEST_F(DatabaseEntryTest, AFileThatIsThereIsTakenAsItIs) {
  EXPECT_EQ(parsed(file("model#2.onnx", false)), "none");
  EXPECT_EQ(parsed(file("lab.sqlite#old", false)), "none");
  const std::string odd = file("a#b.sqlite", true);
  EXPECT_EQ(parsed(odd), odd + " | ");
  EXPECT_EQ(parsed(odd + "#m"), odd + " | m");
  EXPECT_EQ(parsed("sqlite:" + odd), "sqlite:" + odd + " | ");
  EXPECT_EQ(parsed(odd + "#m#2"), odd + " | m#2") << "names of models may have a '#', too";
}

TEST_F(DatabaseEntryTest, WhatIsNoDatabaseIsLeftToOthers) {
  EXPECT_EQ(parsed("resnet-18"), "none");
  EXPECT_EQ(parsed("C#net"), "none");
  EXPECT_EQ(parsed(file("model.onnx", false) + "#m"), "none");
  EXPECT_EQ(parsed(folder_.path().string()), "none");
  EXPECT_EQ(parsed(""), "none");
}

TEST_F(DatabaseEntryTest, WhatIsNamedLikeADatabaseIsOne) {
  const std::string missing = (folder_.path() / "missing.sqlite").string();
  EXPECT_EQ(parsed(missing + "#m"), missing + " | m");
  EXPECT_EQ(parsed("sqlite:nowhere#m"), "sqlite:nowhere | m");
}

TEST_F(DatabaseEntryTest, UrlsOfPostgresql) {
  EXPECT_EQ(parsed("postgresql://me@host/joules#m@batch=8"),
            "postgresql://me@host/joules | m@batch=8");
  EXPECT_EQ(parsed("postgres://host:5432/joules"), "postgres://host:5432/joules | ");
  EXPECT_EQ(parsed("postgresql://host:5432#m"), "postgresql://host:5432 | m");
  EXPECT_EQ(parsed("postgresql://[::1]:5432/joules#m"), "postgresql://[::1]:5432/joules | m");
  EXPECT_EQ(parsed("postgresql://?service=joules#org/m"), "postgresql://?service=joules | org/m");
  EXPECT_EQ(parsed("postgresql://me:se#cret@host/joules#m"),
            "postgresql://me:se#cret@host/joules | m")
      << "a password is never taken apart";
}

}  // namespace
}  // namespace jouletree::store
