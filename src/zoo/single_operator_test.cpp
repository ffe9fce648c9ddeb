#include "zoo/single_operator.hpp"

#include <gmock/gmock.h>

#include "jouletree/inference.hpp"
#include "zoo/weightless_graph.hpp"

namespace jouletree::zoo {
namespace {

TEST(SingleOperator, IsAModelWithInputsWeightsAndAttributes) {
  const SingleOperator convolution{
      "Conv", {{2, 8, 16, 16}}, {{4, 8, 3, 3}, {4}}, {{"strides", Ints{2, 2}}}};
  ModelWriter writer(1);

  write_operator(writer, convolution);

  const auto graph = weightless_graph(writer, "conv");
  ASSERT_EQ(graph->main.nodes.size(), 1U);
  const Inference inference = infer(*graph, {});
  EXPECT_EQ(inference.values[graph->main.nodes[0].outputs[0]].dims, Dims({2, 4, 7, 7}));
  EXPECT_EQ(inference.nodes[graph->main.nodes[0].id].work.macs.value(), 2 * 4 * 7 * 7 * 8 * 9);
}

}  // namespace
}  // namespace jouletree::zoo
