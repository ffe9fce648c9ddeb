#include "engines/data/fitting_sizes.hpp"

#include <gmock/gmock.h>

#include "support/onnx_builder.hpp"

namespace jouletree::engines {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

model::OnnxBuilder convolution(const std::vector<std::string>& input) {
  model::OnnxBuilder model;
  model.symbolic_input("x", DataType::Float32, input);
  model.initializer("w", DataType::Float32, {8, 3, 7, 7});
  model.node("Conv", {"x", "w"}, {"y"});
  model.output("y");
  return model;
}

Dim height_of(const Inference& inference) { return (*inference.inputs.at(0).dims)[2].size; }

TEST(FittingSizes, AnEngineThatRefusesASizeIsOfferedOthers) {
  const std::string bytes = convolution({"batch", "3", "height", "width"}).model_bytes();
  const Graph graph = read_onnx(bytes, "model.onnx");
  InputSettings settings;
  std::vector<Dim> offered;
  const Inference found =
      fitting_sizes(graph, settings, infer(graph, settings), [&](const Inference& inference) {
        offered.push_back(height_of(inference));
        if (offered.back() < 300) throw Error(ErrorKind::BadInput, "too small");
      });
  EXPECT_THAT(offered, ElementsAre(224, 256, 320));
  EXPECT_EQ(height_of(found), 320);
  EXPECT_EQ(settings.shapes.at("x"), (Dims{1, 3, 320, 320}));
}

TEST(FittingSizes, WhatNoSizeMendsIsToldWithTheSizesThatWereChosen) {
  const std::string bytes = convolution({"batch", "3", "height", "width"}).model_bytes();
  const Graph graph = read_onnx(bytes, "model.onnx");
  InputSettings settings;
  int tries = 0;
  const auto refuse = [&](const Inference&) {
    ++tries;
    throw Error(ErrorKind::BadInput, "node 'conv' failed");
  };
  EXPECT_THAT([&] { (void)fitting_sizes(graph, settings, infer(graph, settings), refuse); },
              ThrowsMessage<Error>(AllOf(HasSubstr("node 'conv' failed"), HasSubstr("height = 224"),
                                         HasSubstr("--dim"))));
  EXPECT_LE(tries, 8);
}

TEST(FittingSizes, AGivenSizeThatClashesIsNamedAndTheOthersAreNot) {
  const std::string bytes = convolution({"batch", "3", "height", "width"}).model_bytes();
  const Graph graph = read_onnx(bytes, "model.onnx");
  InputSettings settings;
  settings.symbols["width"] = 5000;
  const auto refuse = [&](const Inference&) {
    throw Error(ErrorKind::BadInput, "sizes of its inputs do not fit each other: 512 by 5000");
  };
  EXPECT_THAT([&] { (void)fitting_sizes(graph, settings, infer(graph, settings), refuse); },
              ThrowsMessage<Error>(
                  AllOf(HasSubstr("512 by 5000; dimension 'width' was given as 5000, where the "
                                  "model has 512: give one that fits"),
                        testing::Not(HasSubstr("batch")))));
}

TEST(FittingSizes, SizesThatTheFileFixesAreTriedOnce) {
  const std::string bytes = convolution({"1", "3", "32", "32"}).model_bytes();
  const Graph graph = read_onnx(bytes, "model.onnx");
  InputSettings settings;
  int tries = 0;
  const auto refuse = [&](const Inference&) {
    ++tries;
    throw Error(ErrorKind::BadInput, "no");
  };
  EXPECT_THROW((void)fitting_sizes(graph, settings, infer(graph, settings), refuse), Error);
  EXPECT_EQ(tries, 1);
}

}  // namespace
}  // namespace jouletree::engines
