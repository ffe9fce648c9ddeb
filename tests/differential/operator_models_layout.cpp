#include "operator_models.hpp"

namespace jouletree::test {
namespace {

using enum DataType;

/// The optional region of interest and the scales are left out.
OperatorModel& resized(OperatorModels& models, int opset, std::string_view variant) {
  return models.standard("Resize", opset, variant)
      .input({1, 3, 9, 12})
      .absent_input()
      .absent_input();
}

void add_resizing(OperatorModels& models) {
  resized(models, 18, "sizes of axes").list({5, 7}).output().node().ints("axes", {2, 3});
  resized(models, 18, "sizes of axes in another order")
      .list({5, 7})
      .output()
      .node()
      .ints("axes", {-1, -2});
  for (const std::string_view policy : {"not_larger", "not_smaller"}) {
    resized(models, 19, policy)
        .list({5, 11})
        .output()
        .node()
        .ints("axes", {2, 3})
        .text("keep_aspect_ratio_policy", policy);
    resized(models, 19, std::string(policy) + ", all axes")
        .list({1, 3, 20, 30})
        .output()
        .node()
        .text("keep_aspect_ratio_policy", policy);
  }
  models.standard("Resize", 19, "scales of axes")
      .input({1, 3, 9, 12})
      .absent_input()
      .input({2}, Float32, {0.6, 1.7})
      .output()
      .node()
      .ints("axes", {2, 3})
      .text("mode", "linear")
      .integer("antialias", 1);
  models.standard("Resize", 18, "region")
      .input({1, 3, 9, 12})
      .input({4}, Float32, {0.1, 0.2, 0.7, 0.9})
      .absent_input()
      .list({4, 5})
      .output()
      .node()
      .ints("axes", {2, 3})
      .text("mode", "linear")
      .text("coordinate_transformation_mode", "tf_crop_and_resize");
}

void add_borders(OperatorModels& models) {
  models.standard("Pad", 18, "axes")
      .input({2, 3, 4})
      .list({1, 2, 3, 4})
      .absent_input()
      .list({-1, 0})
      .output()
      .node();
  models.standard("Pad", 19, "wrap")
      .input({2, 3, 4})
      .list({1, 2, 1, 0})
      .absent_input()
      .list({1, 2})
      .output()
      .node()
      .text("mode", "wrap");
  models.standard("Pad", 21, "cut").input({2, 3, 4}).list({0, -1, 1, 0, 0, -1}).output().node();
  models.microsoft("Pad")
      .input({2, 3})
      .list({1, 0, 0, 2})
      .input({1})
      .output()
      .node()
      .text("mode", "constant");
}

void add_splits(OperatorModels& models) {
  models.standard("Split", 18, "equal parts")
      .input({2, 9})
      .output()
      .output()
      .output()
      .node()
      .integer("axis", 1)
      .integer("num_outputs", 3);
  models.standard("Split", 18, "smaller last part")
      .input({2, 10})
      .output()
      .output()
      .output()
      .output()
      .node()
      .integer("axis", -1)
      .integer("num_outputs", 4);
  models.standard("TopK", 11, "axis")
      .input({3, 8, 2})
      .list({5})
      .output()
      .output(Int64)
      .node()
      .integer("axis", 1)
      .integer("largest", 0);
  models.standard("TopK", 24, "unsorted")
      .input({3, 8})
      .list({5})
      .output()
      .output(Int64)
      .node()
      .integer("sorted", 0);
}

void add_reductions(OperatorModels& models) {
  for (const std::string_view op :
       {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean",
        "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"}) {
    models.standard(op, 18, "axes as input").input({2, 3, 4, 5}).list({1, -1}).output().node();
    models.standard(op, 18, "axes removed")
        .input({2, 3, 4, 5})
        .list({-2, 0})
        .output()
        .node()
        .integer("keepdims", 0);
    models.standard(op, 18, "no axes, nothing to do")
        .input({2, 3, 4})
        .list({})
        .output()
        .node()
        .integer("noop_with_empty_axes", 1);
    models.standard(op, 18, "all axes").input({2, 3, 4}).output().node().integer("keepdims", 0);
  }
  models.standard("ReduceMax", 20, "bool").input({2, 3}, Bool).list({1}).output(Bool).node();
}

void add_scatters(OperatorModels& models) {
  for (const std::string_view reduction : {"none", "add", "mul", "min", "max"}) {
    models.standard("ScatterND", 18, reduction)
        .input({4, 5, 6})
        .input({3, 1}, Int64, {0, 2, 1})
        .input({3, 5, 6})
        .output()
        .node()
        .text("reduction", reduction);
    models.standard("ScatterElements", 18, reduction)
        .input({4, 5})
        .input({2, 5}, Int64, {1})
        .input({2, 5})
        .output()
        .node()
        .text("reduction", reduction);
  }
  models.microsoft("GatherND").input({4, 5, 6}).input({3, 2}, Int64, {1}).output().node();
  for (const std::string_view op : {"BitwiseAnd", "BitwiseOr", "BitwiseXor"})
    models.standard(op, 18).input({2, 3, 4}, Int32).input({3, 1}, Int32).output(Int32).node();
  models.standard("BitwiseNot", 18).input({2, 3}, UInt8).output(UInt8).node();
}

void add_views(OperatorModels& models) {
  models.microsoft("ExpandDims").input({2, 3}).input({}, Int32, {-1}).output().node();
  models.microsoft("Trilu").input({2, 4, 5}).input({}, Int64, {1}).output().node();
  models.microsoft("UnfoldTensor")
      .input({2, 9})
      .output()
      .node()
      .integer("dim", -1)
      .integer("size", 3)
      .integer("step", 2);
  models.microsoft("Range")
      .input({}, Float32, {1})
      .input({}, Float32, {9})
      .input({}, Float32, {2.5})
      .output()
      .node();
  models.standard("Reshape", 21, "zero and rest").input({2, 3, 4}).list({0, -1}).output().node();
  models.standard("Reshape", 21, "allowed zero")
      .input({0, 3, 4})
      .list({3, 4, 0})
      .output()
      .node()
      .integer("allowzero", 1);
  models.standard("Squeeze", 21, "all").input({1, 3, 1, 4}).output().node();
  models.standard("Shape", 21, "part")
      .input({2, 3, 4, 5})
      .output(Int64)
      .node()
      .integer("start", -3)
      .integer("end", -1);
  models.standard("Flatten", 21).input({2, 3, 4}).output().node().integer("axis", -1);
}

void add_tokens(OperatorModels& models) {
  models.microsoft("Unique")
      .input({6}, Float32, {1, 2, 1, 3, 2, 1})
      .output()
      .output(Int64)
      .output(Int64)
      .node();
  models.microsoft("MurmurHash3").input({2, 3}, Int32).output(UInt32).node();
  models.microsoft("MurmurHash3", "signed")
      .input({2, 3}, Int32)
      .output(Int32)
      .node()
      .integer("positive", 0);
  models.microsoft("NGramRepeatBlock")
      .input({2, 5}, Int64)
      .input({2, 12})
      .output()
      .node()
      .integer("ngram_size", 2);
  models.microsoft("WordConvEmbedding")
      .input({5, 7}, Int32)
      .input({6, 1, 3, 4})
      .input({6})
      .input({12, 4})
      .output()
      .node()
      .integer("embedding_size", 6)
      .integer("conv_window_size", 3)
      .integer("char_embedding_size", 4);
}

}  // namespace

void add_layout_models(OperatorModels& models) {
  add_resizing(models);
  add_borders(models);
  add_splits(models);
  add_reductions(models);
  add_scatters(models);
  add_views(models);
  add_tokens(models);
}

}  // namespace jouletree::test
