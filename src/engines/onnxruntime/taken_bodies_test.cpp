#include <gmock/gmock.h>

#include "engines/onnxruntime/opened_bodies.hpp"
#include "support/onnx_chain.hpp"

namespace jouletree::engines {
namespace {

using model::OnnxBuilder;
using test::Names;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The graph of a file after the bodies that ran were put in the places of their nodes.
class Flattened {
 public:
  Flattened(const OnnxBuilder& model, const OpenedBodies& opened)
      : bytes_(model.model_bytes()), graph_(read_onnx(bytes_, "model.onnx")) {
    notes_ = take_bodies(graph_, opened, infer(graph_, {}));
  }

  [[nodiscard]] Names ops() const {
    Names ops;
    for (const Node& node : graph_.main.nodes) ops.emplace_back(node.op);
    return ops;
  }

  [[nodiscard]] Names inputs(std::size_t node) const {
    return test::names(graph_, graph_.main.nodes.at(node).inputs);
  }

  [[nodiscard]] Names outputs(std::size_t node) const {
    return test::names(graph_, graph_.main.nodes.at(node).outputs);
  }

  /// "name (type)" of the modules around a node.
  [[nodiscard]] Names modules(std::size_t node) const {
    Names modules;
    for (const ModuleStep& step : graph_.main.nodes.at(node).modules)
      modules.push_back(std::string(step.name) + " (" + std::string(step.type) + ")");
    return modules;
  }

  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::string bytes_;
  Graph graph_;
  std::vector<std::string> notes_;
};

/// As merged decoders are: both branches name their values and their modules alike.
OnnxBuilder merged_decoder() {
  OnnxBuilder with_past;
  with_past.node("Concat", {"past", "x"}, {"all"})
      .name("/decoder/attention/Concat")
      .integer("axis", 0);
  with_past.node("Relu", {"all"}, {"t"}).name("/decoder/mlp/Relu");
  with_past.output("t");
  OnnxBuilder no_past;
  no_past.node("Tanh", {"x"}, {"t"}).name("/decoder/mlp/Tanh");
  no_past.output("t");
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4}).input("past", DataType::Float32, {4});
  model.input("use_cache_branch", DataType::Bool, {1});
  model.node("Neg", {"x"}, {"t"}).name("/embed/Neg");
  model.node("If", {"use_cache_branch"}, {"logits"})
      .name("/decoder/optimum::if")
      .graph("then_branch", with_past)
      .graph("else_branch", no_past);
  model.node("Mul", {"t", "logits"}, {"y"}).name("/head/Mul");
  model.output("y");
  return model;
}

OpenedBodies branch_taken(bool then) {
  OpenedBodies opened;
  opened.branches["logits"] = then;
  opened.flags["use_cache_branch"] = then;
  return opened;
}

TEST(TakenBodies, TheBranchThatRanStandsInAModuleOfItsIf) {
  const Flattened flat(merged_decoder(), branch_taken(true));
  ASSERT_THAT(flat.ops(), ElementsAre("Neg", "Concat", "Relu", "Mul"));
  EXPECT_THAT(flat.modules(1), ElementsAre("decoder ()", "optimum::if (If)", "attention ()"));
  EXPECT_THAT(flat.modules(2), ElementsAre("decoder ()", "optimum::if (If)", "mlp ()"));
  EXPECT_THAT(flat.outputs(2), ElementsAre("logits"));
  EXPECT_THAT(flat.inputs(3), ElementsAre("t", "logits"));
}

TEST(TakenBodies, ANoteTellsWhichInputDecidesAndHowToMeasureTheOtherBranch) {
  const Flattened with_past(merged_decoder(), branch_taken(true));
  EXPECT_THAT(with_past.notes(),
              ElementsAre("the branch that ran was measured: then of '/decoder/optimum::if'; input "
                          "'use_cache_branch' decides and was true; --value "
                          "use_cache_branch=false measures the other branch"));
  const Flattened no_past(merged_decoder(), branch_taken(false));
  ASSERT_THAT(no_past.ops(), ElementsAre("Neg", "Tanh", "Mul"));
  EXPECT_THAT(no_past.notes(), ElementsAre(HasSubstr("--value use_cache_branch=true")));
}

TEST(TakenBodies, AChoiceThatNobodySawStaysOneOperator) {
  const Flattened flat(merged_decoder(), {});
  EXPECT_THAT(flat.ops(), ElementsAre("Neg", "If", "Mul"));
  EXPECT_THAT(flat.notes(), IsEmpty());
}

TEST(TakenBodies, AChoiceThatTheFileDecidesNeedsNoEngine) {
  OnnxBuilder then_branch;
  then_branch.node("Relu", {"x"}, {"t"});
  then_branch.output("t");
  OnnxBuilder else_branch;
  else_branch.node("Tanh", {"x"}, {"t"});
  else_branch.output("t");
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4});
  model.initializer("never", DataType::Bool, {}, std::string(1, '\0'));
  model.node("If", {"never"}, {"y"})
      .graph("then_branch", then_branch)
      .graph("else_branch", else_branch);
  model.output("y");
  const Flattened flat(model, {});
  EXPECT_THAT(flat.ops(), ElementsAre("Tanh"));
  EXPECT_THAT(flat.outputs(0), ElementsAre("y"));
  EXPECT_THAT(flat.notes(), IsEmpty()) << "nobody could choose otherwise";
}

TEST(TakenBodies, EnginesThatDropAnIdentityAreUnderstood) {
  OnnxBuilder model = merged_decoder();
  model.node("Identity", {"logits"}, {"copy"});
  OpenedBodies opened;
  opened.branches["copy"] = false;
  EXPECT_THAT(Flattened(model, opened).ops(), ElementsAre("Neg", "Tanh", "Mul", "Identity"));
}

TEST(TakenBodies, WhyNothingCouldBeOpenedIsTold) {
  OpenedBodies opened;
  opened.failure = "no kernel for Scan";
  EXPECT_THAT(Flattened(merged_decoder(), opened).notes(),
              ElementsAre(HasSubstr("no kernel for Scan")));
}

/// Inner values have names that are taken outside.
OnnxBuilder accumulating_loop() {
  OnnxBuilder body;
  body.input("i", DataType::Int64, {}).input("go", DataType::Bool, {});
  body.input("carried", DataType::Float32, {4});
  body.node("Add", {"carried", "x"}, {"a"}).name("/cell/Add");
  body.node("Identity", {"go"}, {"still"});
  body.output("still", DataType::Bool).output("a");
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4}).input("steps", DataType::Int64, {});
  model.node("Abs", {"x"}, {"a"});
  model.node("Loop", {"steps", "", "x"}, {"y"}).name("/rnn/Loop").graph("body", body);
  model.node("Sub", {"a", "y"}, {"z"});
  model.output("z");
  return model;
}

TEST(TakenBodies, OneIterationStandsForALoop) {
  OpenedBodies opened;
  opened.loops["y"] = {8, 4};
  const Flattened flat(accumulating_loop(), opened);
  ASSERT_THAT(flat.ops(), ElementsAre("Abs", "Add", "Identity", "Sub"));
  EXPECT_THAT(flat.modules(1), ElementsAre("rnn ()", "Loop (Loop)", "cell ()"));
  EXPECT_THAT(flat.inputs(1), ElementsAre("carried~2", "x")) << "as the engine's flat model has it";
  EXPECT_THAT(flat.outputs(1), ElementsAre("a~2")) << "the name is taken outside";
  EXPECT_THAT(flat.notes(), ElementsAre(HasSubstr("number 5 of 8 in '/rnn/Loop'")));
  EXPECT_THAT(flat.notes(), ElementsAre(HasSubstr("steps")));
}

TEST(TakenBodies, ALoopThatNeverRanIsToldWithTheInputThatDecides) {
  OpenedBodies opened;
  opened.idle_loops["y"] = {};
  const Flattened flat(accumulating_loop(), opened);
  EXPECT_THAT(flat.ops(), ElementsAre("Abs", "Loop", "Sub"));
  EXPECT_THAT(flat.notes(), ElementsAre(HasSubstr("no iteration ran")));
  EXPECT_THAT(flat.notes(), ElementsAre(HasSubstr("'/rnn/Loop'; input 'steps' decides")));
}

TEST(TakenBodies, TheFirstIterationReadsWhatTheLoopWasGiven) {
  OpenedBodies opened;
  opened.loops["y"] = {1, 0};
  const Flattened flat(accumulating_loop(), opened);
  EXPECT_THAT(flat.inputs(1), ElementsAre("x", "x"));
}

TEST(TakenBodies, ManyEqualChoicesAreOneNote) {
  OnnxBuilder branch;
  branch.node("Relu", {"x"}, {"t"});
  branch.output("t");
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {4}).input("flag", DataType::Bool, {});
  OpenedBodies opened;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    model.node("If", {"flag"}, {name})
        .name(name)
        .graph("then_branch", branch)
        .graph("else_branch", branch);
    model.output(name);
    opened.branches[name] = true;
  }
  const Flattened flat(model, opened);
  EXPECT_THAT(flat.notes(),
              ElementsAre(HasSubstr("then of 'a', then of 'b', then of 'c' and 2 more")));
}

}  // namespace
}  // namespace jouletree::engines
