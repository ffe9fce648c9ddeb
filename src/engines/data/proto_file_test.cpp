#include "engines/data/proto_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::engines {
namespace {

const std::string kTwoInt16s = "\x08\x02\x10\x05";
const std::string kOneAndTwo("\x01\x00\x02\x00", 4);

/// An entry that says where elements stand that are not in the file itself.
std::string external_entry(const std::string& key, const std::string& value) {
  const std::string entry = "\x0A" + std::string(1, static_cast<char>(key.size())) + key + "\x12" +
                            std::string(1, static_cast<char>(value.size())) + value;
  return "\x6A" + std::string(1, static_cast<char>(entry.size())) + entry;
}

class ProtoFile : public testing::Test {
 protected:
  FileTensor read(const std::string& bytes) {
    return read_proto(folder_.write("x.pb", bytes), scratch_);
  }

  test::TempFolder folder_;
  ScratchFiles scratch_{folder_.path()};
};

TEST_F(ProtoFile, KeepsRawElementsWhereTheyAre) {
  const FileTensor tensor = read(kTwoInt16s + "\x4A\x04" + kOneAndTwo);
  EXPECT_EQ(tensor.path, folder_.path() / "x.pb");
  EXPECT_EQ(tensor.offset, 6U);
  EXPECT_EQ(tensor.bytes(), kOneAndTwo);
}

TEST_F(ProtoFile, PutsTypedElementsIntoAFileOfTheirOwn) {
  const FileTensor tensor = read(kTwoInt16s + "\x2A\x02\x01\x02");
  EXPECT_NE(tensor.path, folder_.path() / "x.pb");
  EXPECT_EQ(tensor.bytes(), kOneAndTwo);
}

TEST_F(ProtoFile, FindsElementsInTheFileBesideIt) {
  folder_.write("x.data", "12345678" + kOneAndTwo);
  const std::string beside = external_entry("location", "x.data");
  const FileTensor tensor = read(kTwoInt16s + beside + external_entry("offset", "8") + "\x70\x01");
  EXPECT_EQ(tensor.path, folder_.path() / "x.data");
  EXPECT_EQ(tensor.bytes(), kOneAndTwo);
  EXPECT_THROW((void)read(kTwoInt16s + beside + external_entry("offset", "9") + "\x70\x01"), Error);
}

TEST_F(ProtoFile, ElementsLieInItsFolder) {
  const test::TempFolder elsewhere;
  std::filesystem::create_symlink(elsewhere.write("secret", kOneAndTwo), folder_.path() / "x.data");
  for (const char* const place : {"x.data", "../secret", "/etc/hostname"}) {
    EXPECT_THROW((void)read(kTwoInt16s + external_entry("location", place) + "\x70\x01"), Error)
        << place;
  }
}

TEST_F(ProtoFile, NeedsNoElementsForAnEmptyTensor) {
  EXPECT_EQ(read(std::string("\x08\x00\x10\x05", 4)).bytes(), "");
}

}  // namespace
}  // namespace jouletree::engines
