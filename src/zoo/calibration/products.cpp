#include "zoo/calibration/families.hpp"
#include "zoo/layers.hpp"

namespace jouletree::zoo {
namespace {

constexpr int kProducts = 8;
constexpr Dim kMostProductWeights = Dim{1} << 23U;

/// Of the widths that real layers have.
Dim layer_width(Draw& draw) { return draw.size(32, 4096, draw.chance(80) ? 32 : 1); }

}  // namespace

void write_linear_layers(Chain& chain) {
  Draw& draw = chain.draw();
  const Dim rows = draw.size(1, 512);
  Dim width = layer_width(draw);
  chain.input({1, rows, width});
  for (int i = 0; i < kProducts; ++i) {
    Dim to = layer_width(draw);
    while (to * width > kMostProductWeights) to /= 2;
    const Value made = linear(chain.model(), chain.scope(), chain.value(), width, to);
    chain.take(made, {1, rows, to});
    width = to;
    if (draw.chance(50)) {
      chain.take(activate(chain.model(), chain.scope(), chain.value(),
                          draw.one_of<Activation>(
                              {Activation::Relu, Activation::GeluErf, Activation::GeluTanh})),
                 {1, rows, to});
    }
  }
  chain.end();
}

void write_row_products(Chain& chain) {
  Draw& draw = chain.draw();
  const Dim rows = draw.chance(40) ? 1 : draw.size(1, 64);
  // A single row reads each weight once: where the weights lie is all that counts.
  const Dim most = draw.one_of<Dim>({kMostProductWeights / 16, kMostProductWeights,
                                     rows == 1 ? 4 * kMostProductWeights : kMostProductWeights});
  Dim width = layer_width(draw);
  chain.input({rows, width});
  for (int i = 0; i < kProducts; ++i) {
    Dim to = draw.chance(20)              ? draw.size(2, 32)
             : most > kMostProductWeights ? draw.size(1024, 8192, 32)
                                          : layer_width(draw);
    while (to * width > most) to /= 2;
    chain.take(row_linear(chain.model(), chain.scope(), chain.value(), width, to), {rows, to});
    width = to;
    if (draw.chance(50)) chain.step("Relu");
  }
  chain.end();
}

/// Numbers of 16 bits, which most processors compute with 32: engines put conversions around.
void write_half_products(Chain& chain) {
  Draw& draw = chain.draw();
  ModelWriter& model = chain.model();
  const auto halved = [&](const Scope& scope, std::string_view name, const Dims& dims) {
    return model.node(scope.child(name), "Cast", {model.weight(scope, name, dims)},
                      {{"to", static_cast<std::int64_t>(DataType::Float16)}});
  };
  const Dim rows = draw.size(1, 384);
  Dim width = draw.size(32, 1536, 32);
  chain.input({1, rows, width}, DataType::Float16);
  for (int i = 0; i < kProducts; ++i) {
    Dim to = draw.size(32, 3072, 32);
    while (to * width > kMostProductWeights) to /= 2;
    const Scope scope = chain.scope();
    chain.step("MatMul", {halved(scope, "weight", {width, to})}, {}, {1, rows, to});
    chain.step("Add", {halved(scope, "bias", {to})});
    chain.step(draw.one_of<std::string_view>({"Relu", "Sigmoid", "Tanh"}));
    width = to;
  }
  chain.step("Cast", {}, {{"to", static_cast<std::int64_t>(DataType::Float32)}});
  chain.end();
}

void write_attention(Chain& chain) {
  Draw& draw = chain.draw();
  for (int i = 0; i < 4; ++i) {
    const Dim heads = draw.one_of<Dim>({2, 4, 8, 12, 16});
    const Dim depth = draw.one_of<Dim>({32, 64, 80, 128});
    const bool has_past = draw.chance(50);
    const Dim queries = has_past ? 1 : draw.size(8, 384);
    const Dim keys = !has_past && draw.chance(60) ? queries : draw.size(8, 384);
    const Dims kept = {1, heads, keys, depth};
    if (has_past) {
      chain.input({1, heads, 1, depth});
      const Value newest = chain.value();
      chain.input({1, heads, keys - 1, depth});
      chain.step("Concat", {newest}, {{"axis", std::int64_t{2}}}, kept);
    } else {
      chain.input(kept);
    }
    const Value memory = chain.value();
    chain.step("Transpose", {}, {{"perm", Ints{0, 1, 3, 2}}}, {1, heads, depth, keys});
    const Value turned = chain.value();
    chain.input({1, heads, queries, depth});
    chain.step("MatMul", {turned}, {}, {1, heads, queries, keys});
    chain.step("Div", {chain.model().real(8.0F)});
    chain.step("Softmax", {}, {{"axis", std::int64_t{-1}}});
    chain.step("MatMul", {memory}, {}, {1, heads, queries, depth});
    chain.step("Transpose", {}, {{"perm", Ints{0, 2, 1, 3}}}, {1, queries, heads, depth});
    chain.step("Reshape", {chain.model().integers({0, 0, heads * depth})}, {},
               {1, queries, heads * depth});
    chain.end();
  }
}

}  // namespace jouletree::zoo
