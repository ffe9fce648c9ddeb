#include "tree/input_json.hpp"

#include <gmock/gmock.h>

#include "support/sample_inputs.hpp"

namespace jouletree::tree {
namespace {

using test::sample_inputs;

TEST(InputJson, TellsWhoChoseEachSize) {
  const auto json = inputs_json(sample_inputs());
  EXPECT_EQ(json[0]["shape"], (nlohmann::ordered_json{1, 16}));
  EXPECT_EQ(json[0]["dims"][0]["name"], "batch");
  EXPECT_EQ(json[0]["dims"][0]["from"], "default");
  EXPECT_EQ(json[1]["dims"][0]["name"], nullptr);
  EXPECT_EQ(json[1]["dims"][2]["from"], "empty cache");
  EXPECT_EQ(json[1]["dims"][1]["open"], false);
  EXPECT_EQ(json[2]["dims"], nullptr);
}

TEST(InputJson, IsReadAsItWasWritten) {
  EXPECT_EQ(inputs_json(inputs_of(inputs_json(sample_inputs()))), inputs_json(sample_inputs()));
}

}  // namespace
}  // namespace jouletree::tree
