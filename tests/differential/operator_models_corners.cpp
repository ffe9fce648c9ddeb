// Empty tensors, broadcasting, rounding and old forms, where definitions leave room.
#include "operator_models.hpp"

namespace jouletree::test {
namespace {

using enum DataType;

void add_empty_tensors(OperatorModels& models) {
  models.standard("Concat", 21, "empty part")
      .input({0, 3})
      .input({2, 3})
      .output()
      .node()
      .integer("axis", 0);
  models.standard("ReduceSum", 18, "empty input").input({2, 0, 3}).list({1}).output().node();
  models.standard("Slice", 21, "nothing left").input({4, 5}).list({3}).list({1}).output().node();
  models.standard("MatMul", 21, "empty inner").input({3, 0}).input({0, 4}).output().node();
  models.standard("Gather", 21, "no indices").input({4, 5}).input({0}, Int64).output().node();
  models.standard("Expand", 21, "to nothing").input({1, 3}).list({0, 1}).output().node();
  models.standard("NonZero", 21, "bools").input({2, 3}, Bool).output(Int64).node();
  models.standard("Tile", 21, "zero times").input({2, 3}).list({0, 2}).output().node();
  models.standard("TopK", 24, "none").input({2, 3}).list({0}).output().output(Int64).node();
  models.standard("ConstantOfShape", 21, "scalar").list({}).output().node();
  models.standard("Transpose", 21, "empty").input({0, 3}).output().node();
  models.standard("Where", 21, "empty")
      .input({2, 0}, Bool)
      .input({1})
      .input({2, 1})
      .output()
      .node();
}

void add_broadcasts(OperatorModels& models) {
  models.standard("Max", 13, "three operands")
      .input({2, 1, 4})
      .input({3, 1})
      .input({})
      .output()
      .node();
  models.standard("Where", 16, "three shapes")
      .input({3, 1}, Bool)
      .input({4})
      .input({2, 1, 1})
      .output()
      .node();
  models.standard("MatMul", 13, "vectors").input({5}).input({5}).output().node();
  models.standard("MatMul", 13, "matrix and vector").input({2, 3, 5}).input({5}).output().node();
  models.standard("MatMul", 13, "batches").input({2, 1, 3, 5}).input({4, 5, 6}).output().node();
  models.standard("Expand", 13, "shorter shape").input({2, 3, 1}).list({4}).output().node();
  models.standard("Mod", 13, "broadcast")
      .input({2, 3}, Int64)
      .input({}, Int64, {3})
      .output(Int64)
      .node();
  models.standard("PRelu", 16, "slope per channel").input({2, 3, 4}).input({3, 1}).output().node();
  models.standard("Pow", 15, "types differ").input({2, 3}).input({3}, Int64).output().node();
}

void add_selections(OperatorModels& models) {
  models.standard("Slice", 13, "backwards from beyond the end")
      .input({4, 9})
      .list({100, -1})
      .list({-100, 2})
      .list({1, 0})
      .list({-3, -1})
      .output()
      .node();
  models.standard("Slice", 1, "attributes")
      .input({4, 9})
      .output()
      .node()
      .ints("starts", {1, -4})
      .ints("ends", {1000, -1});
  models.standard("Gather", 13, "scalar index")
      .input({4, 5, 6})
      .input({}, Int64, {-1})
      .output()
      .node()
      .integer("axis", 1);
  models.standard("GatherND", 13, "batch")
      .input({2, 3, 4, 5})
      .input({2, 3, 2}, Int64, {1})
      .output()
      .node()
      .integer("batch_dims", 1);
  models.standard("OneHot", 11, "axis")
      .input({2, 3}, Int64)
      .input({}, Int64, {7})
      .input({2})
      .output()
      .node()
      .integer("axis", 1);
}

void add_sizes_by_content(OperatorModels& models) {
  models.standard("Compress", 11, "flattened, short condition")
      .input({3, 4})
      .input({5}, Bool, {1, 0, 1, 1, 0})
      .output()
      .node();
  models.standard("Unique", 11, "counts along an axis")
      .input({3, 2}, Float32, {1, 2, 1, 2, 3, 4})
      .output()
      .output(Int64)
      .output(Int64)
      .output(Int64)
      .node()
      .integer("axis", 0);
  models.standard("Range", 11, "down")
      .input({}, Int64, {10})
      .input({}, Int64, {-1})
      .input({}, Int64, {-4})
      .output(Int64)
      .node();
  models.standard("Range", 11, "fractions")
      .input({}, Float32, {0})
      .input({}, Float32, {1})
      .input({}, Float32, {0.1})
      .output()
      .node();
  models.standard("EyeLike", 22, "type")
      .input({3, 5})
      .output(Int64)
      .node()
      .integer("dtype", 7)
      .integer("k", -1);
}

void add_resize_roundings(OperatorModels& models) {
  for (const std::string_view mode : {"nearest", "linear", "cubic"}) {
    models.standard("Resize", 13, std::string(mode) + ", scales that round down")
        .input({1, 1, 7, 11})
        .absent_input()
        .input({4}, Float32, {1, 1, 0.6, 1.34})
        .output()
        .node()
        .text("mode", mode);
  }
  models.standard("Resize", 10)
      .input({1, 2, 7, 5})
      .input({4}, Float32, {1, 1, 1.5, 0.7})
      .output()
      .node();
  models.standard("Upsample", 9)
      .input({1, 2, 3, 5})
      .input({4}, Float32, {1, 1, 1.5, 2.5})
      .output()
      .node();
  for (const std::string_view policy : {"not_larger", "not_smaller"}) {
    models.standard("Resize", 19, std::string(policy) + ", halves")
        .input({1, 1, 4, 6})
        .absent_input()
        .absent_input()
        .list({2, 9})
        .output()
        .node()
        .ints("axes", {2, 3})
        .text("keep_aspect_ratio_policy", policy);
    models.standard("Resize", 19, std::string(policy) + ", odd sizes")
        .input({1, 1, 3, 5})
        .absent_input()
        .absent_input()
        .list({7, 8})
        .output()
        .node()
        .ints("axes", {2, 3})
        .text("keep_aspect_ratio_policy", policy);
  }
}

void add_window_roundings(OperatorModels& models) {
  models.standard("ConvTranspose", 11, "output_shape, same upper")
      .input({1, 1, 3, 3})
      .input({1, 2, 3, 3})
      .output()
      .node()
      .ints("strides", {3, 2})
      .ints("output_shape", {10, 8})
      .text("auto_pad", "SAME_UPPER");
  models.standard("ConvTranspose", 11, "1-D, output_padding")
      .input({1, 2, 5})
      .input({2, 3, 4})
      .output()
      .node()
      .ints("strides", {3})
      .ints("output_padding", {2});
  models.standard("AveragePool", 7, "asymmetric padding")
      .input({1, 2, 8, 7})
      .output()
      .node()
      .ints("kernel_shape", {3, 3})
      .ints("strides", {2, 2})
      .ints("pads", {1, 0, 0, 1});
  models.standard("MaxPool", 8, "same upper")
      .input({1, 2, 8, 7})
      .output()
      .node()
      .ints("kernel_shape", {3, 3})
      .ints("strides", {3, 2})
      .text("auto_pad", "SAME_UPPER");
  models.standard("Col2Im", 18, "padding and dilations")
      .input({1, 12, 20})
      .list({6, 7})
      .list({2, 3})
      .output()
      .node()
      .ints("dilations", {1, 2})
      .ints("pads", {0, 0, 0, 1});
}

void add_pools(OperatorModels& models) {
  models.standard("MaxPool", 12, "indices")
      .input({1, 2, 7, 7})
      .output()
      .output(Int64)
      .node()
      .ints("kernel_shape", {2, 2})
      .ints("strides", {2, 2});
  models.standard("MaxUnpool", 11)
      .input({1, 1, 2, 2})
      .input({1, 1, 2, 2}, Int64, {0, 2, 8, 10})
      .output()
      .node()
      .ints("kernel_shape", {2, 2})
      .ints("strides", {2, 2});
  models.standard("MaxRoiPool", 1)
      .input({1, 2, 8, 8})
      .input({3, 5}, Float32, {0, 1, 1, 5, 5, 0, 0, 0, 7, 7, 0, 2, 2, 3, 4})
      .output()
      .node()
      .ints("pooled_shape", {2, 3});
}

void add_old_operators(OperatorModels& models) {
  models.standard("Affine", 1).input({2, 3}).output().node().real("alpha", 2).real("beta", 1);
  models.standard("ImageScaler", 1)
      .input({1, 3, 4, 4})
      .output()
      .node()
      .reals("bias", {1, 2, 3})
      .real("scale", 2);
  models.standard("Crop", 1).input({1, 3, 8, 9}).output().node().ints("border", {1, 2, 3, 1});
  models.standard("Crop", 1, "scale")
      .input({1, 3, 8, 9})
      .output()
      .node()
      .ints("border", {1, 2, 0, 0})
      .ints("scale", {4, 5});
  models.standard("ParametricSoftplus", 1)
      .input({2, 3})
      .output()
      .node()
      .real("alpha", 2)
      .real("beta", 1);
  models.standard("ScaledTanh", 1).input({2, 3}).output().node().real("alpha", 2).real("beta", 1);
  models.standard("ReduceMean", 13, "axes as attribute")
      .input({2, 3, 4})
      .output()
      .node()
      .ints("axes", {-1, 0})
      .integer("keepdims", 0);
  models.standard("Squeeze", 11, "axes as attribute")
      .input({1, 3, 1})
      .output()
      .node()
      .ints("axes", {-1});
  models.standard("Unsqueeze", 11, "axes as attribute")
      .input({3, 4})
      .output()
      .node()
      .ints("axes", {0, -1});
  models.standard("Split", 2, "attribute")
      .input({2, 9})
      .output()
      .output()
      .node()
      .integer("axis", 1)
      .ints("split", {2, 7});
  models.standard("TopK", 1, "attribute")
      .input({3, 8})
      .output()
      .output(Int64)
      .node()
      .integer("k", 3);
  models.standard("Pad", 2, "attribute").input({2, 3}).output().node().ints("pads", {1, 0, 2, 1});
  models.standard("Softmax", 11, "flattened").input({2, 3, 4}).output().node().integer("axis", 1);
  models.standard("Dropout", 12, "mask").input({2, 3}).output().output(Bool).node();
}

void add_generators(OperatorModels& models) {
  models.standard("RandomNormal", 21).output().node().ints("shape", {2, 3});
  models.standard("RandomUniformLike", 21)
      .input({2, 3})
      .output(Float64)
      .node()
      .integer("dtype", 11);
  models.standard("Multinomial", 21)
      .input({2, 3})
      .output(Int64)
      .node()
      .integer("sample_size", 5)
      .integer("dtype", 7);
  models.standard("STFT", 17, "both sides")
      .input({2, 32, 1})
      .input({}, Int64, {5})
      .input({8})
      .output()
      .node()
      .integer("onesided", 0);
  models.standard("MelWeightMatrix", 17)
      .input({}, Int64, {6})
      .input({}, Int64, {16})
      .input({}, Int64, {8000})
      .input({}, Float32, {0})
      .input({}, Float32, {4000})
      .output()
      .node();
  models.standard("HannWindow", 17, "type")
      .input({}, Int64, {9})
      .output(Float64)
      .node()
      .integer("output_datatype", 11);
  models.standard("CumProd", 26).input({2, 3}).input({}, Int64, {1}).output().node();
  models.standard("BitCast", 26).input({2, 3}).output(Int32).node().integer("to", 6);
}

}  // namespace

void add_corner_models(OperatorModels& models) {
  add_empty_tensors(models);
  add_broadcasts(models);
  add_selections(models);
  add_sizes_by_content(models);
  add_resize_roundings(models);
  add_window_roundings(models);
  add_pools(models);
  add_old_operators(models);
  add_generators(models);
}

}  // namespace jouletree::test
