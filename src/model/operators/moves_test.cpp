#include "model/operators/moves.hpp"

#include <gmock/gmock.h>

namespace jouletree::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::int64_t> integers_of(const Elements& elements) {
  std::vector<std::int64_t> integers;
  for (const Scalar& element : elements)
    integers.push_back(element.known() ? element.as_integer() : -1);
  return integers;
}

Elements counted_to(std::int64_t end) {
  Elements elements;
  for (std::int64_t i = 0; i < end; ++i) elements.push_back(Scalar::integer(i));
  return elements;
}

TEST(StridedOffsets, GoThroughTheShapeRowByRow) {
  EXPECT_THAT(strided_offsets({2, 3}, 0, {3, 1}), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(strided_offsets({3, 2}, 0, {1, 3}), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(strided_offsets({2, 1, 2, 2}, 10, {4, 99, 0, 1}),
              ElementsAre(10, 11, 10, 11, 14, 15, 14, 15));
  EXPECT_THAT(strided_offsets({3}, 2, {-1}), ElementsAre(2, 1, 0));
}

TEST(StridedOffsets, KnowScalarsAndWhatHoldsNothing) {
  EXPECT_THAT(strided_offsets({}, 7, {}), ElementsAre(7));
  EXPECT_THAT(strided_offsets({1, 1}, 7, {5, 5}), ElementsAre(7));
  EXPECT_THAT(strided_offsets({2, 0}, 0, {0, 0}), IsEmpty());
  EXPECT_THAT(strided_offsets({2, kUnknownDim}, 0, {1, 1}), IsEmpty());
  EXPECT_THAT(strided_offsets({kMaxElements, 2}, 0, {2, 1}), IsEmpty());
}

TEST(Picked, TakesElementsAlongStrides) {
  EXPECT_THAT(integers_of(picked(counted_to(6), {3, 2}, 0, {1, 3})), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(integers_of(picked(counted_to(2), {2, 2}, 0, {0, 1})), ElementsAre(0, 1, 0, 1));
}

TEST(Picked, WhatIsOutsideIsUnknown) {
  EXPECT_THAT(integers_of(picked(counted_to(3), {3}, 1, {1})), ElementsAre(1, 2, -1));
  EXPECT_THAT(integers_of(picked(counted_to(3), {-1, 0, 5})), ElementsAre(-1, 0, -1));
}

}  // namespace
}  // namespace jouletree::model
