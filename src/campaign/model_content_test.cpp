#include "campaign/model_content.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "campaign/run_item.hpp"
#include "support/temp_folder.hpp"
#include "zoo/build_model.hpp"
#include "zoo/catalogue.hpp"

namespace jouletree::campaign {
namespace {

class FileChangesTest : public testing::Test {
 protected:
  FileChangesTest() {
    item_.kind = Item::Kind::File;
    item_.target = "net.onnx";
    write(1);
  }

  void write(std::uint64_t seed) const {
    zoo::Settings settings = zoo::find_architecture("bert-l2-h128").settings;
    settings.set("layers", 1);
    settings.set("vocabulary", 50);
    zoo::build_model(zoo::find_architecture("bert-l2-h128"), settings, seed,
                     folder_.path() / "net.onnx");
  }

  [[nodiscard]] store::ItemStatus done() const {
    ItemResult result;
    result.content = content_of(item_, folder_.path());
    store::ItemStatus status;
    status.result = result.json();
    return status;
  }

  [[nodiscard]] bool has_changed(const store::ItemStatus& status) const {
    return FileChanges(folder_.path()).has_changed(item_, status);
  }

  test::TempFolder folder_;
  Item item_;
};

TEST_F(FileChangesTest, OtherBytesOfTheSameNumberAreAChange) {
  const store::ItemStatus status = done();
  EXPECT_FALSE(has_changed(status));
  const auto bytes = std::filesystem::file_size(folder_.path() / "net.onnx");
  write(2);
  ASSERT_EQ(std::filesystem::file_size(folder_.path() / "net.onnx"), bytes);
  EXPECT_TRUE(has_changed(status));
}

TEST_F(FileChangesTest, TheSameBytesWrittenAgainAreNone) {
  const store::ItemStatus status = done();
  write(1);
  EXPECT_FALSE(has_changed(status));
}

TEST_F(FileChangesTest, ResultsOfOlderProgramsStay) {
  store::ItemStatus status;
  status.result = ItemResult{}.json();
  EXPECT_FALSE(has_changed(status));
}

TEST_F(FileChangesTest, OnlyFilesHaveAContent) {
  item_.kind = Item::Kind::Zoo;
  EXPECT_EQ(content_of(item_, folder_.path()), "");
}

}  // namespace
}  // namespace jouletree::campaign
