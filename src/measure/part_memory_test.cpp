#include "measure/part_memory.hpp"

#include <gmock/gmock.h>

#include "measure/program_steps.hpp"

namespace jouletree::measure {
namespace {

using engines::Part;
using testing::ElementsAre;

constexpr std::int64_t kRow = 256 * 4;        // bytes of 1 x 256
constexpr std::int64_t kSquare = 256 * kRow;  // bytes of a weight

Part product(const std::string& input, const std::string& weight, const std::string& output) {
  Part part;
  part.reads = {{input, kRow}};
  part.weights = {{weight, kSquare}};
  part.weight_bytes = kSquare;
  part.writes = {{output, kRow}};
  return part;
}

Part elementwise(const std::vector<std::string>& inputs, const std::string& output) {
  Part part;
  for (const std::string& input : inputs) part.reads.push_back({input, kRow});
  part.overwrites = inputs;
  part.writes = {{output, kRow}};
  return part;
}

Part view(const std::string& input, const std::string& output) {
  Part part;
  part.reads = {{input, kRow}};
  part.weights = {{"shape", 16}};
  part.writes = {{output, kRow}};
  part.is_view = true;
  return part;
}

/// x → product w0 → a → view → v → product w1 → b → activation → y, and y + x at the end.
engines::LoadedModel chain_of_products() {
  engines::LoadedModel model;
  model.parts = {product("x", "w0", "a"), view("a", "v"), product("v", "w1", "b"),
                 elementwise({"b"}, "y"), elementwise({"y", "x"}, "z")};
  model.results = {"z"};
  return model;
}

std::vector<std::string> names_of(const CopyNeeds& needs) {
  std::vector<std::string> names;
  for (const CopyNeeds::Input& input : needs.inputs) names.push_back(input.name);
  return names;
}

TEST(PartMemory, OfAnOperatorIsWhatItReadsAndWrites) {
  const engines::LoadedModel model = chain_of_products();
  const std::vector<Reuse> reuse = reuse_distances(steps_of(model.parts));
  const CopyNeeds needs = PartMemory(model).needs_of({{0}});
  EXPECT_EQ(needs.weights.bytes, kSquare);
  EXPECT_EQ(needs.weights.reused_after, reuse[0].weights);
  ASSERT_THAT(names_of(needs), ElementsAre("x"));
  EXPECT_EQ(needs.inputs[0].memory.bytes, kRow);
  EXPECT_EQ(needs.inputs[0].memory.reused_after, reuse[0].reads[0]);
  EXPECT_EQ(needs.outputs.bytes, kRow);
  EXPECT_EQ(needs.outputs.reused_after, reuse[0].writes);
  EXPECT_EQ(needs.call_bytes, kSquare + 2 * kRow);
}

TEST(PartMemory, OfAModuleLeavesOutWhatIsMadeAndReadInside) {
  const engines::LoadedModel model = chain_of_products();
  const std::vector<Reuse> reuse = reuse_distances(steps_of(model.parts));
  const CopyNeeds needs = PartMemory(model).needs_of({{0, 1, 2, 3}});
  EXPECT_EQ(needs.weights.bytes, 2 * kSquare + 16) << "with the shape, which is stored, too";
  EXPECT_THAT(names_of(needs), ElementsAre("x"));
  EXPECT_EQ(needs.outputs.bytes, kRow);
  EXPECT_EQ(needs.outputs.reused_after, reuse[3].writes);
  // Two weights, x, and a and b, whose memory the activation takes over.
  EXPECT_EQ(needs.call_bytes, 2 * kSquare + 3 * kRow);
}

TEST(PartMemory, SeesThroughAViewAtTheBorder) {
  const engines::LoadedModel model = chain_of_products();
  const std::vector<Reuse> reuse = reuse_distances(steps_of(model.parts));
  const PartMemory memory(model);
  const CopyNeeds after = memory.needs_of({{1, 2}});
  ASSERT_THAT(names_of(after), ElementsAre("a"));
  EXPECT_EQ(after.inputs[0].memory.reused_after, reuse[2].reads[0]);
  const CopyNeeds before = memory.needs_of({{0, 1}});
  EXPECT_EQ(before.outputs.bytes, kRow);
  EXPECT_EQ(before.outputs.reused_after, reuse[0].writes);
}

TEST(PartMemory, SharedWeightsCountOnce) {
  engines::LoadedModel model;
  model.parts = {product("x", "w", "a"), product("a", "w", "y")};
  model.results = {"y"};
  EXPECT_EQ(PartMemory(model).needs_of({{0, 1}}).weights.bytes, kSquare);
}

TEST(PartMemory, WhatTheModelReturnsLeavesAModuleThatReadsIt) {
  engines::LoadedModel model = chain_of_products();
  EXPECT_EQ(PartMemory(model).needs_of({{2, 3}}).outputs.bytes, kRow);
  model.results.insert("b");
  EXPECT_EQ(PartMemory(model).needs_of({{2, 3}}).outputs.bytes, 2 * kRow);
}

TEST(PartMemory, SoDoesWhatAGraphInsideAnotherPartReads) {
  engines::LoadedModel model = chain_of_products();
  model.parts[4].captured = {"b"};
  EXPECT_EQ(PartMemory(model).needs_of({{2, 3}}).outputs.bytes, 2 * kRow);
}

TEST(ProgramSteps, ViewsDoNothingAndStandForWhatTheyShow) {
  const engines::LoadedModel model = chain_of_products();
  const std::vector<Step> steps = steps_of(model.parts);
  ASSERT_EQ(steps.size(), 5U);
  EXPECT_TRUE(steps[1].reads.empty());
  EXPECT_TRUE(steps[1].writes.empty());
  EXPECT_EQ(steps[1].weight_bytes, 0);
  ASSERT_EQ(steps[2].reads.size(), 1U);
  EXPECT_EQ(steps[2].reads[0].name, "a");
  EXPECT_THAT(steps[4].overwrites, ElementsAre("y", "x"));
}

}  // namespace
}  // namespace jouletree::measure
