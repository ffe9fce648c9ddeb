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

}  // namespace
}  // namespace jouletree::report
