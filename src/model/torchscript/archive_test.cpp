#include "model/torchscript/archive.hpp"

#include <string>

#include <gtest/gtest.h>

#include "support/empty_zip.hpp"

namespace jouletree::model::torchscript {
namespace {

TEST(TorchArchive, WithCodeIsTorchScript) {
  EXPECT_EQ(archive_of(test::empty_zip({"m/data.pkl", "m/code/__torch__/m.py", "m/constants.pkl"})),
            Archive::TorchScript);
}

TEST(TorchArchive, WithNothingButPickledObjectsIsACheckpoint) {
  EXPECT_EQ(archive_of(test::empty_zip({"best/data.pkl", "best/data/0", "best/version"})),
            Archive::Checkpoint);
}

TEST(TorchArchive, OfTorchExportIsToldApart) {
  EXPECT_EQ(archive_of(test::empty_zip({"p/serialized_exported_program.json", "p/data.pkl"})),
            Archive::ExportedProgram);
}

TEST(TorchArchive, OfTheOldFormatIsToldApart) {
  EXPECT_EQ(archive_of(test::empty_zip({"m/model.json", "m/tensors/0"})), Archive::OldTorchScript);
}

TEST(TorchArchive, OfSomethingElseIsJustAZip) {
  EXPECT_EQ(archive_of(test::empty_zip({"letters/mother.txt"})), Archive::OtherZip);
}

TEST(TorchArchive, AnOldCheckpointIsABarePickle) {
  EXPECT_EQ(archive_of("\x80\x02}q"), Archive::Checkpoint);
}

TEST(TorchArchive, AnOnnxFileIsNone) {
  EXPECT_EQ(archive_of("\x08\x07\x12\x07pytorch"), Archive::None);
}

TEST(TorchArchive, SurvivesBeingCutAnywhere) {
  const std::string whole = test::empty_zip({"m/data.pkl", "m/code/__torch__/m.py"});
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(archive_of(std::string_view(whole).substr(0, size)), Archive::TorchScript) << size;
}

}  // namespace
}  // namespace jouletree::model::torchscript
