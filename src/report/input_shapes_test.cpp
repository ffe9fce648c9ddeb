#include "report/input_shapes.hpp"

#include <sstream>

#include <gmock/gmock.h>

namespace jouletree::report {
namespace {

std::vector<InputShape> sample() {
  InputShape ids{"ids", DataType::Int64, std::vector<InputDim>{}};
  ids.dims->push_back({"batch", 1, SizeOrigin::Default, true});
  ids.dims->push_back({"past + seq", 16, SizeOrigin::Expression, true});
  InputShape cache{"past", DataType::Float16, std::vector<InputDim>{}};
  cache.dims->push_back({"", 1, SizeOrigin::Given, true});
  cache.dims->push_back({"", 8, SizeOrigin::File, false});
  cache.dims->push_back({"length", 0, SizeOrigin::EmptyCache, true});
  return {ids, cache, InputShape{"unknown", DataType::Float32, std::nullopt}};
}

std::string lines_of(const std::vector<InputShape>& inputs) {
  std::ostringstream out;
  print_inputs(inputs, out);
  return out.str();
}

TEST(InputShapes, LinesShowNamesAndSizes) {
  EXPECT_EQ(lines_of(sample()),
            "  ids: int64 batch x (past + seq) = 1x16\n"
            "  past: float16 ? x 8 x length = 1x8x0\n"
            "  unknown: float32 of unknown shape\n");
}

TEST(InputShapes, JsonTellsWhoChoseEachSize) {
  const auto json = inputs_json(sample());
  EXPECT_EQ(json[0]["shape"], (nlohmann::ordered_json{1, 16}));
  EXPECT_EQ(json[0]["dims"][0]["name"], "batch");
  EXPECT_EQ(json[0]["dims"][0]["from"], "default");
  EXPECT_EQ(json[1]["dims"][0]["name"], nullptr);
  EXPECT_EQ(json[1]["dims"][2]["from"], "empty cache");
  EXPECT_EQ(json[1]["dims"][1]["open"], false);
  EXPECT_EQ(json[2]["dims"], nullptr);
}

TEST(InputShapes, JsonIsReadAsItWasWritten) {
  EXPECT_EQ(inputs_json(inputs_of(inputs_json(sample()))), inputs_json(sample()));
}

}  // namespace
}  // namespace jouletree::report
