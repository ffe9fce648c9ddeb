#include "operator_models.hpp"

namespace jouletree::test {
namespace {

using enum DataType;

/// A scale and a zero point.
OperatorModel& scaled(OperatorModel& model, DataType type = UInt8) {
  return model.constant({}, Float32, 1).constant({}, type);
}

void add_products_of_blocks(OperatorModels& models) {
  const auto by_blocks = [&](std::int64_t bits, bool zero_points) {
    const std::string variant = std::to_string(bits) + " bits";
    auto& model = models.microsoft("MatMulNBits", variant + (zero_points ? ", zero points" : ""));
    model.input({2, 3, 64}).constant({16, 2, 32 * bits / 8}, UInt8, 17).input({16, 2});
    if (zero_points) model.constant({16, (2 * bits + 7) / 8}, UInt8, 17);
    model.output()
        .node()
        .integer("K", 64)
        .integer("N", 16)
        .integer("bits", bits)
        .integer("block_size", 32);
  };
  by_blocks(4, false);
  by_blocks(4, true);
  by_blocks(8, false);
  by_blocks(8, true);
  by_blocks(2, true);
  models.microsoft("MatMulNBits", "bias")
      .input({5, 64})
      .constant({16, 2, 16}, UInt8, 17)
      .input({16, 2})
      .absent_input()
      .absent_input()
      .input({16})
      .output()
      .node()
      .integer("K", 64)
      .integer("N", 16)
      .integer("bits", 4)
      .integer("block_size", 32);
  models.microsoft("MatMulBnb4")
      .input({2, 3, 64})
      .constant({512}, UInt8, 17)
      .input({32})
      .output()
      .node()
      .integer("K", 64)
      .integer("N", 16)
      .integer("block_size", 32)
      .integer("quant_type", 1);
  const auto gathered = [&](std::string_view variant, DataType type, const Dims& data,
                            std::int64_t bits) {
    models.microsoft("GatherBlockQuantized", variant)
        .constant(data, type)
        .input({2, 3}, Int64)
        .input({12, 2})
        .output()
        .node()
        .integer("gather_axis", 0)
        .integer("quantize_axis", 1)
        .integer("block_size", 16)
        .integer("bits", bits);
  };
  gathered("uint4", UInt4, {12, 32}, 4);
  gathered("int4", Int4, {12, 32}, 4);
  gathered("4 bits in bytes", UInt8, {12, 16}, 4);
  gathered("8 bits", UInt8, {12, 32}, 8);
}

void add_products_of_bytes(OperatorModels& models) {
  models.microsoft("DynamicQuantizeMatMul")
      .input({2, 3, 6})
      .input({6, 5}, Int8)
      .input({1})
      .input({1}, Int8, {0})
      .input({5})
      .output()
      .node();
  models.microsoft("MatMulIntegerToFloat")
      .input({2, 3, 6}, UInt8)
      .input({6, 5}, Int8)
      .input({1})
      .input({5})
      .input({1}, UInt8)
      .absent_input()
      .input({5})
      .output()
      .node();
  for (const bool to_float : {true, false}) {
    auto& model = models.microsoft("QGemm", to_float ? "to float" : "to bytes");
    scaled(scaled(model.input({6, 4}, UInt8)).constant({5, 6}, Int8, 1), Int8);
    model.input({5}, Int32);
    if (!to_float) scaled(model);
    model.output(to_float ? Float32 : UInt8).node().integer("transA", 1).integer("transB", 1);
  }
}

void add_elementwise(OperatorModels& models) {
  for (const std::string_view op : {"QLinearAdd", "QLinearMul"}) {
    auto& model = models.microsoft(op, "broadcast");
    scaled(scaled(scaled(model.input({2, 3, 4}, UInt8)).input({3, 1}, UInt8)));
    model.output(UInt8).node();
  }
  scaled(scaled(models.microsoft("QLinearSigmoid").input({2, 6}, UInt8))).output(UInt8).node();
  scaled(scaled(models.microsoft("QLinearLeakyRelu").input({2, 6}, Int8), Int8), Int8)
      .output(Int8)
      .node()
      .real("alpha", 0.1F);
  scaled(scaled(models.microsoft("QLinearSoftmax").input({2, 6}, UInt8)))
      .output(UInt8)
      .node()
      .integer("axis", -1)
      .integer("opset", 13);
  auto& concat = scaled(models.microsoft("QLinearConcat"));
  scaled(scaled(concat.input({2, 3}, UInt8)).input({2, 4}, UInt8));
  concat.output(UInt8).node().integer("axis", 1);
  auto& where = models.microsoft("QLinearWhere").input({3, 4}, Bool);
  scaled(scaled(scaled(where.input({2, 3, 4}, UInt8)).input({4}, UInt8)));
  where.output(UInt8).node();
}

void add_windows(OperatorModels& models) {
  for (const bool last : {false, true}) {
    const std::string_view variant = last ? "channels last" : "";
    const Dims image = last ? Dims{2, 9, 8, 6} : Dims{2, 6, 9, 8};
    auto& conv = models.microsoft("QLinearConv", variant);
    scaled(scaled(scaled(conv.input(image, UInt8)).constant({4, 3, 3, 3}, Int8, 1), Int8));
    conv.output(UInt8)
        .node()
        .integer("channels_last", last)
        .integer("group", 2)
        .ints("strides", {2, 1})
        .ints("pads", {1, 1, 1, 1});
    scaled(scaled(models.microsoft("QLinearAveragePool", variant).input(image, UInt8)))
        .output(UInt8)
        .node()
        .integer("channels_last", last)
        .integer("ceil_mode", 1)
        .ints("kernel_shape", {3, 3})
        .ints("strides", {2, 2});
    scaled(scaled(models.microsoft("QLinearGlobalAveragePool", variant).input(image, UInt8)))
        .output(UInt8)
        .node()
        .integer("channels_last", last);
  }
  models.microsoft("NhwcMaxPool")
      .input({2, 9, 8, 6}, UInt8)
      .output(UInt8)
      .node()
      .ints("kernel_shape", {3, 2})
      .ints("strides", {2, 2})
      .integer("ceil_mode", 1);
}

void add_conversions(OperatorModels& models) {
  const auto block_of = [&](DataType type) {
    models.standard("DequantizeLinear", 21, "blocks of " + std::string(name_of(type)))
        .constant({4, 8}, type)
        .input({4, 2})
        .constant({4, 2}, type)
        .output()
        .node()
        .integer("axis", 1)
        .integer("block_size", 4);
    models.standard("QuantizeLinear", 21, "blocks of " + std::string(name_of(type)))
        .input({4, 8})
        .input({2, 8}, Float32, {0.5})
        .constant({2, 8}, type)
        .output(type)
        .node()
        .integer("axis", 0)
        .integer("block_size", 2);
  };
  for (const DataType type : {Int4, UInt4, Int8}) block_of(type);
  for (const DataType type : {Int16, UInt16, Float8E4M3FN, Float8E5M2}) {
    models.standard("QuantizeLinear", 21, name_of(type))
        .input({3, 4})
        .input({4}, Float32, {0.5})
        .constant({4}, type)
        .output(type)
        .node()
        .integer("axis", 1);
    models.standard("Cast", 21, "to " + std::string(name_of(type)))
        .input({3, 4})
        .output(type)
        .node()
        .integer("to", static_cast<std::int64_t>(type));
  }
  models.standard("QuantizeLinear", 21, "output_dtype")
      .input({3, 4})
      .input({}, Float32, {0.5})
      .output(Int16)
      .node()
      .integer("output_dtype", static_cast<std::int64_t>(Int16));
  models.microsoft("QuantizeLinear")
      .input({3, 4})
      .input({}, Float32, {0.5})
      .constant({}, UInt16)
      .output(UInt16)
      .node();
  models.microsoft("DequantizeLinear")
      .input({3, 4}, Int32)
      .input({}, Float32, {0.5})
      .output()
      .node();
}

void add_recurrent(OperatorModels& models) {
  auto& model = models.microsoft("DynamicQuantizeLSTM");
  model.input({5, 2, 4}).constant({2, 4, 24}, Int8, 1).constant({2, 6, 24}, Int8, 1);
  model.input({2, 48}).absent_input().absent_input().absent_input().absent_input();
  model.constant({2}, Float32, 1).constant({2}, Int8).constant({2}, Float32, 1).constant({2}, Int8);
  model.output().output().output();
  model.node().integer("hidden_size", 6).text("direction", "bidirectional");
}

}  // namespace

void add_quantized_models(OperatorModels& models) {
  add_products_of_blocks(models);
  add_products_of_bytes(models);
  add_elementwise(models);
  add_windows(models);
  add_conversions(models);
  add_recurrent(models);
}

}  // namespace jouletree::test
