#include <algorithm>

#include "zoo/calibration/families.hpp"

namespace jouletree::zoo {
namespace {

constexpr int kQuantised = 6;
constexpr Dim kMostQuantisedWeights = Dim{1} << 22U;

/// A product of bytes as the quantiser of ONNX Runtime writes it for weights that are known and
/// activations that are not.
void multiply_bytes(Chain& chain, const std::vector<Value>& bytes, Dim to, DataType weights) {
  ModelWriter& model = chain.model();
  const Dims from = chain.dims();
  const Scope scope = chain.scope();
  const Value weight = model.bytes(scope, "weight_quantized", {from.back(), to}, weights);
  const Value zero =
      model.byte(scope, "weight_zero_point", weights, weights == DataType::Int8 ? 0 : 128);
  const Value sums = model.node(scope, "MatMulInteger", {bytes[0], weight, bytes[2], zero});
  const Value real =
      model.node(scope, "Cast", {sums}, {{"to", static_cast<std::int64_t>(DataType::Float32)}});
  const Value scale = model.node(scope.child("scales"), "Mul", {bytes[1], model.real(0.003F)});
  Dims result = from;
  result.back() = to;
  chain.take(model.node(scope, "Mul", {real, scale}), result);
  chain.step("Add", {model.weight(scope, "bias", {to})});
}

std::vector<Value> quantise_now(Chain& chain) {
  return chain.model().node_with_outputs(chain.scope(), "DynamicQuantizeLinear", {chain.value()},
                                         3);
}

/// Queries, keys and values are products of the same bytes, which engines compute otherwise than
/// single ones.
void multiply_bytes_thrice(Chain& chain, Dim to, DataType weights) {
  const std::vector<Value> bytes = quantise_now(chain);
  const Value from = chain.value();
  const Dims dims = chain.dims();
  std::vector<Value> results;
  for (int i = 0; i < 3; ++i) {
    chain.take(from, dims);
    multiply_bytes(chain, bytes, to, weights);
    results.push_back(chain.value());
  }
  chain.step("Add", {results[0]});
  chain.step("Mul", {results[1]});
}

void convolve_bytes_now(Chain& chain, Dim to) {
  ModelWriter& model = chain.model();
  const Dims from = chain.dims();
  const std::vector<Value> bytes = quantise_now(chain);
  const Scope scope = chain.scope();
  const Dim kernel = chain.draw().one_of<Dim>({1, 3, 3});
  const Value weight =
      model.bytes(scope, "weight_quantized", {to, from[1], kernel, kernel}, DataType::UInt8);
  const Value zero = model.byte(scope, "weight_zero_point", DataType::UInt8, 128);
  const Value sums =
      model.node(scope, "ConvInteger", {bytes[0], weight, bytes[2], zero},
                 {{"kernel_shape", Ints{kernel, kernel}}, {"pads", Ints(4, kernel / 2)}});
  const Value real =
      model.node(scope, "Cast", {sums}, {{"to", static_cast<std::int64_t>(DataType::Float32)}});
  const Value scale = model.node(scope.child("scales"), "Mul", {bytes[1], model.real(0.003F)});
  chain.take(model.node(scope, "Mul", {real, scale}), {1, to, from[2], from[3]});
  chain.step("Add", {model.weight(scope, "bias", {to, 1, 1})});
  chain.step("Relu");
}

/// Products of numbers of four bits, 32 of which share a factor.
void multiply_nibbles(Chain& chain, Dim to) {
  constexpr Dim kShared = 32;
  ModelWriter& model = chain.model();
  const Dims from = chain.dims();
  const Scope scope = chain.scope();
  const Dim blocks = from.back() / kShared;
  Dims result = from;
  result.back() = to;
  chain.take(
      model.node(scope, "com.microsoft.MatMulNBits",
                 {chain.value(),
                  model.bytes(scope, "weight_4bit", {to, blocks, kShared / 2}, DataType::UInt8),
                  model.weight(scope, "scales", {to * blocks})},
                 {{"K", std::int64_t{from.back()}},
                  {"N", std::int64_t{to}},
                  {"bits", std::int64_t{4}},
                  {"block_size", std::int64_t{kShared}}}),
      result);
}

/// The value as bytes and back, as static quantisation marks it.
void mark_bytes(Chain& chain, float scale) {
  ModelWriter& model = chain.model();
  const Scope scope = chain.scope();
  const Value zero = model.byte(scope, "zero_point", DataType::UInt8, 128);
  const Value quantised =
      model.node(scope, "QuantizeLinear", {chain.value(), model.real(scale), zero});
  chain.take(model.node(scope, "DequantizeLinear", {quantised, model.real(scale), zero}),
             chain.dims());
}

Value byte_weights(Chain& chain, const Scope& scope, const Dims& dims) {
  ModelWriter& model = chain.model();
  return model.node(
      scope.child("weight"), "DequantizeLinear",
      {model.bytes(scope, "weight_quantized", dims, DataType::Int8), model.real(0.003F),
       model.byte(scope, "weight_zero_point", DataType::Int8, 0)});
}

void convolve_bytes(Chain& chain, Dim to, Dim kernel, Dim stride, Dim groups) {
  const Dims from = chain.dims();
  const Scope scope = chain.scope();
  const Dim side = (from[2] + 2 * (kernel / 2) - kernel) / stride + 1;
  chain.step("Conv", {byte_weights(chain, scope, {to, from[1] / groups, kernel, kernel})},
             {{"kernel_shape", Ints{kernel, kernel}},
              {"pads", Ints(4, kernel / 2)},
              {"strides", Ints{stride, stride}},
              {"group", std::int64_t{groups}}},
             {1, to, side, side});
  if (chain.draw().chance(50)) chain.step("Relu");
  mark_bytes(chain, 0.05F);
}

}  // namespace

void write_dynamic_int8(Chain& chain) {
  Draw& draw = chain.draw();
  const Dim rows = draw.size(1, 384);
  chain.input({1, rows, draw.size(32, 1536, 32)});
  for (int i = 0; i < kQuantised; ++i) {
    Dim to = draw.size(32, 3072, 32);
    while (to * chain.dims().back() > kMostQuantisedWeights) to /= 2;
    const DataType weights = draw.chance(50) ? DataType::Int8 : DataType::UInt8;
    if (draw.chance(35)) {
      multiply_bytes_thrice(chain, to, weights);
    } else {
      multiply_bytes(chain, quantise_now(chain), to, weights);
    }
    if (draw.chance(30)) chain.step("Relu");
  }
  chain.end();
}

void write_dynamic_convolutions(Chain& chain) {
  Draw& draw = chain.draw();
  const Dim side = draw.size(8, 80);
  chain.input({1, 8 * draw.size(1, 24), side, side});
  for (int i = 0; i < kQuantised; ++i) convolve_bytes_now(chain, 8 * draw.size(1, 32));
  chain.end();
}

void write_few_bits(Chain& chain) {
  Draw& draw = chain.draw();
  const Dim rows = draw.chance(40) ? 1 : draw.size(1, 256);
  chain.input({1, rows, draw.size(64, 2048, 32)});
  for (int i = 0; i < kQuantised; ++i) {
    Dim to = draw.size(64, 4096, 32);
    while (to * chain.dims().back() > kMostQuantisedWeights) to = std::max<Dim>(32, to / 64 * 32);
    multiply_nibbles(chain, to);
    chain.step("Tanh");
  }
  chain.end();
}

void write_static_int8(Chain& chain) {
  Draw& draw = chain.draw();
  const Dim side = draw.size(14, 96);
  chain.input({1, 8 * draw.size(1, 12), side, side});
  mark_bytes(chain, 0.02F);
  for (int i = 0; i < kQuantised; ++i) {
    const Dim from = chain.dims()[1];
    const bool is_depthwise = draw.chance(25);
    const Dim to = is_depthwise ? from : 8 * draw.size(1, chain.dims()[2] > 40 ? 16 : 48);
    const Dims before = chain.dims();
    const Value kept = chain.value();
    convolve_bytes(chain, to, draw.one_of<Dim>({1, 1, 3, 3, 5}),
                   chain.dims()[2] >= 14 && draw.chance(30) ? 2 : 1, is_depthwise ? from : 1);
    if (chain.dims() == before) {
      chain.step("Add", {kept});
      mark_bytes(chain, 0.06F);
    }
  }
  chain.step("GlobalAveragePool", {}, {}, {1, chain.dims()[1], 1, 1});
  chain.end();
  chain.input({draw.size(1, 256), draw.size(32, 1024, 32)});
  mark_bytes(chain, 0.02F);
  for (int i = 0; i < 4; ++i) {
    const Dim to = draw.size(32, 1536, 32);
    const Scope scope = chain.scope();
    chain.step("MatMul", {byte_weights(chain, scope, {chain.dims()[1], to})}, {},
               {chain.dims()[0], to});
    mark_bytes(chain, 0.05F);
  }
  chain.end();
}

}  // namespace jouletree::zoo
