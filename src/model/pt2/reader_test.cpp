#include "model/pt2/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/tree.hpp"
#include "support/sample_programs.hpp"

namespace jouletree::model::pt2 {
namespace {

using test::choosing_program;
using test::linear_program;
using test::looping_program;
using test::ProgramBuilder;
using testing::Contains;
using testing::HasSubstr;

ModelTree count(const std::string& archive, const InputSettings& settings = {}) {
  return build_tree(std::make_shared<const Graph>(read(archive, "net.pt2", settings)), settings);
}

ModelTree count(const ProgramBuilder& program, const InputSettings& settings = {}) {
  return count(program.bytes(), settings);
}

const TreeNode* find(const TreeNode& node, std::string_view scope) {
  if (node.scope == scope) return &node;
  for (const TreeNode& child : node.children)
    if (const TreeNode* const found = find(child, scope)) return found;
  return nullptr;
}

TEST(ExportedProgram, IsCountedWithItsModules) {
  const ModelTree tree = count(linear_program());
  EXPECT_EQ(tree.root.totals.params, 20);
  EXPECT_EQ(tree.root.totals.macs.value(), 4 * 15);
  const TreeNode* const head = find(tree.root, "head");
  ASSERT_NE(head, nullptr);
  EXPECT_EQ(head->type, "Linear");
  EXPECT_EQ(head->totals.macs.value(), 4 * 15);
  EXPECT_EQ(tree.name, "net");
}

TEST(ExportedProgram, IsReadWherePackedToo) {
  const std::string json = linear_program().json();
  const std::string deflated = test::zip_bytes(linear_program().files(true));
  EXPECT_EQ(count(deflated).root.totals.macs.value(), 60);
  EXPECT_EQ(count(test::zip_bytes({{"serialized_exported_program.json", json}, {"version", "8.2"}}))
                .root.totals.params,
            20);
}

TEST(ExportedProgram, HasTheSizesOfItsExampleUnlessOthersAreGiven) {
  const ModelTree tree = count(linear_program());
  ASSERT_EQ(tree.inference.inputs.size(), 1U);
  EXPECT_EQ(to_string(tree.inference.inputs[0]), "s77 x 3 = 4x3");
  EXPECT_EQ(name_of(tree.inference.inputs[0].dims->front().origin), "example");
  EXPECT_THAT(tree.notes, Contains(HasSubstr("as in the example that the file was made with: s77 = "
                                             "4 (set them with --dim NAME=SIZE)")));
  InputSettings by_name;
  by_name.symbols["s77"] = 10;
  EXPECT_EQ(count(linear_program(), by_name).root.totals.macs.value(), 150);
  InputSettings by_shape;
  by_shape.shapes["x"] = {6, 3};
  EXPECT_EQ(count(linear_program(), by_shape).root.totals.macs.value(), 90);
}

TEST(ExportedProgram, EvaluatesSizesThatAreMadeOfOthers) {
  const std::string twice = "Mul(Integer(2), Symbol('s0', integer=True))";
  ProgramBuilder program;
  program.example(8).input("x", {twice, "3"}).parameter("w", "w", {"5", "3"});
  const std::string less = "Add(" + twice + ", Integer(-1))";
  program.tensor("part", {less, "3"}).tensor("y", {less, "5"});
  program.node("torch.ops.aten.slice.Tensor", {ProgramBuilder::given("x")}, {"part"});
  program.node("torch.ops.aten.linear.default",
               {ProgramBuilder::given("part"), ProgramBuilder::given("w")}, {"y"});
  program.output("y");
  const ModelTree tree = count(program);
  EXPECT_EQ(to_string(tree.inference.inputs[0]), "2*s0 x 3 = 8x3");
  EXPECT_EQ(tree.root.totals.macs.value(), 7 * 15);
  InputSettings settings;
  settings.symbols["s0"] = 5;
  EXPECT_EQ(count(program, settings).root.totals.macs.value(), 9 * 15);
  settings.symbols.clear();
  settings.shapes["x"] = {20, 3};
  EXPECT_EQ(count(program, settings).root.totals.macs.value(), 19 * 15);
}

TEST(ExportedProgram, DoesNotKnowSizesThatDependOnData) {
  ProgramBuilder program;
  program.input("x", {"4", "3"}).parameter("w", "w", {"5", "3"}).tensor("picked", {"u0", "3"});
  program.tensor("y", {"u0", "5"});
  program.node("torch.ops.aten.index.Tensor", {ProgramBuilder::given("x")}, {"picked"});
  program.node("torch.ops.aten.linear.default",
               {ProgramBuilder::given("picked"), ProgramBuilder::given("w")}, {"y"});
  program.output("y");
  const Totals totals = count(program).root.totals;
  EXPECT_TRUE(totals.macs.lower_bound());
  EXPECT_EQ(totals.params, 15);
}

TEST(ExportedProgram, CountsWeightsWithTwoNamesOnce) {
  ProgramBuilder program;
  program.input("x", {"2", "3"}).parameter("a", "first.weight", {"3", "3"}, "weight_0");
  program.parameter("b", "second.weight", {"3", "3"}, "weight_0", false);
  program.parameter("c", "third.weight", {"3", "3"}, "weight_1", false);
  program.tensor("y", {"2", "3"}).tensor("z", {"2", "3"});
  program.node("torch.ops.aten.linear.default",
               {ProgramBuilder::given("x"), ProgramBuilder::given("a")}, {"y"});
  program.node("torch.ops.aten.linear.default",
               {ProgramBuilder::given("y"), ProgramBuilder::given("b")}, {"z"});
  program.output("z");
  const ModelTree tree = count(program);
  EXPECT_EQ(tree.root.totals.params, 18);
  EXPECT_EQ(tree.root.totals.frozen_params, 9);
  EXPECT_THAT(tree.notes,
              Contains(HasSubstr("9 of the parameters are not used by the program: third")));
}

TEST(ExportedProgram, CountsTheCostlierBranch) {
  const ModelTree tree = count(choosing_program());
  EXPECT_EQ(tree.root.totals.macs.value(), 36);
  EXPECT_EQ(tree.root.totals.params, 9);
  EXPECT_EQ(tree.root.totals.not_run, 1);
  EXPECT_THAT(tree.notes, Contains(HasSubstr("the costlier branch (then) was counted")));
}

TEST(ExportedProgram, CountsABodyForEveryRow) {
  const std::string x = R"({"as_tensors": [{"name": "x"}]})";
  const std::string p = R"({"as_tensors": [{"name": "p"}]})";
  EXPECT_EQ(count(looping_program("map_impl", {x, p})).root.totals.macs.value(), 7 * 9);
  EXPECT_EQ(
      count(looping_program("scan", {R"({"as_tensors": []})", x, p})).root.totals.macs.value(),
      7 * 9);
  const ModelTree open = count(looping_program("while_loop", {x, p}));
  EXPECT_EQ(open.root.totals.macs.value(), 9);
  EXPECT_THAT(open.notes, Contains(HasSubstr("its number of iterations depends on data")));
}

TEST(ExportedProgram, RunsWrappedGraphsAsTheyAre) {
  const std::vector<std::string> operands = {ProgramBuilder::given("x"),
                                             ProgramBuilder::given("p")};
  const ModelTree tree = count(looping_program("wrap_with_set_grad_enabled", operands));
  EXPECT_EQ(tree.root.totals.macs.value(), 7 * 9);
  EXPECT_EQ(tree.root.totals.operators, 1);
}

TEST(ExportedProgram, LeavesOutWhatDoesNothing) {
  ProgramBuilder program;
  program.input("x", {"4"}).tensor("a", {"4"}).tensor("b", {"4"});
  program.node("torch.ops.aten.dropout.default",
               {ProgramBuilder::given("x"), R"({"as_float": 0.5})", R"({"as_bool": false})"},
               {"a"});
  program.node("torch.ops.aten.relu.default", {ProgramBuilder::given("a")}, {"b"});
  program.node("_operator.add", {R"({"as_int": 3})"}, {});
  program.output("b");
  EXPECT_EQ(count(program).root.totals.operators, 1);
}

TEST(ExportedProgram, OfANewerMinorVersionIsReadWithANote) {
  ProgramBuilder program = linear_program();
  program.schema(R"({"major": 8, "minor": 99, "patch": 1})");
  EXPECT_THAT(count(program).notes,
              Contains(HasSubstr("schema version 8.99, newer than the 8.20")));
}

TEST(ExportedProgram, AmongOthersIsTheOneCalledModel) {
  std::vector<test::ZippedFile> files = linear_program().files();
  files.push_back({"net/models/other.json", "{}"});
  EXPECT_THAT(count(test::zip_bytes(files)).notes,
              Contains(HasSubstr("other programs beside 'model', which were not read: other")));
}

}  // namespace
}  // namespace jouletree::model::pt2
