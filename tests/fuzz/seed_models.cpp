#include "seed_models.hpp"

#include "model/onnx/onnx_builder.hpp"
#include "model/operators/table.hpp"

namespace jouletree::test {
namespace {

constexpr int kOpset = 21;

/// Inputs of several types and ranks, and the attributes that most operators ask for: enough for
/// the rule to get going, the fuzzer does the rest.
SeedModel operator_model(const model::OperatorRow& row, bool attributes_as_inputs) {
  model::OnnxBuilder model(kOpset);
  if (!row.domain.empty()) model.import_domain(row.domain, 1);
  model.input("x", DataType::Float32, {1, 4, 8, 8});
  model.initializer("w", DataType::Float32, {4, 4, 3, 3});
  model.initializer("b", DataType::Float32, {4});
  model.integers("two", {2, 2});
  model.input("i", DataType::Int64, {2});
  model::OnnxNode& node = attributes_as_inputs
                              ? model.node(row.op, {"x", "two", "two", "two", "two"}, {"y", "z"})
                              : model.node(row.op, {"x", "w", "b", "i"}, {"y", "z", "q"});
  node.domain(row.domain).name("seed");
  if (!attributes_as_inputs) {
    node.integer("axis", 1).ints("kernel_shape", {3, 3}).ints("pads", {1, 1, 1, 1});
    node.ints("strides", {2, 2})
        .integer("group", 1)
        .integer("num_heads", 2)
        .integer("hidden_size", 4);
    node.integer("K", 8).integer("N", 4).integer("bits", 4).integer("block_size", 16);
    node.text("equation", "abcd,abde->abce").integer("to", 1).ints("perm", {0, 2, 3, 1});
  }
  model.output("y");
  const std::string suffix = attributes_as_inputs ? "_inputs" : "";
  return {(row.domain.empty() ? "" : std::string(row.domain) + ".") + std::string(row.op) + suffix,
          model.model_bytes()};
}

model::OnnxBuilder loop_body() {
  model::OnnxBuilder body;
  body.input("trip", DataType::Int64, {}).input("go_in", DataType::Bool, {});
  body.input("carried_in", DataType::Float32, {2, 3});
  body.node("Identity", {"go_in"}, {"go_out"});
  body.node("Concat", {"carried_in", "x"}, {"carried_out"}).integer("axis", 0);
  body.output("go_out", DataType::Bool).output("carried_out").output("carried_in");
  return body;
}

SeedModel control_flow_model() {
  model::OnnxBuilder model(kOpset);
  model.input("x", DataType::Float32, {2, 3}).input("go", DataType::Bool, {});
  model.initializer("trips", DataType::Int64, {}, std::string("\3\0\0\0\0\0\0\0", 8));
  model.node("Loop", {"trips", "go", "x"}, {"grown", "steps"}).graph("body", loop_body());
  model::OnnxBuilder branch;
  branch.node("Relu", {"x"}, {"branch_out"});
  branch.output("branch_out");
  model.node("If", {"go"}, {"chosen"}).graph("then_branch", branch).graph("else_branch", branch);
  model::OnnxBuilder scan;
  scan.input("row", DataType::Float32, {3});
  scan.node("Neg", {"row"}, {"negative"});
  scan.output("negative");
  model.node("Scan", {"x"}, {"scanned"}).graph("body", scan).integer("num_scan_inputs", 1);
  model.output("grown").output("steps").output("chosen").output("scanned");
  return {"control_flow", model.model_bytes()};
}

SeedModel format_model() {
  model::OnnxBuilder model(kOpset);
  model.import_domain("local", 1);
  model.symbolic_input("x", DataType::Float32, {"batch", "past + 1", "8"});
  model.external_initializer("far", DataType::Float32, {8, 8}, "weights.bin", 64, 256);
  model.sparse_initializer("thin", DataType::Float32, {8, 8}, 5);
  model::OnnxBuilder body;
  body.node("MatMul", {"left", "right"}, {"product"}).name("/product");
  body.node("LeakyRelu", {"product"}, {"result"}).reference("alpha", "slope");
  model.function("local", "Dense", {"left", "right"}, {"result"}, {"slope"}, body);
  model.node("Dense", {"x", "far"}, {"h"}).domain("local").name("/a/a.0/Dense").real("slope", 0.1F);
  model.node("Dense", {"h", "thin"}, {"y"}).domain("local").name("/a/a.1/Dense");
  model.node("Shape", {"y"}, {"s"})
      .metadata("pkg.torch.onnx.name_scopes", "['', 'a', 'a.b', 'op']");
  model.node("Reshape", {"y", "s"}, {"z"}).metadata("namespace", ": M/a: N/op: aten");
  model.node("Constant", {}, {"c"}).ints("value_ints", {1, 2});
  model.node("Tile", {"z", "c"}, {"t"});
  model.value_info("t", DataType::Float32, {1, 2, 8}).output("z").output("t");
  return {"format", model.model_bytes()};
}

}  // namespace

std::vector<SeedModel> seed_models() {
  std::vector<SeedModel> models{control_flow_model(), format_model()};
  for (const model::OperatorRow& row : model::operator_rows()) {
    models.push_back(operator_model(row, false));
    models.push_back(operator_model(row, true));
  }
  return models;
}

}  // namespace jouletree::test
