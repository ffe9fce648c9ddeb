#include "base/shared_library.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_folder.hpp"

namespace jouletree {
namespace {

using ::testing::HasSubstr;

/// A library that every machine with this program has.
std::string real_library() {
  Dl_info info{};
  EXPECT_NE(::dladdr(reinterpret_cast<void*>(&std::fopen), &info), 0);  // NOLINT: dladdr
  std::ifstream file(info.dli_fname, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(SharedLibrary, AWholeOneIsFine) {
  const test::TempFolder folder;
  folder.write("whole.so", real_library());
  EXPECT_EQ(shared_library_problem(folder.path() / "whole.so"), "");
}

TEST(SharedLibrary, OneThatWasCutOffIsNotLoaded) {
  const test::TempFolder folder;
  const std::string library = real_library();
  for (const std::size_t size : {std::size_t{5}, std::size_t{63}, std::size_t{70},
                                 std::size_t{4096}, std::size_t{60000}, library.size() / 2}) {
    folder.write("cut.so", library.substr(0, size));
    EXPECT_THAT(shared_library_problem(folder.path() / "cut.so"), HasSubstr("cut off")) << size;
    const OpenedLibrary opened = open_shared_library((folder.path() / "cut.so").string());
    EXPECT_EQ(opened.handle, nullptr);
    EXPECT_THAT(opened.problem, HasSubstr("cut.so: it was cut off"));
  }
}

TEST(SharedLibrary, SaysWhatElseItIs) {
  const test::TempFolder folder;
  const auto problem = [&](const std::string& bytes) {
    folder.write("other.so", bytes);
    return shared_library_problem(folder.path() / "other.so");
  };
  EXPECT_EQ(problem(""), "it is empty");
  EXPECT_EQ(problem("#!/bin/sh\n"), "it is not a shared library");
  std::string foreign = real_library();
  foreign[offsetof(Elf64_Ehdr, e_machine)] = EM_SPARC;
  EXPECT_EQ(problem(foreign), "it is a library for another kind of processor");
  std::string object = real_library();
  object[offsetof(Elf64_Ehdr, e_type)] = ET_REL;
  EXPECT_EQ(problem(object), "it is not a shared library");
}

TEST(SharedLibrary, APipeIsNotWaitedFor) {
  const test::TempFolder folder;
  const std::string pipe = (folder.path() / "pipe.so").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(shared_library_problem(pipe), "is not a regular file");
  EXPECT_THAT(shared_library_problem(folder.path() / "none.so"), HasSubstr("no such file"));
}

}  // namespace
}  // namespace jouletree
