#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jouletree/tree.hpp"
#include "support/onnx_builder.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::test {
namespace {

using ::testing::HasSubstr;

model::OnnxBuilder matmul_with_external_weights(std::string_view location,
                                                std::int64_t offset = 0) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 4});
  model.external_initializer("w", DataType::Float32, {4, 4}, location, offset, 64);
  model.node("MatMul", {"x", "w"}, {"y"});
  model.output("y");
  return model;
}

std::string error_of_file(const std::filesystem::path& path) {
  try {
    (void)read_onnx(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "";
}

TEST(OnnxReader, LeavesWeightsWhereTheyAre) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 64});
  model.initializer("w", DataType::Float32, {64, 64});
  model.node("MatMul", {"x", "w"}, {"y"});
  model.output("y");
  const std::string bytes = model.model_bytes();
  const Graph graph = read_onnx(bytes, "model.onnx");
  for (const GraphValue& value : graph.values) {
    if (!value.constant) continue;
    EXPECT_GE(value.constant->raw.data(), bytes.data());
    EXPECT_LE(value.constant->raw.data() + value.constant->raw.size(), bytes.data() + bytes.size());
  }
}

TEST(OnnxReader, CountsExternalDataAsPartOfTheModel) {
  const TempFolder folder;
  folder.write("weights.bin", std::string(64, '\0'));
  const auto path =
      folder.write("m.onnx", matmul_with_external_weights("weights.bin").model_bytes());
  const Graph graph = read_onnx(path);
  EXPECT_EQ(graph.external_files.at("weights.bin"), 64);
  EXPECT_TRUE(graph.missing_external_files.empty());
}

TEST(OnnxReader, ReadsSmallShapesFromExternalData) {
  const TempFolder folder;
  const std::int64_t shape[] = {4, -1};
  folder.write("data/shape.bin", {reinterpret_cast<const char*>(shape), sizeof(shape)});
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 6});
  model.external_initializer("s", DataType::Int64, {2}, "data/shape.bin", 0, 16);
  model.node("Reshape", {"x", "s"}, {"y"});
  model.output("y");
  const ModelTree tree = inspect_model(folder.write("m.onnx", model.model_bytes()), {});
  EXPECT_EQ(tree.inference.values[tree.graph->main.outputs[0]].dims, (Dims{4, 3}));
}

TEST(OnnxReader, RefusesExternalDataOutsideTheModelsFolder) {
  for (const char* location : {"../w.bin", "/etc/passwd", "a/../../w.bin", "..", ""}) {
    EXPECT_THAT(error_of(matmul_with_external_weights(location)), HasSubstr("refused")) << location;
  }
  EXPECT_EQ(error_of(matmul_with_external_weights("a/../w.bin")), "");
}

TEST(OnnxReader, RefusesALinkThatLeadsOutsideTheModelsFolder) {
  const TempFolder folder;
  folder.write("secret.bin", std::string(64, '\0'));
  const auto path =
      folder.write("models/m.onnx", matmul_with_external_weights("w.bin").model_bytes());
  std::filesystem::create_symlink(folder.path() / "secret.bin", folder.path() / "models/w.bin");
  EXPECT_THAT(error_of_file(path), HasSubstr("link"));
}

TEST(OnnxReader, FollowsLinksIntoTheStoreOfADownloadCache) {
  const TempFolder folder;
  folder.write("blobs/1", matmul_with_external_weights("w.bin").model_bytes());
  folder.write("blobs/2", std::string(64, '\0'));
  std::filesystem::create_directories(folder.path() / "snapshot");
  std::filesystem::create_symlink("../blobs/1", folder.path() / "snapshot/m.onnx");
  std::filesystem::create_symlink("../blobs/2", folder.path() / "snapshot/w.bin");
  EXPECT_EQ(error_of_file(folder.path() / "snapshot/m.onnx"), "");
}

TEST(OnnxReader, RefusesWeightsBeyondTheEndOfTheirFile) {
  const TempFolder folder;
  folder.write("w.bin", std::string(64, '\0'));
  const auto path = folder.write("m.onnx", matmul_with_external_weights("w.bin", 1).model_bytes());
  EXPECT_THAT(error_of_file(path), HasSubstr("truncated"));
}

TEST(OnnxReader, ExpandsFunctionsWithTheirAttributesAndNames) {
  OnnxBuilder inner;
  inner.node("LeakyRelu", {"v"}, {"r"}).name("act").reference("alpha", "slope");
  OnnxBuilder outer;
  outer.import_domain("local", 1);
  outer.node("Act", {"a"}, {"b"}).domain("local").name("inner").reference("slope", "gain");
  OnnxBuilder model;
  model.import_domain("local", 1);
  model.input("x", DataType::Float32, {3});
  model.function("local", "Act", {"v"}, {"r"}, {"slope"}, inner);
  model.function("local", "Wrap", {"a"}, {"b"}, {"gain"}, outer);
  model.node("Wrap", {"x"}, {"y"}).domain("local").name("outer").real("gain", 0.25F);
  model.output("y");
  const Inspected got = inspect(model);
  ASSERT_EQ(got.graph().main.nodes.size(), 1U);
  const Node& node = got.graph().main.nodes[0];
  EXPECT_EQ(node.op, "LeakyRelu");
  EXPECT_FLOAT_EQ(node.attribute("alpha")->real, 0.25F);
  EXPECT_THAT(node.calls, ::testing::ElementsAre("outer", "inner"));
  EXPECT_EQ(got.dims("y"), (Dims{3}));
}

TEST(OnnxReader, RefusesFunctionsThatCallThemselves) {
  OnnxBuilder body;
  body.import_domain("local", 1);
  body.node("F", {"a"}, {"b"}).domain("local").name("again");
  OnnxBuilder model;
  model.import_domain("local", 1);
  model.input("x", DataType::Float32, {3});
  model.function("local", "F", {"a"}, {"b"}, {}, body);
  model.node("F", {"x"}, {"y"}).domain("local").name("first");
  model.output("y");
  EXPECT_THAT(error_of(model), HasSubstr("circle"));
}

TEST(OnnxReader, RefusesFunctionsThatGrowWithoutBound) {
  OnnxBuilder model;
  model.import_domain("local", 1);
  model.input("x", DataType::Float32, {3});
  for (int level = 0; level < 30; ++level) {
    OnnxBuilder body;
    body.import_domain("local", 1);
    const std::string next = "F" + std::to_string(level + 1);
    body.node(next, {"a"}, {"b"}).domain("local");
    body.node(next, {"b"}, {"c"}).domain("local");
    model.function("local", "F" + std::to_string(level), {"a"}, {"c"}, {}, body);
  }
  model.node("F0", {"x"}, {"y"}).domain("local");
  model.output("y");
  EXPECT_THAT(error_of(model), HasSubstr("nodes"));
}

TEST(OnnxReader, PutsNodesIntoExecutionOrder) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 3});
  model.node("Relu", {"t"}, {"y"}).name("second");
  model.node("Transpose", {"x"}, {"t"}).name("first");
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.graph().main.nodes[0].name, "first");
  EXPECT_EQ(got.dims("y"), (Dims{3, 2}));
}

TEST(OnnxReader, ANodeThatGivesNothingStandsBehindWhatItReads) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 3});
  model.node("Watch", {"t"}, {}).name("second").domain("nobody");
  model.node("Transpose", {"x"}, {"t"}).name("first");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.graph().main.nodes[0].name, "first");
  EXPECT_EQ(got.graph().main.nodes[1].name, "second");
}

TEST(OnnxReader, RefusesAValueThatIsWrittenTwice) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2});
  model.node("Relu", {"x"}, {"y"}).name("a");
  model.node("Abs", {"x"}, {"y"}).name("b");
  model.output("y");
  EXPECT_THAT(error_of(model), HasSubstr("already defined"));
}

TEST(OnnxReader, TreatsAnInitializerThatIsAlsoAnInputAsAConstant) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 4}).input("w", DataType::Float32, {4, 2});
  model.initializer("w", DataType::Float32, {4, 2});
  model.node("MatMul", {"x", "w"}, {"y"});
  model.output("y");
  EXPECT_EQ(classify_constants(inspect(model).graph()).by_value[1].role, ConstantRole::Parameter);
}

TEST(OnnxReader, CountsTheStoredElementsOfSparseTensors) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {1, 100});
  model.sparse_initializer("w", DataType::Float32, {100, 100}, 7);
  model.node("MatMul", {"x", "w"}, {"y"});
  model.output("y");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{1, 100}));
  const Constants constants = classify_constants(got.graph());
  for (std::size_t i = 0; i < got.graph().values.size(); ++i) {
    if (got.graph().values[i].name != "w") continue;
    EXPECT_EQ(constants.by_value[i].elements, 7);
    EXPECT_EQ(constants.by_value[i].bytes, 7 * 4 + 7 * 8);
  }
}

TEST(OnnxReader, LeavesAConstantNodeWithoutAPlainValueToTheOperatorTable) {
  const std::int64_t number = 7;
  const std::string_view bytes(reinterpret_cast<const char*>(&number), sizeof number);
  OnnxBuilder model;
  model.input("x", DataType::Int64, {1});
  model.node("Constant", {}, {"plain"}).tensor("value", DataType::Int64, {1}, bytes);
  model.node("Constant", {}, {"nameless"}).tensor("", DataType::Int64, {1}, bytes);
  model.node("Constant", {}, {"two"})
      .tensor("value", DataType::Int64, {1}, bytes)
      .tensor("value", DataType::Int64, {1}, bytes);
  model.node("Constant", {}, {"foreign"})
      .domain("com.example")
      .tensor("value", DataType::Int64, {1}, bytes);
  model.node("Add", {"x", "plain"}, {"y"});
  model.output("y");
  const std::string file = model.model_bytes();
  const Graph graph = read_onnx(file, "m.onnx");
  EXPECT_EQ(graph.main.nodes.size(), 4U);
  for (const GraphValue& value : graph.values)
    EXPECT_EQ(value.constant.has_value(), value.name == "plain") << value.name;
}

TEST(OnnxReader, NumbersTheOutputsOfNodesThatLeaveSomeOut) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {2, 4});
  model.node("Split", {"x"}, {"", "b"}).integer("axis", 1);
  model.node("Split", {"b"}, {"c", ""}).integer("axis", 1);
  model.node("Relu", {"c"}, {"y"});
  model.output("y");
  const std::string file = model.model_bytes();
  const Graph graph = read_onnx(file, "m.onnx");
  ASSERT_EQ(graph.main.nodes.size(), 3U);
  const auto name_of_output = [&](std::size_t node, std::size_t output) {
    const ValueId id = graph.main.nodes[node].outputs.at(output);
    return id == kNoValue ? std::string_view() : graph.values[id].name;
  };
  EXPECT_EQ(name_of_output(0, 0), "");
  EXPECT_EQ(name_of_output(0, 1), "b");
  EXPECT_EQ(name_of_output(1, 0), "c");
  EXPECT_EQ(name_of_output(1, 1), "");
  EXPECT_EQ(name_of_output(2, 0), "y");
  EXPECT_EQ(graph.main.nodes[1].inputs, (std::vector{graph.main.nodes[0].outputs[1]}));
}

TEST(OnnxReader, ReadsEveryKindOfConstantNode) {
  OnnxBuilder model;
  model.input("x", DataType::Float32, {6});
  model.node("Constant", {}, {"i"}).integer("value_int", 3);
  model.node("Constant", {}, {"f"}).reals("value_floats", {0.5F, 1.5F});
  model.node("Constant", {}, {"s"}).ints("value_ints", {2, 3});
  model.node("Reshape", {"x", "s"}, {"y"});
  model.node("Mul", {"i", "s"}, {"p"});
  model.node("Identity", {"f"}, {"g"});
  model.output("y").output("p", DataType::Int64).output("g");
  const Inspected got = inspect(model);
  EXPECT_EQ(got.dims("y"), (Dims{2, 3}));
  EXPECT_EQ(got.content("p"), (std::vector<std::int64_t>{6, 9}));
  EXPECT_EQ(got.real_content("g"), (std::vector<double>{0.5, 1.5}));
  EXPECT_EQ(got.graph().main.nodes.size(), 3U);
}

/// So many nodes that two threads read them. `special` is one of the second half.
std::string many_nodes(const std::function<void(OnnxBuilder&, std::string, std::string)>& special) {
  constexpr int kNodes = 3000;
  constexpr int kSpecial = 2000;
  OnnxBuilder model;
  model.input("v0", DataType::Float32, {2, 3});
  model.input("c", DataType::Bool, {});
  for (int i = 0; i < kNodes; ++i) {
    const std::string from = "v" + std::to_string(i);
    const std::string to = "v" + std::to_string(i + 1);
    if (i == kSpecial) {
      special(model, from, to);
    } else {
      model.node("Softmax", {from}, {to}).integer("axis", i % 2).name("n" + std::to_string(i));
    }
  }
  model.output("v" + std::to_string(kNodes));
  return model.model_bytes();
}

TEST(OnnxReader, ReadsManyNodesInTheirOrder) {
  const std::string bytes = many_nodes([](OnnxBuilder& model, const auto& from, const auto& to) {
    OnnxBuilder branch(17);
    branch.node("Relu", {from}, {"inner"}).name("nested");
    branch.output("inner");
    model.node("If", {"c"}, {to})
        .name("n2000")
        .graph("then_branch", branch)
        .graph("else_branch", branch);
  });
  const Graph graph = read_onnx(bytes, "m.onnx");
  ASSERT_EQ(graph.main.nodes.size(), 3000U);
  for (std::size_t i = 0; i < graph.main.nodes.size(); ++i) {
    const Node& node = graph.main.nodes[i];
    ASSERT_EQ(node.name, "n" + std::to_string(i));
    ASSERT_EQ(graph.values[node.outputs.at(0)].name, "v" + std::to_string(i + 1));
    if (node.op == "If") {
      ASSERT_EQ(node.attributes.size(), 2U);
      EXPECT_EQ(node.attributes[0].blocks.at(0)->nodes.at(0).name, "nested");
      continue;
    }
    ASSERT_EQ(graph.values[node.inputs.at(0)].name, "v" + std::to_string(i));
    ASSERT_EQ(node.attribute("axis")->integer, static_cast<std::int64_t>(i % 2));
  }
}

TEST(OnnxReader, NamesTheNodeThatIsWrongAmongMany) {
  const std::string bytes = many_nodes([](OnnxBuilder& model, const auto&, const auto& to) {
    model.node("Relu", {"nobody"}, {to}).name("wrong");
  });
  try {
    (void)read_onnx(bytes, "m.onnx");
    FAIL() << "an input that nothing produces was found";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("node 'wrong' (Relu) reads 'nobody'"));
  }
}

}  // namespace
}  // namespace jouletree::test
