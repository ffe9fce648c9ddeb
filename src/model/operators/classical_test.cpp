#include <gtest/gtest.h>

#include "model/operators/attribute_size.hpp"
#include "support/onnx_builder.hpp"

namespace jouletree::model {
namespace {

using test::error_of;
using test::inspect;
using test::Inspected;

OnnxBuilder ml_model(const Dims& samples, int version = 3) {
  OnnxBuilder model;
  model.import_domain("ai.onnx.ml", version);
  model.input("x", DataType::Float32, samples);
  return model;
}

OnnxNode& ml_node(OnnxBuilder& model, std::string_view op,
                  const std::vector<std::string>& outputs) {
  return model.node(op, {"x"}, outputs).domain("ai.onnx.ml");
}

TEST(Classical, CountsTheProductsOfALinearClassifier) {
  OnnxBuilder model = ml_model({10, 4});
  ml_node(model, "LinearClassifier", {"label", "scores"})
      .reals("coefficients", std::vector<float>(12))
      .reals("intercepts", {0, 0, 0})
      .ints("classlabels_ints", {0, 1, 2})
      .text("post_transform", "SOFTMAX");

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("label"), (Dims{10}));
  EXPECT_EQ(got.type("label"), DataType::Int64);
  EXPECT_EQ(got.dims("scores"), (Dims{10, 3}));
  EXPECT_EQ(got.work("LinearClassifier").macs, Count(10 * 4 * 3));
  // Per score: intercept, comparison, softmax.
  EXPECT_EQ(got.work("LinearClassifier").flops, Count(2 * 120 + 30 * (1 + 1 + 5)));
}

TEST(Classical, GivesBothScoresOfTwoClasses) {
  OnnxBuilder model = ml_model({10, 4});
  ml_node(model, "LinearClassifier", {"label", "scores"})
      .reals("coefficients", std::vector<float>(4))
      .reals("intercepts", {0})
      .texts("classlabels_strings", {"no", "yes"});

  const Inspected got = inspect(model);

  EXPECT_EQ(got.type("label"), DataType::String);
  EXPECT_EQ(got.dims("scores"), (Dims{10, 2}));
}

/// Two trees: one of depth 2 whose deeper leaf has two weights, one of depth 1.
OnnxNode& add_trees(OnnxNode& node) {
  return node.ints("nodes_treeids", {0, 0, 0, 0, 0, 1, 1, 1})
      .ints("nodes_nodeids", {0, 1, 2, 3, 4, 0, 1, 2})
      .ints("nodes_featureids", {0, 1, 0, 0, 0, 2, 0, 0})
      .reals("nodes_values", std::vector<float>(8))
      .texts("nodes_modes",
             {"BRANCH_LEQ", "BRANCH_LEQ", "LEAF", "LEAF", "LEAF", "BRANCH_LEQ", "LEAF", "LEAF"})
      .ints("nodes_truenodeids", {1, 3, 0, 0, 0, 1, 0, 0})
      .ints("nodes_falsenodeids", {2, 4, 0, 0, 0, 2, 0, 0})
      .ints("target_treeids", {0, 0, 0, 0, 1, 1})
      .ints("target_nodeids", {2, 3, 4, 4, 1, 2})
      .ints("target_ids", {0, 0, 0, 1, 0, 1})
      .reals("target_weights", std::vector<float>(6));
}

TEST(Classical, BoundsTheComparisonsOfTreesByTheirDepth) {
  OnnxBuilder model = ml_model({100, 3});
  add_trees(ml_node(model, "TreeEnsembleRegressor", {"y"})).integer("n_targets", 2);

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("y"), (Dims{100, 2}));
  EXPECT_EQ(got.work("TreeEnsembleRegressor").macs, Count(0));
  // Comparisons 2 + 1, weights 2 + 1.
  EXPECT_EQ(got.work("TreeEnsembleRegressor").flops, Count(100 * (3 + 3)));
  // Thresholds of the three branches and all weights.
  EXPECT_EQ(attribute_parameters(got.graph().main.nodes.front()), Count(3 + 6));
}

TEST(Classical, ReadsTheNewerTablesOfBranches) {
  OnnxBuilder model = ml_model({4, 3}, 5);
  ml_node(model, "TreeEnsemble", {"y"})
      .integer("n_targets", 1)
      .ints("tree_roots", {0, 2})
      .ints("nodes_truenodeids", {1, 0, 3})
      .ints("nodes_falsenodeids", {0, 1, 4})
      .ints("nodes_trueleafs", {0, 1, 1})
      .ints("nodes_falseleafs", {1, 1, 1});

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("y"), (Dims{4, 1}));
  EXPECT_EQ(got.work("TreeEnsemble").flops, Count(4 * (2 + 1 + 2)));
}

TEST(Classical, RefusesATreeThatIsACircle) {
  OnnxBuilder model = ml_model({4, 3}, 5);
  ml_node(model, "TreeEnsemble", {"y"})
      .integer("n_targets", 1)
      .ints("tree_roots", {0})
      .ints("nodes_truenodeids", {0})
      .ints("nodes_falsenodeids", {0})
      .ints("nodes_trueleafs", {0})
      .ints("nodes_falseleafs", {1});

  EXPECT_NE(error_of(model).find("a tree leads back to one of its own branches"),
            std::string::npos);
}

TEST(Classical, CountsTheKernelsOfASupportVectorClassifier) {
  OnnxBuilder model = ml_model({2, 4});
  ml_node(model, "SVMClassifier", {"label", "scores"})
      .text("kernel_type", "RBF")
      .ints("vectors_per_class", {2, 3, 1})
      .reals("support_vectors", std::vector<float>(24))
      .reals("coefficients", std::vector<float>(12))
      .reals("rho", std::vector<float>(3))
      .ints("classlabels_ints", {0, 1, 2});

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("scores"), (Dims{2, 3}));
  // Two rows of six kernels, each used by two of the three pairs of classes.
  EXPECT_EQ(got.work("SVMClassifier").macs, Count(2 * 6 * 2));
  EXPECT_EQ(got.work("SVMClassifier").flops, Count(2 * 24 + 12 * (3 * 4 + 2) + 2 * 3));
}

TEST(Classical, MapsEverySampleToItsLabels) {
  OnnxBuilder model = ml_model({5, 3});
  ml_node(model, "ZipMap", {"z"}).ints("classlabels_int64s", {7, 8, 9});

  const Inspected got = inspect(model);

  EXPECT_EQ(got.value_type("z").kind, ValueKind::Sequence);
  ASSERT_TRUE(got.value_type("z").items);
  EXPECT_EQ(got.value_type("z").items->size(), 5U);
  EXPECT_EQ(got.work("ZipMap").written_bytes, Count(5 * 3 * (4 + 8)));
}

TEST(Classical, TakesTheTypeOfLabelsFromTheValues) {
  OnnxBuilder model = ml_model({5});
  ml_node(model, "LabelEncoder", {"y"})
      .reals("keys_floats", {1, 2})
      .texts("values_strings", {"a", "b"});

  EXPECT_EQ(inspect(model).type("y"), DataType::String);
  EXPECT_EQ(inspect(model).dims("y"), (Dims{5}));
}

}  // namespace
}  // namespace jouletree::model
