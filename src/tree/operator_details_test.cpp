#include "tree/operator_details.hpp"

#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::tree {
namespace {

/// Of the one node of a model.
LayerSettings settings_of(const model::OnnxBuilder& model) {
  const std::string bytes = model.model_bytes();
  const ModelTree tree = build_tree(std::make_shared<Graph>(read_onnx(bytes, "model.onnx")), {});
  return layer_settings(tree, tree.graph->main.nodes.at(0));
}

TEST(LayerSettings, AKernelThatTheFileDoesNotStateIsThatOfTheWeights) {
  model::OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 3, 16, 16});
  model.initializer("w", DataType::Float32, {4, 3, 5, 7});
  model.node("Conv", {"x", "w"}, {"y"}).ints("strides", {2, 2}).ints("pads", {1, 1, 2, 2});
  model.output("y");
  const LayerSettings settings = settings_of(model);
  EXPECT_EQ(settings.kernel_size, "5x7");
  EXPECT_EQ(settings.stride, "2x2");
  EXPECT_EQ(settings.padding, "1x1:2x2");
  EXPECT_EQ(settings.input_size, "1x3x16x16");
}

TEST(LayerSettings, TheWeightsStandWhereTheTableSays) {
  model::OnnxBuilder model(17);
  model.input("x", DataType::UInt8, {1, 3, 16, 16});
  for (const char* scale : {"xs", "ws", "ys"}) model.initializer(scale, DataType::Float32, {});
  for (const char* zero : {"xz", "wz", "yz"}) model.initializer(zero, DataType::UInt8, {});
  model.initializer("w", DataType::UInt8, {4, 3, 5, 7});
  model.node("QLinearConv", {"x", "xs", "xz", "w", "ws", "wz", "ys", "yz"}, {"y"});
  model.output("y");
  EXPECT_EQ(settings_of(model).kernel_size, "5x7");
}

TEST(LayerSettings, PoolingIsUndoneWithTheWindowsThatMadeIt) {
  model::OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 3, 8, 8}).input("at", DataType::Int64, {1, 3, 8, 8});
  model.node("MaxUnpool", {"x", "at"}, {"y"}).ints("kernel_shape", {2, 2}).ints("strides", {2, 2});
  model.output("y");
  EXPECT_EQ(settings_of(model).kernel_size, "2x2");
  EXPECT_EQ(settings_of(model).stride, "2x2");
}

TEST(LayerSettings, WhatHasNoWindowHasNoKernel) {
  model::OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 8});
  model.initializer("w", DataType::Float32, {8, 8});
  model.node("MatMul", {"x", "w"}, {"y"});
  model.output("y");
  EXPECT_EQ(settings_of(model).kernel_size, "");
}

}  // namespace
}  // namespace jouletree::tree
