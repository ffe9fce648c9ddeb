#include "operator_models.hpp"

namespace jouletree::test {
namespace {

using enum DataType;

model::OnnxBuilder growing_body(bool scans) {
  model::OnnxBuilder body;
  body.input("i", Int64, {})
      .input("go_in", Bool, {})
      .symbolic_input("grown_in", Float32, {"rows", "4"});
  body.node("Identity", {"go_in"}, {"go_out"});
  body.node("Concat", {"grown_in", "x2"}, {"grown_out"}).integer("axis", 0);
  body.output("go_out", Bool).output("grown_out");
  if (!scans) return body;
  body.node("Add", {"x2", "x2"}, {"step"});
  body.output("step");
  return body;
}

void add_loops(OperatorModels& models) {
  models.standard("Loop", 21, "growing")
      .input({}, Int64, {3})
      .absent_input()
      .input({1, 4})
      .output()
      .output()
      .node()
      .graph("body", growing_body(true));
  models.standard("Loop", 21, "no iterations")
      .input({}, Int64, {0})
      .absent_input()
      .input({1, 4})
      .output()
      .node()
      .graph("body", growing_body(false));
  model::OnnxBuilder until;
  until.input("i", Int64, {}).input("go_in", Bool, {}).input("n_in", Int64, {});
  until.integers("two", {2});
  until.node("Less", {"i", "two"}, {"go_list"});
  until.node("Squeeze", {"go_list"}, {"go_out"});
  until.node("Add", {"n_in", "i"}, {"n_out"});
  until.output("go_out", Bool).output("n_out", Int64).output("i_out", Int64);
  until.node("Identity", {"i"}, {"i_out"});
  models.standard("Loop", 21, "until a condition")
      .absent_input()
      .input({}, Bool, {1})
      .input({}, Int64, {0})
      .output(Int64)
      .output(Int64)
      .node()
      .graph("body", until);
}

model::OnnxBuilder scan_body(const Dims& item) {
  model::OnnxBuilder body;
  body.input("sum_in", Float32, item).input("item", Float32, item);
  body.node("Add", {"sum_in", "item"}, {"sum_out"});
  body.node("Mul", {"sum_out", "item"}, {"product"});
  body.output("sum_out").output("product");
  return body;
}

void add_scans(OperatorModels& models) {
  models.standard("Scan", 21)
      .input({4})
      .input({5, 4})
      .output()
      .output()
      .node()
      .integer("num_scan_inputs", 1)
      .graph("body", scan_body({4}));
  models.standard("Scan", 21, "other axes")
      .input({5})
      .input({5, 3})
      .output()
      .output()
      .node()
      .integer("num_scan_inputs", 1)
      .ints("scan_input_axes", {1})
      .ints("scan_output_axes", {-1})
      .ints("scan_input_directions", {1})
      .graph("body", scan_body({5}));
}

void add_branches(OperatorModels& models) {
  for (const bool taken : {true, false}) {
    model::OnnxBuilder then_branch;
    then_branch.node("Transpose", {"t"}, {"turned"});
    then_branch.output("turned");
    model::OnnxBuilder else_branch;
    else_branch.node("Concat", {"t", "t"}, {"doubled"}).integer("axis", 1);
    else_branch.output("doubled");
    auto& model = models.standard("If", 21, taken ? "then" : "else");
    model.input({}, Bool, {taken ? 1.0 : 0.0})
        .output()
        .node()
        .graph("then_branch", then_branch)
        .graph("else_branch", else_branch);
    model.builder().input("t", Float32, {2, 3});
  }
}

void add_sequences(OperatorModels& models) {
  for (const bool keep : {true, false}) {
    auto& split = models.standard("SplitToSequence", 21, keep ? "rows" : "rows without axis");
    split.input({3, 4});
    model::OnnxBuilder& builder = split.builder();
    builder.node("SplitToSequence", {"x0"}, {"s"}).integer("axis", 0).integer("keepdims", keep);
    builder.integers("last", {-1});
    builder.node("Squeeze", {"last"}, {"position"});
    builder.node("SequenceAt", {"s", "position"}, {"item"});
    builder.node("SequenceLength", {"s"}, {"length"});
    builder.node("ConcatFromSequence", {"s"}, {"joined"})
        .integer("axis", 0)
        .integer("new_axis", keep ? 0 : 1);
    builder.output("item").output("length", Int64).output("joined");
  }
  auto& parts = models.standard("SplitToSequence", 21, "given lengths");
  parts.input({7, 4}).list({3, 2, 2});
  model::OnnxBuilder& builder = parts.builder();
  builder.node("SplitToSequence", {"x0", "x1"}, {"s"}).integer("axis", 0);
  builder.node("SequenceErase", {"s"}, {"shorter"});
  builder.node("SequenceInsert", {"shorter", "x0"}, {"longer"});
  builder.node("ConcatFromSequence", {"longer"}, {"joined"}).integer("axis", 0);
  builder.output("joined");
  auto& made = models.standard("SequenceConstruct", 21);
  made.input({2, 4}).input({3, 4});
  made.builder().node("SequenceConstruct", {"x0", "x1"}, {"s"});
  made.builder().node("ConcatFromSequence", {"s"}, {"joined"}).integer("axis", 0);
  made.builder().output("joined");
}

}  // namespace

void add_control_flow_models(OperatorModels& models) {
  add_loops(models);
  add_scans(models);
  add_branches(models);
  add_sequences(models);
}

}  // namespace jouletree::test
