#include "tree/shared_tensors.hpp"

#include <gmock/gmock.h>

#include "model/named_constants.hpp"
#include "support/onnx_builder.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> notes_of(const std::string& bytes,
                                  const std::filesystem::path& path = "m.onnx",
                                  bool lacks_others = false) {
  Graph graph = read_onnx(bytes, path);
  model::fold_named_constants(graph);
  return tree::shared_tensor_notes(tree::shared_tensors(graph, classify_constants(graph)), 1000,
                                   lacks_others);
}

/// Two layers that read `first` and `second` as biases.
model::OnnxBuilder layers(const std::string& first, const std::string& second,
                          const std::string& second_module) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 4});
  model.initializer("w1", DataType::Float32, {4, 4}).initializer("w2", DataType::Float32, {4, 4});
  model.node("Gemm", {"x", "w1", first}, {"h"}).name("/a/Gemm");
  model.node("Gemm", {"h", "w2", second}, {"y"}).name(second_module + "/Gemm_1");
  model.output("y");
  return model;
}

TEST(SharedTensors, EqualBiasesWereMergedByTheExporter) {
  OnnxBuilder model = layers("a.bias", "b.bias", "/b");
  model.reals("a.bias", {0, 0, 0, 0});
  model.node("Identity", {"a.bias"}, {"b.bias"});
  EXPECT_THAT(notes_of(model.model_bytes()),
              testing::ElementsAre(
                  "the exporter stored equal tensors only once, so one of the model's tensors is "
                  "missing from the file; with it, the model has 1,004 parameters"));
}

TEST(SharedTensors, EqualTrainedTensorsAreTied) {
  OnnxBuilder model = layers("a.bias", "b.bias", "/b");
  model.reals("a.bias", {0, 1, 2, 3});
  model.node("Identity", {"a.bias"}, {"b.bias"});
  EXPECT_THAT(notes_of(model.model_bytes()),
              testing::ElementsAre(
                  "one tensor is stored once under several names, as tied weights are, and counted "
                  "once; counted under every name, the model has 1,004 parameters"));
}

TEST(SharedTensors, WhatElseWasLostMakesTheNumberALowerBound) {
  OnnxBuilder model = layers("a.bias", "b.bias", "/b");
  model.reals("a.bias", {0, 0, 0, 0});
  model.node("Identity", {"a.bias"}, {"b.bias"});
  EXPECT_THAT(notes_of(model.model_bytes(), "m.onnx", true),
              Contains(HasSubstr("the model has at least 1,004 parameters")));
}

/// Newer exporters let all layers read the one tensor.
TEST(SharedTensors, MergingNeedsNoNames) {
  OnnxBuilder model = layers("zero", "zero", "/b");
  model.reals("zero", {0, 0, 0, 0});
  EXPECT_THAT(notes_of(model.model_bytes()), Contains(HasSubstr("at least 1,004")));
}

TEST(SharedTensors, AModuleThatIsCalledTwiceHasItsTensorsOnce) {
  OnnxBuilder model = layers("zero", "zero", "/a");
  model.reals("zero", {0, 0, 0, 0});
  EXPECT_THAT(notes_of(model.model_bytes()), IsEmpty());
}

TEST(SharedTensors, OneTrainedTensorInTwoModulesIsNotMerged) {
  OnnxBuilder model = layers("bias", "bias", "/b");
  model.reals("bias", {0, 1, 2, 3});
  EXPECT_THAT(notes_of(model.model_bytes()), IsEmpty());
}

TEST(SharedTensors, ContentsInOtherFilesAreCompared) {
  const TempFolder folder;
  folder.write("w.bin", std::string(16, '\0'));
  OnnxBuilder model = layers("a.bias", "b.bias", "/b");
  model.external_initializer("a.bias", DataType::Float32, {4}, "w.bin", 0, 16);
  model.node("Identity", {"a.bias"}, {"b.bias"});
  EXPECT_THAT(notes_of(model.model_bytes(), folder.path() / "m.onnx"),
              Contains(HasSubstr("the exporter stored")));
  folder.write("w.bin", std::string("\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0", 16));
  EXPECT_THAT(notes_of(model.model_bytes(), folder.path() / "m.onnx"), Contains(HasSubstr("tied")));
}

TEST(SharedTensors, RunningMeansAreNoParameters) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 4, 2, 2});
  model.reals("weight", {1, 2, 3, 4}).reals("zero", {0, 0, 0, 0}).reals("var", {1, 2, 3, 5});
  model.node("Identity", {"zero"}, {"mean"});
  model.node("Identity", {"zero"}, {"bias"});
  model.node("BatchNormalization", {"x", "weight", "bias", "mean", "var"}, {"a"}).name("/a/Bn");
  model.node("BatchNormalization", {"a", "weight", "zero", "mean", "var"}, {"y"}).name("/b/Bn");
  model.output("y");
  EXPECT_THAT(notes_of(model.model_bytes()),
              Contains(HasSubstr("missing from the file; with it, the model has 1,004")));
}

/// A missing file is told by another note; nothing is known about what is in it.
TEST(SharedTensors, ContentsThatAreMissingAreNotCalledMerged) {
  const TempFolder folder;
  OnnxBuilder model = layers("a.bias", "b.bias", "/b");
  model.external_initializer("a.bias", DataType::Float32, {4}, "w.bin", 0, 16);
  model.node("Identity", {"a.bias"}, {"b.bias"});
  for (const std::string& note : notes_of(model.model_bytes(), folder.path() / "m.onnx"))
    EXPECT_THAT(note, testing::Not(HasSubstr("the exporter stored")));
}

/// Models of the zoo are counted by name without being written.
TEST(SharedTensors, ContentsThatNobodyWroteAreNotCalledMerged) {
  const TempFolder folder;
  OnnxBuilder model = layers("bias", "bias", "/b");
  model.external_initializer("bias", DataType::Float32, {4}, "w.bin", 0, 16);
  const std::string bytes = model.model_bytes();
  Graph graph = read_onnx(bytes, folder.path() / "m.onnx");
  graph.external_files["w.bin"] = 16;
  EXPECT_EQ(tree::shared_tensors(graph, classify_constants(graph)).merged, 0);
}

}  // namespace
}  // namespace jouletree::test
