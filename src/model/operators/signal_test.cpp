#include <gtest/gtest.h>

#include "support/onnx_builder.hpp"

namespace jouletree::model {
namespace {

using test::error_of;
using test::inspect;
using test::Inspected;

TEST(Signal, TransformsTheLastAxisOfASignalByDefault) {
  OnnxBuilder model(20);
  model.input("x", DataType::Float32, {3, 5, 64, 1});
  model.node("DFT", {"x"}, {"y"}).integer("onesided", 1);

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("y"), (Dims{3, 5, 33, 2}));
  EXPECT_EQ(got.work("DFT").flops, Count(3 * 5 * 5 * 64 * 6));
  EXPECT_EQ(got.work("DFT").macs, Count(0));
}

TEST(Signal, TransformsTheFirstAxisAfterTheBatchInOlderModels) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {3, 16, 8, 2});
  model.integers("length", {32});
  model.node("DFT", {"x", "length"}, {"y"}).integer("inverse", 1);

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("y"), (Dims{3, 32, 8, 2}));
  EXPECT_EQ(got.work("DFT").flops, Count(3 * 8 * 5 * 32 * 5));
}

TEST(Signal, CountsFramesOfAShortTimeTransform) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {2, 128, 1});
  model.integers("step", {8});
  model.input("window", DataType::Float32, {16});
  model.node("STFT", {"x", "step", "window"}, {"y"});

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("y"), (Dims{2, 15, 9, 2}));
  EXPECT_EQ(got.work("STFT").flops, Count(2 * 15 * (5 * 16 * 4 + 16)));
}

TEST(Signal, SizesWindowsByTheirInput) {
  OnnxBuilder model(17);
  model.integers("size", {10});
  model.node("HannWindow", {"size"}, {"hann"});
  model.node("BlackmanWindow", {"size"}, {"blackman"}).integer("output_datatype", 11);

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("hann"), (Dims{10}));
  EXPECT_EQ(got.work("HannWindow").flops, Count(40));
  EXPECT_EQ(got.type("blackman"), DataType::Float64);
}

TEST(Signal, HalvesTheSpectrumOfRfftAndRestoresItInIrfft) {
  OnnxBuilder model(17);
  model.import_domain("com.microsoft", 1);
  model.input("x", DataType::Float32, {4, 8, 16});
  model.node("Rfft", {"x"}, {"spectrum"}).domain("com.microsoft").integer("signal_ndim", 2);
  model.node("Irfft", {"spectrum"}, {"y"}).domain("com.microsoft").integer("signal_ndim", 2);

  const Inspected got = inspect(model);

  EXPECT_EQ(got.dims("spectrum"), (Dims{4, 8, 9, 2}));
  EXPECT_EQ(got.dims("y"), (Dims{4, 8, 16}));
  EXPECT_EQ(got.work("Rfft").flops, Count(4 * 5 * 128 * 7));
  EXPECT_EQ(got.work("Irfft").flops, got.work("Rfft").flops);
}

TEST(Signal, RefusesFramesLongerThanTheSignal) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {2, 8, 1});
  model.integers("step", {8});
  model.input("window", DataType::Float32, {16});
  model.node("STFT", {"x", "step", "window"}, {"y"});

  EXPECT_NE(error_of(model).find("its frames are longer than its signal"), std::string::npos);
}

}  // namespace
}  // namespace jouletree::model
