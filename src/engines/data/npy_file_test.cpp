#include "engines/data/npy_file.hpp"

#include <filesystem>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/npy_bytes.hpp"
#include "support/temp_folder.hpp"
#include "support/zip_bytes.hpp"

namespace jouletree::engines {
namespace {

using testing::HasSubstr;

const std::string kNumbers("\1\0\0\0\2\0\0\0", 8);
const std::string kArray = test::npy_bytes<std::int32_t>("<i4", "(1, 2)", {1, 2});

std::string complaint_about(const std::string& archive) {
  const test::TempFolder folder;
  ScratchFiles scratch(folder.path());
  try {
    (void)read_npz(folder.write("x.npz", archive), scratch);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(NpyFile, StaysWhereItIs) {
  const test::TempFolder folder;
  ScratchFiles scratch(folder.path());
  const auto file = folder.write("x.npy", kArray);
  const FileTensor tensor = read_npy(file, scratch);
  EXPECT_EQ(tensor.bytes(), kNumbers);
  EXPECT_EQ(tensor.path, file);
  EXPECT_EQ(tensor.offset, kArray.size() - kNumbers.size());
}

TEST(NpyFile, OfAnotherOrderIsPutInOrder) {
  const test::TempFolder folder;
  ScratchFiles scratch(folder.path());
  const auto file =
      folder.write("x.npy", test::npy_bytes<std::int32_t>(">i4", "(2,)", {0x01000000, 0x02000000}));
  const FileTensor tensor = read_npy(file, scratch);
  EXPECT_EQ(tensor.bytes(), kNumbers);
  EXPECT_NE(tensor.path, file);
}

TEST(NpzFile, HoldsStoredAndDeflatedArrays) {
  const test::TempFolder folder;
  ScratchFiles scratch(folder.path());
  const auto file =
      folder.write("x.npz", test::zip_bytes({{"a.npy", kArray}, {"b.c.npy", kArray, true}}));
  const std::vector<FileTensor> tensors = read_npz(file, scratch);
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(tensors[0].name, "a");
  EXPECT_EQ(tensors[0].path, file);
  EXPECT_EQ(tensors[0].bytes(), kNumbers);
  EXPECT_EQ(tensors[1].name, "b.c");
  EXPECT_NE(tensors[1].path, file);
  EXPECT_EQ(tensors[1].bytes(), kNumbers);
  EXPECT_EQ(tensors[1].dims, (Dims{1, 2}));
}

TEST(NpzFile, MustHoldArraysOnly) {
  EXPECT_THAT(complaint_about(test::zip_bytes({{"letter.txt", "Dear"}})), HasSubstr("letter.txt"));
  EXPECT_THAT(complaint_about(test::zip_bytes({{"a.npy", "Dear"}})),
              HasSubstr("x.npz: a.npy: this is not a NumPy array"));
  EXPECT_THAT(complaint_about(test::zip_bytes({})), HasSubstr("holds no arrays"));
}

TEST(NpzFile, IsRefusedWhereItIsDamaged) {
  for (const bool deflated : {false, true}) {
    std::string archive = test::zip_bytes({{"a.npy", kArray, deflated}});
    EXPECT_EQ(complaint_about(archive), "");
    archive[archive.find(kNumbers)] ^= 1;
    EXPECT_THAT(complaint_about(archive), HasSubstr("a.npy: is damaged in its archive"));
  }
}

TEST(NpzFile, IsRefusedWhereItIsCut) {
  for (const bool deflated : {false, true}) {
    const std::string archive = test::zip_bytes({{"a.npy", kArray, deflated}});
    for (std::size_t size = 0; size < archive.size(); size += 7)
      EXPECT_THAT(complaint_about(archive.substr(0, size)), HasSubstr("or it is cut short"));
  }
}

TEST(NpzFile, AllNamesAreLookedAtBeforeAnythingIsUnpacked) {
  const test::TempFolder folder;
  ScratchFiles scratch(folder.path());
  const auto file =
      folder.write("x.npz", test::zip_bytes({{"a.npy", kArray, true}, {"b.npy", kArray, true}}));
  const WantedArray only_a = [](const std::string& name, const std::string& origin) {
    if (name != "a") throw Error(ErrorKind::BadInput, origin + ": nobody wants it");
  };
  try {
    (void)read_npz(file, scratch, only_a);
    FAIL() << "no problem";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("x.npz: b.npy: nobody wants it"));
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

/// Where a number of the directory's entry stands: its sizes follow the checksum.
constexpr std::size_t kUnpackedSizeAt = 24;
constexpr std::size_t kHeaderPlaceAt = 42;

TEST(NpzFile, ArraysDoNotShareTheirContent) {
  std::string archive = test::zip_bytes({{"a.npy", kArray, true}, {"b.npy", kArray, true}});
  const std::size_t second = archive.rfind("PK\x01\x02");
  archive.replace(second + kHeaderPlaceAt, 4, std::string(4, '\0'));
  EXPECT_THAT(complaint_about(archive), HasSubstr("b.npy: shares its content with another array"));
  EXPECT_THAT(complaint_about(test::zip_bytes({{"a.npy", kArray}, {"a.npy", kArray}})),
              HasSubstr("holds 'a.npy' twice"));
}

TEST(NpzFile, NoArrayUnpacksToMoreThanDeflateCanMake) {
  std::string archive = test::zip_bytes({{"a.npy", kArray, true}});
  const std::size_t entry = archive.rfind("PK\x01\x02");
  archive.replace(entry + kUnpackedSizeAt, 4, test::little_endian(0xF0000000, 4));
  EXPECT_THAT(complaint_about(archive), HasSubstr("a.npy: is damaged in its archive"));
}

TEST(NpzFile, IsRefusedWhereAPieceOfItIsMissing) {
  std::string archive = test::zip_bytes({{"a.npy", kArray, true}});
  // The deflated block says that another one follows.
  archive[archive.find(test::deflate(kArray))] = '\0';
  EXPECT_THAT(complaint_about(archive), HasSubstr("is damaged in its archive"));
}

}  // namespace
}  // namespace jouletree::engines
