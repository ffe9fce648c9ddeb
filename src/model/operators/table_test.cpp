#include "model/operators/table.hpp"

#include <map>
#include <optional>

#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "support/onnx_builder.hpp"

namespace jouletree::test {
namespace {

using model::OperatorRow;
using Names = std::vector<std::string>;

/// Inputs that some operators take: alike ones, axes, a shape, a convolution with a sum.
const std::vector<Names>& input_lists() {
  static const std::vector<Names> lists = {{"x"},
                                           {"x", "x"},
                                           {"x", "axis"},
                                           {"x", "shape"},
                                           {"map", "kernels", "", "map"},
                                           {"map", "kernels_last", "", "map"},
                                           {"x", "axis", "x"},
                                           {"x", "axes", "x"},
                                           {"x", "scale"},
                                           {"x", "scale", "zero"},
                                           {"x", "scale", "", "scale"},
                                           {"bytes", "scale", "", "scale"},
                                           {"bytes", "scale", "zero"},
                                           {"x", "wide", "wide"},
                                           {"x", "x", "wide", "wide"},
                                           {"x", "scale", "wide", "wide", "scale"},
                                           {"x", "high", "high"},
                                           {"x", "high", "high", "high", "high"},
                                           {"x", "pads"},
                                           {"x", "axis", "axis", "axis"},
                                           {"map", "", "factors"},
                                           {"map", "factors"},
                                           {"map"},
                                           {"x", "lengths"},
                                           {"flags"},
                                           {"flags", "flags"},
                                           {"numbers", "numbers"}};
  return lists;
}

struct Sample {
  Inspected model;
  Names inputs;
};

model::OnnxBuilder model_of(const OperatorRow& row, const Names& inputs) {
  OnnxBuilder model(21);
  if (!row.domain.empty()) model.import_domain(row.domain, 1);
  model.input("x", DataType::Float32, {2, 3, 4}).input("map", DataType::Float32, {1, 16, 16, 16});
  model.initializer("kernels", DataType::Float32, {16, 16, 1, 1});
  model.initializer("kernels_last", DataType::Float32, {16, 1, 1, 16});
  model.input("axes", DataType::Int64, {2, 3, 4});
  model.integers("axis", {0}).integers("shape", {6, 4}).integers("pads", {0, 0, 1, 0, 0, 1});
  model.integers("lengths", {1, 2, 3});
  model.input("bytes", DataType::UInt8, {2, 3, 4}).input("flags", DataType::Bool, {2, 3, 4});
  model.input("numbers", DataType::UInt64, {2, 3, 4});
  model.initializer("scale", DataType::Float32, {}).initializer("zero", DataType::UInt8, {});
  model.initializer("wide", DataType::Float32, {4}).initializer("high", DataType::Float32, {3});
  model.reals("factors", {1, 1, 2, 2});
  model.node(row.op, inputs, {"y"})
      .domain(row.domain)
      .integer("to", 1)
      .ints("kernel_shape", {1, 1})
      .text("direction", "LEFT");
  model.output("y");
  return model;
}

Names overwritten_inputs(const OperatorRow& row, const Names& inputs) {
  Names overwritten;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (model::has_slot(row.facts.overwrites, i)) overwritten.push_back(inputs[i]);
  return overwritten;
}

/// A model in which the shape of the result follows; nothing where no list of inputs suits the
/// operator.
std::optional<Sample> sample_of(const OperatorRow& row, const auto& suits) {
  for (const Names& inputs : input_lists()) {
    try {
      Sample sample{inspect(model_of(row, inputs)), inputs};
      if (!sample.model.value_type("y").resolved()) continue;
      if (suits(inputs)) return sample;
    } catch (const Error&) {
      continue;  // other inputs, then
    }
  }
  return std::nullopt;
}

std::optional<Sample> sample_of(const OperatorRow& row) {
  return sample_of(row, [&](const Names& inputs) {
    return row.facts.view || !overwritten_inputs(row, inputs).empty();
  });
}

TEST(OperatorTable, AViewShowsAllElementsOfItsInput) {
  for (const OperatorRow& row : model::operator_rows()) {
    if (!row.facts.view) continue;
    SCOPED_TRACE(row.op);
    EXPECT_EQ(row.facts.overwrites, 0U) << "it writes nothing";
    const auto sample = sample_of(row);
    ASSERT_TRUE(sample) << "add inputs that suit it to input_lists()";
    EXPECT_EQ(elements_of(sample->model.dims("y")), Count(2 * 3 * 4));
    EXPECT_EQ(sample->model.type("y"), DataType::Float32);
    EXPECT_EQ(sample->model.work(row.op).read_bytes, Count(0));
  }
}

TEST(OperatorTable, AResultHasTheShapeAndTypeOfWhatItOverwrites) {
  for (const OperatorRow& row : model::operator_rows()) {
    if (row.facts.overwrites == 0) continue;
    SCOPED_TRACE(row.op);
    const auto sample = sample_of(row);
    ASSERT_TRUE(sample) << "add inputs that suit it to input_lists()";
    const std::string overwritten = overwritten_inputs(row, sample->inputs).front();
    EXPECT_EQ(sample->model.dims("y"), sample->model.dims(overwritten));
    EXPECT_EQ(sample->model.type("y"), sample->model.type(overwritten));
  }
}

TEST(OperatorTable, KnowsViewsAndWorkInPlace) {
  EXPECT_TRUE(model::facts_of("", "Dropout").view);
  EXPECT_TRUE(model::facts_of("ai.onnx", "Reshape").view);
  for (const char* op : {"Relu", "Selu", "Softplus", "Softsign", "ThresholdedRelu", "Add"})
    EXPECT_TRUE(model::has_slot(model::facts_of("", op).overwrites, 0)) << op;
  EXPECT_TRUE(model::has_slot(model::facts_of("", "Sub").overwrites, 1));
  EXPECT_TRUE(model::has_slot(model::facts_of("com.microsoft", "FusedConv").overwrites, 3));
  EXPECT_FALSE(model::has_slot(model::facts_of("com.microsoft", "FusedConv").overwrites, 0));
  EXPECT_EQ(model::facts_of("my.domain", "Relu").overwrites, 0U) << "somebody else's operator";
}

/// How many axes the result has more than the first input.
std::optional<int> added_axes(model::AxisFlow flow) {
  switch (flow) {
    case model::AxisFlow::Added: return 1;
    case model::AxisFlow::Same:
    case model::AxisFlow::Resized:
    case model::AxisFlow::Cut:
    case model::AxisFlow::Broadcast:
    case model::AxisFlow::Parts:
    case model::AxisFlow::Joined:
    case model::AxisFlow::Permuted:
    case model::AxisFlow::ScaledChannels:
    case model::AxisFlow::ScaledLast: return 0;
    default: return std::nullopt;
  }
}

TEST(OperatorTable, AxesFlowAsTheShapeRuleSays) {
  for (const OperatorRow& row : model::operator_rows()) {
    const auto added = added_axes(row.facts.axes);
    if (!added) continue;
    SCOPED_TRACE(row.op);
    const auto sample = sample_of(row, [](const Names&) { return true; });
    EXPECT_TRUE(sample) << "add inputs that suit it to input_lists()";
    if (!sample) continue;
    const Dims before = sample->model.dims(sample->inputs[0]);
    const Dims after = sample->model.dims("y");
    EXPECT_EQ(static_cast<int>(after.size()), static_cast<int>(before.size()) + *added);
    const bool same = row.facts.axes == model::AxisFlow::Same ||
                      row.facts.axes == model::AxisFlow::ScaledChannels ||
                      row.facts.axes == model::AxisFlow::ScaledLast;
    if (same) {
      EXPECT_EQ(after, before);
    }
  }
}

TEST(OperatorTable, ScaledAxesAndConvolutionsHaveWeightsBehindTheFirstInput) {
  for (const OperatorRow& row : model::operator_rows()) {
    if (row.facts.axes < model::AxisFlow::ScaledChannels) continue;
    EXPECT_NE(row.constants.weights & ~model::slots(0), 0U) << row.op;
  }
  for (const char* op : {"Conv", "ConvTranspose", "QLinearConv", "DeformConv"})
    EXPECT_TRUE(model::is_convolution(model::facts_of("", op))) << op;
  for (const char* op : {"MaxPool", "MatMul", "LSTM"})
    EXPECT_FALSE(model::is_convolution(model::facts_of("", op))) << op;
}

TEST(OperatorTable, OperatorsOfOneNameDoTheSameKindOfWork) {
  std::map<std::string_view, const model::OperatorFacts*> by_name;
  for (const OperatorRow& row : model::operator_rows()) {
    const model::OperatorFacts& first = *by_name.emplace(row.op, &row.facts).first->second;
    EXPECT_EQ(row.facts.work, first.work) << row.domain << "." << row.op;
    EXPECT_EQ(row.facts.costs_like, first.costs_like) << row.domain << "." << row.op;
  }
  for (const OperatorRow& row : model::operator_rows()) {
    if (row.facts.costs_like.empty()) continue;
    ASSERT_TRUE(by_name.contains(row.facts.costs_like)) << row.op;
    EXPECT_EQ(by_name.at(row.facts.costs_like)->work, row.facts.work) << row.op;
    EXPECT_TRUE(by_name.at(row.facts.costs_like)->costs_like.empty()) << "one step is enough";
  }
}

TEST(OperatorTable, LookupsPickFromAnotherInput) {
  for (const OperatorRow& row : model::operator_rows()) {
    for (const model::Lookup& lookup : row.facts.lookups) {
      EXPECT_NE(lookup.indices, lookup.table) << row.op;
      EXPECT_FALSE(model::has_slot(row.constants.weights, lookup.indices)) << row.op;
    }
  }
}

}  // namespace
}  // namespace jouletree::test
