// Writes a small transformer encoder for images as an ONNX file, with seeded random weights and the
// module names that an exporter would give: something to inspect when no model is at hand.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "model/onnx/onnx_builder.hpp"

namespace {

using jouletree::DataType;
using jouletree::Dim;
using jouletree::Dims;
using jouletree::OnnxBuilder;

constexpr Dim kWidth = 192;
constexpr Dim kHeads = 3;
constexpr Dim kHeadWidth = kWidth / kHeads;
constexpr Dim kHidden = 4 * kWidth;
constexpr Dim kPatch = 16;
constexpr Dim kPatches = Dim{14} * 14;
constexpr Dim kClasses = 1000;
constexpr int kLayers = 6;

class DemoModel {
 public:
  std::string write() {
    model_.symbolic_input("pixels", DataType::Float32, {"batch", "3", "224", "224"});
    model_.integers("as_heads", {0, 0, kHeads, kHeadWidth});
    model_.integers("as_tokens", {0, 0, kWidth});
    model_.reals("scale", {1.0F / std::sqrt(static_cast<float>(kHeadWidth))});
    std::string tokens = embed("pixels");
    for (int layer = 0; layer < kLayers; ++layer) tokens = encode(tokens, layer);
    classify(tokens);
    return model_.model_bytes();
  }

 private:
  std::string weight(const std::string& name, const Dims& dims) {
    const auto count = static_cast<std::size_t>(jouletree::elements_of(dims).value());
    std::vector<float> values(count);
    for (float& value : values) value = normal_(random_);
    std::string bytes(count * sizeof(float), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    model_.initializer(name, DataType::Float32, dims, bytes);
    return name;
  }

  std::string node(const std::string& module, const std::string& op,
                   const std::vector<std::string>& inputs) {
    const std::string name = "/" + module + (module.empty() ? "" : "/") + op + suffix(module + op);
    model_.node(op, inputs, {name + "_out"}).name(name);
    return name + "_out";
  }

  std::string suffix(const std::string& key) {
    for (auto& [seen, count] : seen_)
      if (seen == key) return "_" + std::to_string(++count);
    seen_.emplace_back(key, 0);
    return "";
  }

  std::string linear(const std::string& module, const std::string& input, Dim from, Dim to) {
    const std::string product =
        node(module, "MatMul", {input, weight(module + ".weight", {from, to})});
    return node(module, "Add", {weight(module + ".bias", {to}), product});
  }

  std::string norm(const std::string& module, const std::string& input) {
    return node(module, "LayerNormalization",
                {input, weight(module + ".weight", {kWidth}), weight(module + ".bias", {kWidth})});
  }

  std::string heads(const std::string& module, const std::string& input) {
    const std::string split = node(module, "Reshape", {input, "as_heads"});
    std::string name = split + "_heads";
    model_.node("Transpose", {split}, {name})
        .name("/" + module + "/Transpose_of_" + std::to_string(++transposes_))
        .ints("perm", {0, 2, 1, 3});
    return name;
  }

  std::string embed(const std::string& pixels) {
    const std::string conv = "/patches/Conv_out";
    model_
        .node("Conv",
              {pixels, weight("patches.weight", {kWidth, 3, kPatch, kPatch}),
               weight("patches.bias", {kWidth})},
              {conv})
        .name("/patches/Conv")
        .ints("kernel_shape", {kPatch, kPatch})
        .ints("strides", {kPatch, kPatch});
    model_.integers("as_sequence", {0, kWidth, kPatches});
    const std::string flat = node("patches", "Reshape", {conv, "as_sequence"});
    const std::string sequence = flat + "_sequence";
    model_.node("Transpose", {flat}, {sequence}).name("/patches/Transpose").ints("perm", {0, 2, 1});
    return node("patches", "Add", {sequence, weight("patches.positions", {1, kPatches, kWidth})});
  }

  std::string attend(const std::string& module, const std::string& input) {
    const std::string query = heads(module, linear(module + "/query", input, kWidth, kWidth));
    const std::string key = heads(module, linear(module + "/key", input, kWidth, kWidth));
    const std::string value = heads(module, linear(module + "/value", input, kWidth, kWidth));
    const std::string turned = key + "_turned";
    model_.node("Transpose", {key}, {turned})
        .name("/" + module + "/Transpose_of_key")
        .ints("perm", {0, 1, 3, 2});
    const std::string scores =
        node(module, "Mul", {node(module, "MatMul", {query, turned}), "scale"});
    const std::string weights = node(module, "Softmax", {scores});
    const std::string mixed = node(module, "MatMul", {weights, value});
    const std::string joined = mixed + "_joined";
    model_.node("Transpose", {mixed}, {joined})
        .name("/" + module + "/Transpose_of_heads")
        .ints("perm", {0, 2, 1, 3});
    return linear(module + "/out", node(module, "Reshape", {joined, "as_tokens"}), kWidth, kWidth);
  }

  std::string encode(const std::string& input, int layer) {
    const std::string module = "encoder/layer." + std::to_string(layer);
    const std::string attended =
        node(module, "Add", {input, attend(module + "/attention", norm(module + "/norm1", input))});
    const std::string wide =
        linear(module + "/mlp/up", norm(module + "/norm2", attended), kWidth, kHidden);
    const std::string active = wide + "_gelu";
    model_.node("Gelu", {wide}, {active}).name("/" + module + "/mlp/Gelu");
    return node(module, "Add", {attended, linear(module + "/mlp/down", active, kHidden, kWidth)});
  }

  void classify(const std::string& tokens) {
    const std::string pooled = "/pool/ReduceMean_out";
    model_.integers("over_tokens", {1});
    model_.node("ReduceMean", {norm("norm", tokens), "over_tokens"}, {pooled})
        .name("/pool/ReduceMean")
        .integer("keepdims", 0);
    model_
        .node("Gemm",
              {pooled, weight("head.weight", {kClasses, kWidth}), weight("head.bias", {kClasses})},
              {"logits"})
        .name("/head/Gemm")
        .integer("transB", 1);
    model_.output("logits");
  }

  OnnxBuilder model_{20};
  std::mt19937 random_{42};
  std::normal_distribution<float> normal_{0.0F, 0.02F};
  std::vector<std::pair<std::string, int>> seen_;
  int transposes_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_demo_model FILE\n";
    return 2;
  }
  std::ofstream file(argv[1], std::ios::binary);
  file << DemoModel().write();
  if (!file.flush()) {
    std::cerr << "make_demo_model: cannot write " << argv[1] << '\n';
    return 1;
  }
  return 0;
}
