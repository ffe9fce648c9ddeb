#include "operator_models.hpp"

namespace jouletree::test {
namespace {

using enum DataType;

void add_activations(OperatorModels& models) {
  models.microsoft("Gelu").input({2, 5, 8}).output().node();
  models.microsoft("QuickGelu").input({2, 5, 8}).output().node().real("alpha", 1.702F);
  models.microsoft("FastGelu").input({2, 5, 8}).input({8}).output().node();
  models.microsoft("BiasGelu").input({2, 5, 8}).input({8}).output().node();
  models.standard("Gelu", 20).input({2, 5, 8}).output().node().text("approximate", "tanh");
  models.standard("Elu", 22).input({2, 5, 8}).output().node();
  models.standard("IsInf", 20).input({2, 5}).output(Bool).node();
  models.standard("IsNaN", 20).input({2, 5}).output(Bool).node();
}

void add_skip_normalizations(OperatorModels& models) {
  models.microsoft("SkipLayerNormalization")
      .input({2, 5, 8})
      .input({2, 5, 8})
      .input({8})
      .input({8})
      .input({8})
      .output()
      .absent_output()
      .absent_output()
      .output()
      .node();
  models.microsoft("SkipLayerNormalization", "broadcast skip")
      .input({2, 5, 8})
      .input({5, 8})
      .input({8})
      .output()
      .node();
  models.microsoft("SkipSimplifiedLayerNormalization")
      .input({2, 5, 8})
      .input({2, 5, 8})
      .input({8})
      .output()
      .absent_output()
      .absent_output()
      .output()
      .node();
  auto& embed = models.microsoft("EmbedLayerNormalization");
  embed.input({2, 5}, Int32).input({2, 5}, Int32, {1});
  embed.input({12, 8}).input({6, 8}).input({2, 8}).input({8}).input({8});
  embed.input({2, 5}, Int32, {1}).output().output(Int32).output().node();
  auto& plain = models.microsoft("EmbedLayerNormalization", "no segments");
  plain.input({2, 5}, Int32).absent_input().input({12, 8}).input({6, 8}).absent_input();
  plain.input({8}).input({8}).output().output(Int32).node();
  auto& quantized = models.microsoft("QEmbedLayerNormalization");
  quantized.input({2, 5}, Int32).input({2, 5}, Int32, {1});
  quantized.constant({12, 8}, UInt8, 1).constant({6, 8}, UInt8, 1).constant({2, 8}, UInt8, 1);
  quantized.constant({8}, UInt8, 1).constant({8}, UInt8, 1).input({2, 5}, Int32, {1});
  for (int i = 0; i < 5; ++i) quantized.constant({}, Float32, 1);
  for (int i = 0; i < 5; ++i) quantized.constant({}, UInt8);
  quantized.output().output(Int32).node();
}

void add_normalizations(OperatorModels& models) {
  models.standard("SimplifiedLayerNormalization", 1)
      .input({2, 5, 8})
      .input({8})
      .output()
      .output()
      .node();
  models.microsoft("GatedRMSNorm").input({2, 5, 8}).input({8}).input({2, 5, 8}).output().node();
  models.standard("RMSNormalization", 23).input({2, 5, 8}).input({8}).output().node();
  models.standard("RMSNormalization", 23, "two axes")
      .input({2, 5, 8})
      .input({5, 8})
      .output()
      .node()
      .integer("axis", 1);
  models.standard("LayerNormalization", 17, "three outputs")
      .input({2, 5, 8})
      .input({5, 8})
      .input({5, 8})
      .output()
      .output()
      .output()
      .node()
      .integer("axis", -2);
  models.standard("InstanceNormalization", 22)
      .input({2, 8, 3, 3})
      .input({8})
      .input({8})
      .output()
      .node();
}

void add_products(OperatorModels& models) {
  models.microsoft("FusedMatMul", "transposed")
      .input({2, 3, 6, 5})
      .input({2, 3, 7, 6})
      .output()
      .node()
      .integer("transA", 1)
      .integer("transB", 1)
      .real("alpha", 0.5F);
  models.microsoft("FusedMatMul", "transposed batch")
      .input({5, 2, 3, 6})
      .input({2, 3, 6, 7})
      .output()
      .node()
      .integer("transBatchA", 1);
  models.microsoft("FusedMatMul", "transposed batches")
      .input({5, 2, 3, 6})
      .input({6, 2, 3, 7})
      .output()
      .node()
      .integer("transBatchA", 1)
      .integer("transBatchB", 1);
  models.microsoft("FusedMatMul", "vector").input({6}).input({3, 6, 7}).output().node();
  models.microsoft("TransposeMatMul")
      .input({6, 5})
      .input({6, 7})
      .output()
      .node()
      .integer("transA", 1);
  models.microsoft("FusedGemm")
      .input({6, 5})
      .input({7, 6})
      .input({7})
      .output()
      .node()
      .integer("transA", 1)
      .integer("transB", 1)
      .text("activation", "LeakyRelu")
      .real("activation_alpha", 0.1F);
  models.microsoft("CDist", "euclidean")
      .input({4, 3})
      .input({5, 3})
      .output()
      .node()
      .text("metric", "euclidean");
  models.microsoft("CDist").input({4, 3}).input({5, 3}).output().node();
  models.microsoft("Inverse").input({2, 3, 3}).output().node();
  models.microsoft("MatMulInteger16")
      .input({4, 6}, Int16)
      .input({6, 5}, Int16)
      .output(Int32)
      .node();
}

void add_einsum(OperatorModels& models) {
  const auto einsum = [&](const std::string& equation, const Dims& a, const Dims& b) {
    auto& model = models.standard("Einsum", 12, equation);
    model.input(a);
    if (!b.empty()) model.input(b);
    model.output().node().text("equation", equation);
  };
  einsum("...ij,...jk->...ik", {2, 3, 4, 5}, {2, 3, 5, 6});
  einsum("...ij,jk", {2, 3, 4}, {4, 6});
  einsum("b...d,bd->b...", {2, 3, 4, 5}, {2, 5});
  einsum("i...->...", {2, 3, 4}, {});
  einsum("...ii->...i", {2, 3, 3}, {});
  einsum("bhqd,bhkd->bhqk", {2, 3, 4, 5}, {2, 3, 6, 5});
  einsum("ij,kl", {2, 3}, {4, 5});
  einsum("ba,cb", {2, 3}, {4, 2});
}

void add_experts(OperatorModels& models) {
  models.microsoft("MoE")
      .input({6, 8})
      .input({6, 4})
      .input({4, 16, 8})
      .input({4, 16})
      .input({4, 8, 16})
      .input({4, 8})
      .output()
      .node()
      .integer("k", 2)
      .text("activation_type", "gelu");
  auto& quantized = models.microsoft("QMoE");
  quantized.input({6, 32}).input({6, 4}).constant({4, 64, 16}, UInt8, 1).input({4, 64});
  quantized.absent_input().constant({4, 32, 16}, UInt8, 1).input({4, 32}).output();
  quantized.node()
      .integer("k", 2)
      .integer("expert_weight_bits", 4)
      .integer("swiglu_fusion", 1)
      .text("activation_type", "swiglu");
}

}  // namespace

void add_fused_models(OperatorModels& models) {
  add_activations(models);
  add_skip_normalizations(models);
  add_normalizations(models);
  add_products(models);
  add_einsum(models);
  add_experts(models);
}

}  // namespace jouletree::test
