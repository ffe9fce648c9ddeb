#include "model/torchscript/archive.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace jouletree::torchscript {
namespace {

std::string number(std::size_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>((value >> (8 * i)) & 0xFF);
  return text;
}

/// A zip archive of empty files.
std::string zip_of(const std::vector<std::string>& names) {
  std::string bytes;
  std::string directory;
  for (const std::string& name : names) {
    directory += "PK\x01\x02" + std::string(24, '\0') + number(name.size(), 2) +
                 std::string(12, '\0') + number(bytes.size(), 4) + name;
    bytes += "PK\x03\x04" + std::string(22, '\0') + number(name.size(), 2) + number(0, 2) + name;
  }
  const std::size_t begin = bytes.size();
  return bytes + directory + "PK\x05\x06" + std::string(4, '\0') + number(names.size(), 2) +
         number(names.size(), 2) + number(directory.size(), 4) + number(begin, 4) + number(0, 2);
}

TEST(TorchArchive, WithCodeIsTorchScript) {
  EXPECT_EQ(archive_of(zip_of({"m/data.pkl", "m/code/__torch__/m.py", "m/constants.pkl"})),
            Archive::TorchScript);
}

TEST(TorchArchive, WithNothingButPickledObjectsIsACheckpoint) {
  EXPECT_EQ(archive_of(zip_of({"best/data.pkl", "best/data/0", "best/version"})),
            Archive::Checkpoint);
}

TEST(TorchArchive, OfTorchExportIsToldApart) {
  EXPECT_EQ(archive_of(zip_of({"p/serialized_exported_program.json", "p/data.pkl"})),
            Archive::ExportedProgram);
}

TEST(TorchArchive, OfTheOldFormatIsToldApart) {
  EXPECT_EQ(archive_of(zip_of({"m/model.json", "m/tensors/0"})), Archive::OldTorchScript);
}

TEST(TorchArchive, OfSomethingElseIsJustAZip) {
  EXPECT_EQ(archive_of(zip_of({"letters/mother.txt"})), Archive::OtherZip);
}

TEST(TorchArchive, AnOldCheckpointIsABarePickle) {
  EXPECT_EQ(archive_of("\x80\x02}q"), Archive::Checkpoint);
}

TEST(TorchArchive, AnOnnxFileIsNone) {
  EXPECT_EQ(archive_of("\x08\x07\x12\x07pytorch"), Archive::None);
}

TEST(TorchArchive, SurvivesBeingCutAnywhere) {
  const std::string whole = zip_of({"m/data.pkl", "m/code/__torch__/m.py"});
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(archive_of(std::string_view(whole).substr(0, size)), Archive::TorchScript) << size;
}

}  // namespace
}  // namespace jouletree::torchscript
