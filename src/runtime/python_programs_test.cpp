#include "runtime/python_programs.hpp"

#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/scratch_folder.hpp"
#include "jouletree/error.hpp"

namespace jouletree::runtime {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using Variables = std::map<std::string, std::string>;

fs::path make_program(const fs::path& path) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << "#!/bin/sh\n";
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

Environment environment_of(Variables variables) {
  return [variables = std::move(variables)](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

std::string problem_of(const std::string& chosen, const Variables& variables) {
  try {
    (void)python_programs(chosen, environment_of(variables));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Missing);
    return error.what();
  }
  return "";
}

TEST(PythonPrograms, TheOneThatIsNamedIsTheOnlyOne) {
  const ScratchFolder root;
  const fs::path named = make_program(root.path() / "named/python");
  const fs::path other = make_program(root.path() / "bin/python3");
  const Variables variables{{"JOULETREE_PYTHON", other}, {"PATH", root.path() / "bin"}};
  EXPECT_THAT(python_programs(named, environment_of(variables)), ElementsAre(named));
  EXPECT_THAT(python_programs("", environment_of(variables)), ElementsAre(other));
}

TEST(PythonPrograms, AnActiveEnvironmentComesBeforeThoseOnPath) {
  const ScratchFolder root;
  const fs::path own = make_program(root.path() / "own/bin/python3.11");
  const fs::path active = make_program(root.path() / "venv/bin/python");
  const fs::path first = make_program(root.path() / "first/python3");
  const fs::path second = make_program(root.path() / "second/python");
  const Variables variables{{"JOULETREE_PACKAGE_PYTHON", own},
                            {"VIRTUAL_ENV", root.path() / "venv"},
                            {"PATH", (root.path() / "first").string() +
                                         ":/nowhere::" + (root.path() / "second").string()}};
  EXPECT_THAT(python_programs("", environment_of(variables)),
              ElementsAre(own, active, first, second));
}

TEST(PythonPrograms, ThoseOfOneFolderAreTheSame) {
  const ScratchFolder root;
  const fs::path program = make_program(root.path() / "bin/python3");
  make_program(root.path() / "bin/python");
  fs::create_directory_symlink(root.path() / "bin", root.path() / "link");
  const Variables variables{
      {"PATH", (root.path() / "bin").string() + ":" + (root.path() / "link").string()}};
  EXPECT_THAT(python_programs("", environment_of(variables)), ElementsAre(program));
}

TEST(PythonPrograms, ANameIsLookedForOnPath) {
  const ScratchFolder root;
  const fs::path program = make_program(root.path() / "bin/python3.12");
  EXPECT_THAT(
      python_programs("python3.12", environment_of(Variables{{"PATH", root.path() / "bin"}})),
      ElementsAre(program));
}

TEST(PythonPrograms, OneThatIsNamedAndNotThereIsMissing) {
  EXPECT_THAT(problem_of("/nowhere/python", {}), HasSubstr("--python /nowhere/python"));
  EXPECT_THAT(problem_of("python9", {{"PATH", "/nowhere"}}), HasSubstr("--python python9"));
  EXPECT_THAT(problem_of("", {{"JOULETREE_PYTHON", "/nowhere/python"}}),
              HasSubstr("JOULETREE_PYTHON /nowhere/python"));
  const ScratchFolder folder;
  EXPECT_THAT(problem_of(folder.path(), {}), HasSubstr("no such program"));
}

}  // namespace
}  // namespace jouletree::runtime
