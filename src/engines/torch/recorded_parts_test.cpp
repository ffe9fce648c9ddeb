#include "engines/torch/recorded_parts.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace jouletree::engines {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

auto tensor(const std::string& name, std::int64_t bytes) {
  return testing::AllOf(Field("name", &Part::Tensor::name, name),
                        Field("bytes", &Part::Tensor::bytes, bytes));
}

/// A linear layer, an activation in place, and a view, as a recorder writes them.
const char* const kLayer = R"({
  "engine": "PyTorch 9", "inputs": [{"name": "x", "value": {"tensor": [9, "float32", [2,8], 90]}}],
  "stored": [
    {"name": "weight", "kind": "parameter", "trainable": true, "tensor": [1, "float32", [4,8], 10]},
    {"name": "bias",   "kind": "parameter", "trainable": true, "tensor": [2, "float32", [4], 20]}],
  "calls": [
    {"op": "aten::t", "overload": "default", "args": [{"tensor": [1, "float32", [4,8], 10]}],
     "outputs": [{"tensor": [3, "float32", [8,4], 10]}]},
    {"op": "aten::addmm", "overload": "default",
     "args": [{"tensor": [2, "float32", [4], 20]}, {"tensor": [9, "float32", [2,8], 90]}, {"tensor": [3, "float32", [8,4], 10]}, 1, 1],
     "outputs": [{"tensor": [11, "float32", [2,4], 110]}]},
    {"op": "aten::relu_", "overload": "default", "writes": true, "args": [{"tensor": [11, "float32", [2,4], 110]}],
     "outputs": [{"tensor": [11, "float32", [2,4], 110]}]},
    {"op": "aten::mul", "overload": "Tensor", "args": [{"tensor": [11, "float32", [2,4], 110]}, {"tensor": [11, "float32", [2,4], 110]}],
     "outputs": [{"tensor": [12, "float32", [2,4], 120]}]}],
  "outputs": {"tensor": [12, "float32", [2,4], 120]}})";

std::vector<Part> parts_of(const std::string& json, const std::vector<CallStrides>& strides = {}) {
  return recorded_parts(runtime::parse_run(json), strides);
}

TEST(RecordedParts, TellWhatEachCallReadsAndMakes) {
  const std::vector<Part> parts = parts_of(kLayer);
  ASSERT_THAT(parts, SizeIs(4));
  const Part& product = parts[1];
  EXPECT_EQ(product.name, "aten::addmm");
  EXPECT_THAT(product.reads, ElementsAre(tensor("s90", 64)));
  EXPECT_THAT(product.weights, ElementsAre(tensor("s20", 16), tensor("s10", 128)));
  EXPECT_EQ(product.weight_bytes, 144);
  EXPECT_THAT(product.writes, ElementsAre(tensor("s110", 32)));
}

TEST(RecordedParts, AViewMovesNothing) {
  const Part view = parts_of(kLayer)[0];
  EXPECT_THAT(view.reads, IsEmpty());
  EXPECT_THAT(view.weights, IsEmpty());
  EXPECT_THAT(view.writes, IsEmpty());
  EXPECT_EQ(view.weight_bytes, 0);
}

TEST(RecordedParts, ACallInPlaceUsesTheMemoryOfItsArgument) {
  const Part relu = parts_of(kLayer)[2];
  EXPECT_THAT(relu.reads, ElementsAre(tensor("s110", 32)));
  EXPECT_THAT(relu.writes, IsEmpty());
}

TEST(RecordedParts, TheKeyHoldsAllThatTheCostDependsOn) {
  const std::vector<Part> parts = parts_of(kLayer);
  EXPECT_EQ(parts[1].key, "aten::addmm.default(w:float32[4], float32[2,8], w:float32[8,4], 1, 1)");
  EXPECT_EQ(parts[3].key, "aten::mul.Tensor(float32[2,4], float32[2,4]=0)");
  const std::vector<Part> transposed =
      parts_of(kLayer, {{std::nullopt}, {std::nullopt, std::nullopt, Dims{1, 8}}, {}, {}});
  EXPECT_THAT(transposed[1].key, HasSubstr("w:float32[8,4]/[1,8]"));
}

TEST(RecordedParts, WhatIsRepeatedByAStrideOfZeroIsReadOnce) {
  const std::vector<Part> parts =
      parts_of(kLayer, {{}, {std::nullopt, Dims{0, 1}, std::nullopt}, {}, {}});
  EXPECT_THAT(parts[1].reads, ElementsAre(tensor("s90", 32)));
}

/// A call that reads a table of 1000 rows and numbers of rows, and gives three rows.
Part lookup(const std::string& op) {
  return parts_of(fmt::format(R"({{
    "inputs": [], "outputs": null,
    "stored": [{{"name": "table", "kind": "parameter", "trainable": true, "tensor": [1, "float32", [1000,8], 10]}}],
    "calls": [{{"op": "{}", "overload": "default",
               "args": [{{"tensor": [1, "float32", [1000,8], 10]}}, {{"tensor": [2, "int64", [3], 20]}}],
               "outputs": [{{"tensor": [3, "float32", [3,8], 30]}}]}}]}})",
                              op))
      .at(0);
}

TEST(RecordedParts, ALookUpReadsItsRowsOnly) {
  for (const char* const op :
       {"aten::embedding", "aten::_embedding_bag", "aten::index", "aten::_unsafe_index",
        "aten::index_select", "aten::gather", "aten::take", "aten::take_along_dim"}) {
    SCOPED_TRACE(op);
    EXPECT_EQ(lookup(op).weight_bytes, 96);
    EXPECT_THAT(lookup(op).weights, ElementsAre(tensor("s10", 32000)));
  }
  EXPECT_EQ(lookup("aten::add").weight_bytes, 32000);
}

}  // namespace
}  // namespace jouletree::engines
