#include "report/input_shapes.hpp"

#include <sstream>

#include <gmock/gmock.h>

#include "support/sample_inputs.hpp"

namespace jouletree::report {
namespace {

std::string lines_of(const std::vector<InputShape>& inputs) {
  std::ostringstream out;
  print_inputs(inputs, out);
  return out.str();
}

TEST(InputShapes, LinesShowNamesAndSizes) {
  EXPECT_EQ(lines_of(test::sample_inputs()),
            "  ids: int64 batch x (past + seq) = 1x16\n"
            "  past: float16 ? x 8 x length = 1x8x0\n"
            "  unknown: float32 of unknown shape\n");
}

}  // namespace
}  // namespace jouletree::report
