#include "measure/unique_modules.hpp"

#include <gmock/gmock.h>

#include "support/onnx_builder.hpp"

namespace jouletree::measure {
namespace {

using testing::ElementsAre;

/// Modules `a` and `b` of two equal operators each, and `c` of one.
class Model {
 public:
  Model() : bytes_(bytes()) {
    tree_ = build_tree(std::make_shared<Graph>(read_onnx(bytes_, "model.onnx")), {});
  }

  [[nodiscard]] std::vector<UniqueModule> modules() const {
    return unique_modules(
        tree_.root, [](const Node& node) { return std::optional<std::size_t>(node.id); }, key_of);
  }

  static std::string key_of(std::size_t part) {
    return std::vector<std::string>{"Relu", "Tanh", "Relu", "Tanh", "Exp"}.at(part);
  }

 private:
  static std::string bytes() {
    model::OnnxBuilder model(17);
    model.input("x", DataType::Float32, {4});
    model.node("Relu", {"x"}, {"r0"}).name("/a/Relu");
    model.node("Tanh", {"r0"}, {"t0"}).name("/a/Tanh");
    model.node("Relu", {"t0"}, {"r1"}).name("/b/Relu");
    model.node("Tanh", {"r1"}, {"t1"}).name("/b/Tanh");
    model.node("Exp", {"t1"}, {"y"}).name("/c/Exp");
    model.output("y");
    return model.model_bytes();
  }

  std::string bytes_;
  ModelTree tree_;
};

TEST(UniqueModules, EqualOnesAreOneWithAllTheirPlaces) {
  const Model model;
  const std::vector<UniqueModule> modules = model.modules();
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_THAT(modules[0].places, ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  EXPECT_FALSE(modules[0].is_one_operator());
  EXPECT_TRUE(modules[1].is_one_operator());
}

TEST(UniqueModules, AModuleOfOneOperatorTakesItsMeasurement) {
  const Model model;
  std::vector<UniqueModule> modules = model.modules();
  UniqueOperator exp;
  exp.key = "Exp";
  UniqueOperator relu;
  relu.key = "Relu";
  take_single_operators({relu, exp}, Model::key_of, modules);
  EXPECT_FALSE(modules[1].measured) << "nobody measured the operator";
  exp.measured.emplace().copies = 7;
  relu.measured.emplace();
  take_single_operators({relu, exp}, Model::key_of, modules);
  ASSERT_TRUE(modules[1].measured);
  EXPECT_EQ(modules[1].measured->copies, 7);
  EXPECT_EQ(modules[1].measured->same_as, "Exp");
  EXPECT_FALSE(modules[0].measured);
}

}  // namespace
}  // namespace jouletree::measure
