// Writes the small models, good and bad, that the golden tests of the command line run on.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "golden/other_files.hpp"
#include "golden/sample_calibrations.hpp"
#include "golden/sample_profiles.hpp"
#include "golden/sample_studies.hpp"
#include "model/onnx/onnx_builder.hpp"
#include "support/empty_zip.hpp"
#include "support/sample_programs.hpp"
#include "support/synthetic_runs.hpp"

namespace {

using jouletree::DataType;
using jouletree::model::OnnxBuilder;

std::string cnn() {
  OnnxBuilder model(17);
  model.symbolic_input("pixels", DataType::Float32, {"batch", "3", "32", "32"});
  model.initializer("features.0.weight", DataType::Float32, {8, 3, 3, 3});
  model.initializer("features.0.bias", DataType::Float32, {8});
  model.initializer("features.1.weight", DataType::Float32, {8});
  model.initializer("features.1.bias", DataType::Float32, {8});
  model.initializer("features.1.running_mean", DataType::Float32, {8});
  model.initializer("features.1.running_var", DataType::Float32, {8});
  model.initializer("classifier.weight", DataType::Float32, {10, 2048});
  model.initializer("classifier.bias", DataType::Float32, {10});
  model.node("Conv", {"pixels", "features.0.weight", "features.0.bias"}, {"c"})
      .name("/features/features.0/Conv")
      .ints("kernel_shape", {3, 3})
      .ints("pads", {1, 1, 1, 1})
      .ints("strides", {1, 1});
  model
      .node("BatchNormalization",
            {"c", "features.1.weight", "features.1.bias", "features.1.running_mean",
             "features.1.running_var"},
            {"n"})
      .name("/features/features.1/BatchNormalization");
  model.node("Relu", {"n"}, {"r"}).name("/features/features.2/Relu");
  model.node("MaxPool", {"r"}, {"p"})
      .name("/features/features.3/MaxPool")
      .ints("kernel_shape", {2, 2})
      .ints("strides", {2, 2});
  model.node("Flatten", {"p"}, {"f"}).name("/Flatten");
  model.node("Gemm", {"f", "classifier.weight", "classifier.bias"}, {"logits"})
      .name("/classifier/Gemm")
      .integer("transB", 1);
  model.output("logits");
  return model.model_bytes();
}

std::string keras() {
  OnnxBuilder model(13);
  model.input("x", DataType::Float32, {1, 4});
  model.initializer("kernel", DataType::Float32, {4, 4});
  model.node("MatMul", {"x", "kernel"}, {"a"})
      .name("StatefulPartitionedCall/model/block_1/dense/MatMul");
  model.node("Relu", {"a"}, {"b"}).name("StatefulPartitionedCall/model/block_1/dense/Relu");
  model.node("MatMul", {"b", "kernel"}, {"y"})
      .name("StatefulPartitionedCall/model/block_2/dense/MatMul");
  model.output("y");
  return model.model_bytes();
}

std::string newer_exporter() {
  OnnxBuilder model(18);
  model.input("x", DataType::Float32, {1, 4});
  model.initializer("w", DataType::Float32, {4, 4});
  const std::string classes =
      "['models.Net', 'torch.nn.modules.container.Sequential', "
      "'torch.nn.modules.linear.Linear', 'aten.linear.default']";
  model.node("MatMul", {"x", "w"}, {"y"})
      .name("node_linear")
      .metadata("pkg.torch.onnx.name_scopes", "['', 'layers', 'layers.0', 'linear']")
      .metadata("pkg.torch.onnx.class_hierarchy", classes);
  model.output("y");
  return model.model_bytes();
}

std::string mystery() {
  OnnxBuilder model(17);
  model.import_domain("com.example", 1);
  model.input("x", DataType::Float32, {1, 16});
  model.initializer("w", DataType::Float32, {16, 16});
  model.node("MatMul", {"x", "w"}, {"a"}).name("multiply");
  model.node("Mystery", {"a"}, {"b"}).domain("com.example").name("unknown");
  model.node("Relu", {"b"}, {"y"}).name("after");
  model.output("y");
  return model.model_bytes();
}

std::string branches() {
  OnnxBuilder cheap;
  cheap.node("Relu", {"x"}, {"cheap_out"}).name("cheap");
  cheap.output("cheap_out");
  OnnxBuilder dear;
  dear.node("MatMul", {"x", "w"}, {"dear_out"}).name("dear");
  dear.output("dear_out");
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 16}).input("flag", DataType::Bool, {});
  model.initializer("w", DataType::Float32, {16, 16});
  model.node("If", {"flag"}, {"y"})
      .name("choice")
      .graph("then_branch", cheap)
      .graph("else_branch", dear);
  model.output("y");
  return model.model_bytes();
}

/// All sizes are open, as after an export with every axis dynamic.
std::string detector() {
  OnnxBuilder model(17);
  model.symbolic_input("pixels", DataType::Float32, {"batch", "channels", "height", "width"});
  model.symbolic_input("size", DataType::Float32, {"batch", "?"});
  model.initializer("w", DataType::Float32, {8, 3, 7, 7});
  model.initializer("v", DataType::Float32, {12, 4});
  model.node("Conv", {"pixels", "w"}, {"c"}).name("/conv1/Conv");
  model.node("GlobalAveragePool", {"c"}, {"p"}).name("/pool/GlobalAveragePool");
  model.node("Flatten", {"p"}, {"f"}).name("/Flatten");
  model.node("Concat", {"f", "size"}, {"j"}).name("/Concat").integer("axis", 1);
  model.node("MatMul", {"j", "v"}, {"y"}).name("/head/MatMul");
  model.output("y");
  return model.model_bytes();
}

std::string decoder() {
  OnnxBuilder model(17);
  model.symbolic_input("input_ids", DataType::Int64, {"batch", "sequence"});
  model.symbolic_input("attention_mask", DataType::Int64, {"batch", "total_sequence"});
  model.symbolic_input("past_key_values.0.key", DataType::Float32, {"batch", "4", "past", "8"});
  model.initializer("table", DataType::Float32, {100, 32});
  model.integers("heads", {0, -1, 4, 8});
  model.node("Gather", {"table", "input_ids"}, {"e"}).name("/embed/Gather");
  model.node("Reshape", {"e", "heads"}, {"s"}).name("/Reshape");
  model.node("Transpose", {"s"}, {"k"}).name("/Transpose").ints("perm", {0, 2, 1, 3});
  model.node("Concat", {"past_key_values.0.key", "k"}, {"present.0.key"})
      .name("/Concat")
      .integer("axis", 2);
  model.output("present.0.key");
  return model.model_bytes();
}

std::string add_of(const jouletree::Dims& left, const jouletree::Dims& right) {
  OnnxBuilder model(17);
  model.input("a", DataType::Float32, left).input("b", DataType::Float32, right);
  model.node("Add", {"a", "b"}, {"y"}).name("sum");
  model.output("y");
  return model.model_bytes();
}

std::string cycle() {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1});
  model.node("Add", {"x", "b"}, {"a"}).name("first");
  model.node("Relu", {"a"}, {"b"}).name("second");
  model.output("b");
  return model.model_bytes();
}

std::string wrong_type() {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 4});
  model.node("Softmax", {"x"}, {"y"}).name("soft").text("axis", "last");
  model.output("y");
  return model.model_bytes();
}

std::string external(const std::string& location) {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 4});
  model.external_initializer("w", DataType::Float32, {4, 4}, location, 0, 64);
  model.node("MatMul", {"x", "w"}, {"y"}).name("multiply");
  model.output("y");
  return model.model_bytes();
}

std::string dangling() {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 4});
  model.node("Add", {"x", "nowhere"}, {"y"}).name("sum");
  model.output("y");
  return model.model_bytes();
}

/// As PyTorch exports a model that was never trained: biases are equal, and stored once.
std::string merged_biases() {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 3, 8, 8});
  const char* bias = "layer1.0.bias";
  model.initializer(bias, DataType::Float32, {4});
  for (const char* other : {"layer1.1.bias", "layer2.bias"})
    model.node("Identity", {bias}, {other}).name("Identity_" + std::string(other));
  model.initializer("layer1.0.weight", DataType::Float32, {4, 3, 1, 1});
  model.initializer("layer1.1.weight", DataType::Float32, {4, 4, 1, 1});
  model.initializer("layer2.weight", DataType::Float32, {4, 4, 1, 1});
  model.node("Conv", {"x", "layer1.0.weight", bias}, {"a"}).name("/layer1/layer1.0/Conv");
  model.node("Conv", {"a", "layer1.1.weight", "layer1.1.bias"}, {"b"})
      .name("/layer1/layer1.1/Conv");
  model.node("Conv", {"b", "layer2.weight", "layer2.bias"}, {"y"}).name("/layer2/Conv");
  model.output("y");
  return model.model_bytes();
}

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  text.replace(text.find(what), what.size(), with);
  return text;
}

std::string all_replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

/// Whole models only, in all the forms that people have them.
void write_data_that_teach_nothing(const std::filesystem::path& folder,
                                   std::vector<jouletree::TreeRun> runs) {
  for (jouletree::TreeRun& run : runs) {
    run.nodes.resize(1);
    run.nodes.front().children.clear();
  }
  write(folder / "whole_models.jsonl", jouletree::test::tree_lines(runs));
  write(folder / "whole_models.csv", "arch_idx,arch_str,latency_ms\n0,|conv~0|,1.83\n");
  write(folder / "op_counts.csv", "model,op_class,count\nresnet18,Conv2d,20\n");
  write(folder / "no_time.csv", "name,type,macs\nhead,Gemm,64\n");
  write(folder / "table.csv", "when,watts\n0,12\n");
}

/// Whole models in tables, good and bad: cells of which one operation after the other is counted.
void write_model_tables(const std::filesystem::path& folder) {
  const std::vector<std::string> operations = {"nor_conv_3x3", "nor_conv_1x1", "avg_pool_3x3",
                                               "skip_connect", "none"};
  std::string rows = "arch_str,size,cells,latency_ms,energy_mj\n";
  int place = 0;
  for (const std::string& first : operations) {
    for (const std::string& second : operations) {
      const int convolutions =
          (first == "nor_conv_3x3" ? 3 : 1) + (second == "nor_conv_3x3" ? 3 : 1);
      const double milliseconds = 0.4 + 0.21 * convolutions + 0.01 * (place++ % 7);
      rows += "|" + first + "~0|+|skip_connect~0|" + second + "~1|+|none~0|" + first +
              "~1|skip_connect~2|,16,1," + std::to_string(milliseconds) + "," +
              std::to_string(5 * milliseconds) + "\n";
    }
  }
  write(folder / "cells.csv", rows);
  write(folder / "cells_to_predict.csv",
        "arch_str,size,cells\n|nor_conv_3x3~0|+|none~0|nor_conv_1x1~1|+|skip_connect~0|none~1|"
        "avg_pool_3x3~2|,16,1\n|none~0|+|none~0|none~1|+|none~0|none~1|none~2|,16,1\n");
  write(folder / "missing_models.csv",
        "model,latency_ms\ngone.onnx,3\nresnet-18,4\n|conv~0|+|none~0|none~1|+|none~0|none~1|"
        "none~2|,5\nresnet-19,6\n");
  write(folder / "negative.csv", "model,latency_ms\nresnet-18,4\nresnet-34,-4\n");
  write(folder / "unmeasured.csv", "model,note\nresnet-18,later\n");
  write(folder / "empty_fields.csv", "model,latency_ms\nresnet-18,\n");
  write(folder / "few_models.csv", "model,size,latency_ms\nresnet-18,32,4\nresnet-34,32,7\n");
}

/// As 'jouletree profile -o' leaves them, as far as training looks.
void write_profiles(const std::filesystem::path& folder,
                    const std::vector<jouletree::TreeRun>& runs) {
  for (const auto& [name, run] : {std::pair("bert-a", 0), std::pair("bert-b", 4)}) {
    const std::filesystem::path profile = folder / "profiles" / name;
    std::filesystem::create_directories(profile);
    write(profile / "profile.json", "{}\n");
    write(profile / "tree.jsonl",
          jouletree::test::tree_lines({runs[static_cast<std::size_t>(run)]}));
  }
  std::filesystem::create_directories(folder / "empty_folder");
}

/// Tree files, good and bad, for the commands that predict.
void write_runs(const std::filesystem::path& folder) {
  const std::vector<jouletree::TreeRun> runs = jouletree::test::synthetic_runs();
  const std::string lines = jouletree::test::tree_lines(runs);
  write(folder / "runs.jsonl", lines);
  const std::string one = jouletree::test::tree_lines({runs[0], runs[1]});
  write(folder / "one_model.jsonl", one);
  write(folder / "models.list", "cnn.onnx\n\nbert-l2-h128\n");
  write(folder / "nan.jsonl", replaced(one, "\"times_mean\":", "\"times_mean\":NaN,\"x\":"));
  write(folder / "zero.jsonl",
        replaced(one, "\"ground_truth_energy\":", "\"ground_truth_energy\":0.0,\"x\":"));
  write(folder / "twice.jsonl", one + one);
  write(folder / "strange_type.jsonl", replaced(one, "\"module\"", "\"block\""));
  write(folder / "no_features.jsonl", replaced(one, "\"cpu\":", "\"cqu\":"));
  write(folder / "unseen.jsonl", replaced(one, "\"LayerNorm\"", "\"GroupNorm\""));
  write(folder / "no_flops.jsonl", all_replaced(lines, "\"flops\":", "\"flips\":"));
  write_model_tables(folder);
  write_data_that_teach_nothing(folder, runs);
  write_profiles(folder, runs);
  write(folder / "other_version.json", "{\"format\": \"jouletree predictor\", \"version\": 99}\n");
}

/// A .npy file of this type and shape, full of zeros.
std::string npy(const std::string& type, const std::string& shape, std::size_t bytes) {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize(117, ' ');
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size());
  file += '\0';
  return file + header + std::string(bytes, '\0');
}

/// For 'score'.
void write_arrays(const std::filesystem::path& folder) {
  write(folder / "labels.npy", npy("<i8", "(4,)", 32));
  write(folder / "no_labels.npy", npy("<i8", "(0,)", 0));
  write(folder / "objects.npy", npy("|O", "(4,)", 32));
  write(folder / "words.npy", npy("<U3", "(4,)", 48));
  write(folder / "cut_labels.npy", npy("<i8", "(4,)", 31));
}

/// Programs of torch.export, good and bad.
void write_programs(const std::filesystem::path& folder) {
  jouletree::test::ProgramBuilder newer = jouletree::test::linear_program();
  newer.schema(R"({"major": 9, "minor": 0})");
  const std::string good = jouletree::test::linear_program().bytes();
  write(folder / "linear.pt2", good);
  write(folder / "choosing.pt2", jouletree::test::choosing_program().bytes());
  write(folder / "newer.pt2", newer.bytes());
  write(folder / "cut.pt2", good.substr(0, good.size() - 100));
  write(folder / "compiled.pt2",
        jouletree::test::zip_bytes(
            {{"net/archive_format", "pt2"}, {"net/data/aotinductor/model/code.so", "code"}}));
  write(folder / "other_format.pt2", jouletree::test::zip_bytes({{"net/archive_format", "pt9"},
                                                                 {"net/models/model.json", "{}"}}));
  write(folder / "two.pt2", jouletree::test::zip_bytes(
                                {{"net/models/left.json", "{}"}, {"net/models/right.json", "{}"}}));
}

/// What databases are made of: they are made by the commands that show them, from nothing.
void write_tables(const std::filesystem::path& folder) {
  for (const char* const database :
       {"golden_lab.sqlite", "golden_operators.sqlite", "golden_history.sqlite"})
    std::filesystem::remove(folder / database);
  std::filesystem::remove_all(folder / "golden_baseline");
  write(folder / "board.csv",
        "model,batch,latency_ms,energy_mj\nnet,1,4,20\nnet,8,24,110\nwide,1,5,\n");
  write(folder / "operators_only.csv",
        "op_class,input_shape,runtime_mean_s\nConv2d,\"(1, 3)\",1\n");
  std::filesystem::copy_file(folder / "keras.onnx", folder / "keras.sqlite#old",
                             std::filesystem::copy_options::overwrite_existing);
}

/// Of campaigns: one that can be measured, and some with slips of the pen.
void write_plans(const std::filesystem::path& folder) {
  write(folder / "plan.yml",
        "name: golden\nmodels:\n  - cnn.onnx\n  - zoo: bert-l2-h128\n    set: {layers: [1, 2]}\n"
        "dims: {sequence: [8, 16]}\nmodes: [inference, training]\nbudget: 10s\n");
  write(folder / "misspelled.yml", "name: golden\nmodles: [cnn.onnx]\n");
  write(folder / "absent.yml", "models:\n  - cnn.onnx\n  - absent.onnx\n");
  write(folder / "wide.yml", "models: [cnn.onnx]\nthreads: many\n");
  write(folder / "torn.yml", "models: [cnn.onnx\n");
  write(folder / "summary.yml",
        "- done: false\n  input_size: [32, 3, 224, 224]\n  model_name: resnet18\n  weights_name: "
        "ResNet18_Weights\n- done: false\n  input_size: [32, 3, 224, 224]\n  model_name: "
        "densenet121\n  weights_name: DenseNet121_Weights\n");
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: make_golden_models FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder / "a_folder");
  const std::string good = cnn();
  write(folder / "cnn.onnx", good);
  write(folder / "keras.onnx", keras());
  write(folder / "detector.onnx", detector());
  write(folder / "decoder.onnx", decoder());
  write(folder / "newer_exporter.onnx", newer_exporter());
  write(folder / "merged_biases.onnx", merged_biases());
  write(folder / "mystery.onnx", mystery());
  write(folder / "branches.onnx", branches());
  write(folder / "truncated.onnx", good.substr(0, good.size() / 2));
  std::string damaged = good;
  for (std::size_t i = 40; i < 60; ++i) damaged[i] = '\xFF';
  write(folder / "damaged.onnx", damaged);
  write(folder / "empty.onnx", "");
  write(folder / "text.onnx", "This is a letter, not a model.\nKind regards\n");
  write(folder / "huge.onnx", add_of({1LL << 40, 1LL << 40}, {1}));
  write(folder / "unfit.onnx", add_of({2, 3}, {2, 4}));
  write(folder / "cycle.onnx", cycle());
  write(folder / "wrong_type.onnx", wrong_type());
  write(folder / "outside.onnx", external("../secret.bin"));
  write(folder / "missing_weights.onnx", external("weights.bin"));
  write(folder / "short_weights.onnx", external("short.bin"));
  write(folder / "short.bin", "0123456789");
  write(folder / "dangling.onnx", dangling());
  write(folder / "checkpoint.pt", jouletree::test::empty_zip({"net/data.pkl", "net/data/0"}));
  write(folder / "old_checkpoint.pt", "\x80\x02}q");
  write(folder / "exported.pt2",
        jouletree::test::empty_zip({"p/serialized_exported_program.json"}));
  write_programs(folder);
  write(folder / "letters.zip", jouletree::test::empty_zip({"letters/mother.txt"}));
  write(folder / "hollow.pt", jouletree::test::empty_zip({"net/data.pkl", "net/code/net.py"}));
  jouletree::test::write_other_files(folder);
  write_arrays(folder);
  write_runs(folder);
  write_plans(folder);
  write_tables(folder);
  jouletree::test::write_sample_profiles(folder);
  jouletree::test::write_sample_calibrations(folder);
  jouletree::test::write_sample_studies(folder);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "make_golden_models: " << error.what() << '\n';
  return 1;
}
