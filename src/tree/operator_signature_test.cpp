#include "tree/operator_signature.hpp"

#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"
#include "tree/run_signatures.hpp"

namespace jouletree::test {
namespace {

class Signatures {
 public:
  explicit Signatures(const OnnxBuilder& model)
      : bytes_(model.model_bytes()),
        tree_(build_tree(std::make_shared<Graph>(read_onnx(bytes_, "m.onnx")), {})) {}

  [[nodiscard]] std::string of(std::size_t node) const {
    return tree::operator_signature(tree_, tree_.graph->main.nodes[node]);
  }
  [[nodiscard]] const ModelTree& tree() const { return tree_; }

 private:
  std::string bytes_;
  ModelTree tree_;
};

/// A convolution of 8 channels; `set` may add attributes.
template <class Set>
std::string convolution(const char* op, const Set& set) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 8, 6, 6});
  model.initializer("w", DataType::Float32, {8, 8, 3, 3});
  auto& node = model.node(op, {"x", "w"}, {"y"});
  set(node);
  model.output("y");
  return Signatures(model).of(0);
}

TEST(OperatorSignature, TellsOperatorShapesAndSettings) {
  EXPECT_EQ(convolution("Conv",
                        [](auto& node) {
                          node.ints("strides", {2, 2});
                        }),
            "Conv float32:1x8x6x6 w:float32:8x8x3x3 -> float32:1x8x2x2 strides=[2,2]");
}

TEST(OperatorSignature, IsTheSameWithDefaultsSpeltOut) {
  const std::string plain = convolution("Conv", [](auto&) {});
  EXPECT_EQ(plain, convolution("Conv", [](auto& node) {
              node.ints("kernel_shape", {3, 3});
              node.ints("strides", {1, 1});
              node.ints("dilations", {1, 1});
              node.ints("pads", {0, 0, 0, 0});
              node.integer("group", 1);
            }));
}

TEST(OperatorSignature, DiffersWithWhatTheCostDependsOn) {
  const std::string plain = convolution("Conv", [](auto&) {});
  EXPECT_NE(plain, convolution("Conv", [](auto& node) { node.ints("dilations", {2, 2}); }));
  EXPECT_NE(plain, convolution("Conv", [](auto& node) { node.ints("pads", {1, 1, 1, 1}); }));
}

TEST(OperatorSignature, StandsAtTheNodesOfARun) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 4});
  model.node("Relu", {"x"}, {"a"}).name("/first/Relu");
  model.node("Sigmoid", {"a"}, {"y"}).name("/second/act/Sigmoid");
  model.output("y");
  const Signatures signatures(model);
  const TreeRun run = counted_run(signatures.tree());

  const std::vector<std::string> found = tree::run_signatures(signatures.tree(), run);

  ASSERT_EQ(found.size(), run.nodes.size());
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    const bool is_operator = run.nodes[i].level == NodeLevel::Operator;
    EXPECT_EQ(is_operator, !found[i].empty()) << run.nodes[i].scope;
    if (is_operator) {
      EXPECT_TRUE(found[i].starts_with(run.nodes[i].type + " ")) << found[i];
    }
  }
}

}  // namespace
}  // namespace jouletree::test
