#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::model {
namespace {

using test::inspect;
using test::Inspected;

TEST(Detection, DoesNotGuessHowManyBoxesAreKept) {
  OnnxBuilder model;
  model.input("boxes", DataType::Float32, {1, 100, 4});
  model.input("scores", DataType::Float32, {1, 80, 100});
  model.integers("most", {10});
  model.node("NonMaxSuppression", {"boxes", "scores", "most"}, {"kept"});

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("kept"), (Dims{kUnknownDim, 3}));
  EXPECT_EQ(got.status("NonMaxSuppression"), NodeStatus::Unresolved);
  EXPECT_FALSE(got.work("NonMaxSuppression").flops.known());
  EXPECT_EQ(got.work("NonMaxSuppression").read_bytes, Count(4 * (400 + 8000) + 8));
}

TEST(Detection, KnowsThatNoBoxIsKeptWithoutALimit) {
  OnnxBuilder model;
  model.input("boxes", DataType::Float32, {1, 100, 4});
  model.input("scores", DataType::Float32, {1, 80, 100});
  model.node("NonMaxSuppression", {"boxes", "scores"}, {"kept"});

  EXPECT_EQ(inspect(model).dims("kept"), (Dims{0, 3}));
}

}  // namespace
}  // namespace jouletree::model
