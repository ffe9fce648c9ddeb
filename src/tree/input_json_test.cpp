#include "tree/input_json.hpp"

#include <gmock/gmock.h>

namespace jouletree::tree {
namespace {

std::vector<InputShape> some_inputs() {
  InputShape ids{"ids", DataType::Int64, std::vector<InputDim>{}};
  ids.dims->push_back({"batch", 1, SizeOrigin::Default, true});
  ids.dims->push_back({"past + seq", 16, SizeOrigin::Expression, true});
  InputShape cache{"past", DataType::Float16, std::vector<InputDim>{}};
  cache.dims->push_back({"", 1, SizeOrigin::Given, true});
  cache.dims->push_back({"", 8, SizeOrigin::File, false});
  cache.dims->push_back({"length", 0, SizeOrigin::EmptyCache, true});
  return {ids, cache, InputShape{"unknown", DataType::Float32, std::nullopt}};
}

TEST(InputJson, TellsWhoChoseEachSize) {
  const auto json = inputs_json(some_inputs());
  EXPECT_EQ(json[0]["shape"], (nlohmann::ordered_json{1, 16}));
  EXPECT_EQ(json[0]["dims"][0]["name"], "batch");
  EXPECT_EQ(json[0]["dims"][0]["from"], "default");
  EXPECT_EQ(json[1]["dims"][0]["name"], nullptr);
  EXPECT_EQ(json[1]["dims"][2]["from"], "empty cache");
  EXPECT_EQ(json[1]["dims"][1]["open"], false);
  EXPECT_EQ(json[2]["dims"], nullptr);
}

TEST(InputJson, IsReadAsItWasWritten) {
  EXPECT_EQ(inputs_json(inputs_of(inputs_json(some_inputs()))), inputs_json(some_inputs()));
}

}  // namespace
}  // namespace jouletree::tree
