#include "operator_models.hpp"

namespace jouletree::test {
namespace {

using enum DataType;

void add_features(OperatorModels& models) {
  models.classical("ArrayFeatureExtractor")
      .input({4, 6})
      .input({1, 2}, Int64, {0, 5})
      .output()
      .node();
  models.classical("ArrayFeatureExtractor", "1-D").input({6}).list({0, 5, 1}).output().node();
  models.classical("Binarizer").input({4, 6}).output().node().real("threshold", 0.5F);
  models.classical("FeatureVectorizer")
      .input({4, 2})
      .input({4, 3})
      .output()
      .node()
      .ints("inputdimensions", {2, 3});
  models.classical("FeatureVectorizer", "vectors")
      .input({2})
      .input({3})
      .output()
      .node()
      .ints("inputdimensions", {2, 3});
  models.classical("Imputer").input({4, 6}).output().node().reals("imputed_value_floats", {1});
  models.classical("LabelEncoder")
      .input({4, 2}, Int64)
      .output()
      .node()
      .ints("keys_int64s", {1, 2})
      .reals("values_floats", {0.5F, 1.5F});
  models.classical("Normalizer").input({4, 6}).output().node().text("norm", "L2");
  models.classical("OneHotEncoder")
      .input({4, 2}, Int64)
      .output()
      .node()
      .ints("cats_int64s", {0, 1, 2, 3})
      .integer("zeros", 1);
  models.classical("Scaler")
      .input({4, 6}, Int64)
      .output()
      .node()
      .reals("offset", {1})
      .reals("scale", {2});
}

void add_linear_models(OperatorModels& models) {
  models.classical("LinearRegressor")
      .input({4, 3})
      .output()
      .node()
      .reals("coefficients", {1, 2, 3, 4, 5, 6})
      .reals("intercepts", {0, 1})
      .integer("targets", 2);
  models.classical("LinearClassifier")
      .input({4, 3})
      .output(Int64)
      .output()
      .node()
      .reals("coefficients", {1, 2, 3, 4, 5, 6, 7, 8, 9})
      .reals("intercepts", {0, 1, 2})
      .ints("classlabels_ints", {0, 1, 2})
      .text("post_transform", "SOFTMAX");
  models.classical("LinearClassifier", "two classes of one score")
      .input({4, 3})
      .output(Int64)
      .output()
      .node()
      .reals("coefficients", {1, 2, 3})
      .reals("intercepts", {0})
      .ints("classlabels_ints", {0, 1});
  models.classical("SVMRegressor")
      .input({4, 2})
      .output()
      .node()
      .reals("coefficients", {1, -1})
      .reals("support_vectors", {1, 2, 3, 4})
      .reals("rho", {0.5F})
      .reals("kernel_params", {0.5F, 0, 3})
      .integer("n_supports", 2)
      .text("kernel_type", "RBF");
  models.classical("SVMClassifier")
      .input({4, 2})
      .output(Int64)
      .output()
      .node()
      .reals("coefficients", {1, -1})
      .reals("support_vectors", {1, 2, 3, 4})
      .reals("rho", {0.5F})
      .reals("kernel_params", {0.5F, 0, 3})
      .ints("vectors_per_class", {1, 1})
      .ints("classlabels_ints", {0, 1})
      .text("kernel_type", "RBF");
}

model::OnnxNode& with_tree(model::OnnxNode& node) {
  return node.ints("nodes_treeids", {0, 0, 0})
      .ints("nodes_nodeids", {0, 1, 2})
      .ints("nodes_featureids", {0, 0, 0})
      .ints("nodes_truenodeids", {1, 0, 0})
      .ints("nodes_falsenodeids", {2, 0, 0})
      .reals("nodes_values", {0.5F, 0, 0})
      .texts("nodes_modes", {"BRANCH_LEQ", "LEAF", "LEAF"});
}

void add_trees(OperatorModels& models) {
  with_tree(models.classical("TreeEnsembleRegressor").input({4, 2}).output().node())
      .ints("target_treeids", {0, 0})
      .ints("target_nodeids", {1, 2})
      .ints("target_ids", {0, 1})
      .reals("target_weights", {1, 2})
      .integer("n_targets", 2);
  with_tree(models.classical("TreeEnsembleClassifier").input({4, 2}).output(Int64).output().node())
      .ints("class_treeids", {0, 0})
      .ints("class_nodeids", {1, 2})
      .ints("class_ids", {0, 1})
      .reals("class_weights", {1, 2})
      .ints("classlabels_int64s", {0, 1});
}

}  // namespace

void add_classical_models(OperatorModels& models) {
  add_features(models);
  add_linear_models(models);
  add_trees(models);
}

}  // namespace jouletree::test
