#include <algorithm>

#include "zoo/calibration/families.hpp"
#include "zoo/image_layers.hpp"

namespace jouletree::zoo {
namespace {

constexpr int kConvolutions = 9;
constexpr Dim kLargestMap = Dim{1} << 21U;
constexpr Dim kSmallestSide = 7;

/// Of the channels that real models have: mostly multiples of 8, now and then odd ones.
Dim channels(Draw& draw, Dim most) { return draw.size(8, most, draw.chance(80) ? 8 : 1); }

struct Kernel {
  Dims sides;
  Dim stride = 1;
  Dim dilation = 1;
  Dim groups = 1;
};

Dim side_behind(Dim side, Dim kernel, const Kernel& of) {
  const Dim reach = of.dilation * (kernel - 1);
  return (side + 2 * (reach / 2) - reach - 1) / of.stride + 1;
}

/// With a bias and the padding that keeps the size.
void convolve_by(Chain& chain, Dim to, const Kernel& kernel, std::string_view activation) {
  const Dim from = chain.dims()[1];
  Dims weights = {to, from / kernel.groups};
  Dims result = {chain.dims()[0], to};
  Ints pads;
  Ints sides;
  for (std::size_t i = 0; i < kernel.sides.size(); ++i) {
    weights.push_back(kernel.sides[i]);
    sides.push_back(kernel.sides[i]);
    pads.push_back(kernel.dilation * (kernel.sides[i] - 1) / 2);
    result.push_back(side_behind(chain.dims()[i + 2], kernel.sides[i], kernel));
  }
  const Ints before = pads;
  pads.insert(pads.end(), before.begin(), before.end());
  const Scope scope = chain.scope();
  const Value weight = chain.model().weight(scope, "weight", weights);
  const Value bias = chain.model().weight(scope, "bias", {to});
  chain.step("Conv", {weight, bias},
             {{"kernel_shape", sides},
              {"pads", pads},
              {"strides", Ints(sides.size(), kernel.stride)},
              {"dilations", Ints(sides.size(), kernel.dilation)},
              {"group", std::int64_t{kernel.groups}}},
             result);
  if (!activation.empty()) chain.step(activation);
}

std::string_view some_activation(Draw& draw) {
  return draw.one_of<std::string_view>({"Relu", "Relu", "HardSwish", "Sigmoid", ""});
}

/// Channels weighed by what is in all of them: a product of one position each.
void excite(Chain& chain) {
  const Dims map = chain.dims();
  const Value kept = chain.value();
  chain.step("GlobalAveragePool", {}, {}, {map[0], map[1], 1, 1});
  const Dim narrow = std::max<Dim>(8, map[1] / chain.draw().one_of<Dim>({4, 8, 16}));
  convolve_by(chain, narrow, {{1, 1}}, "Relu");
  convolve_by(chain, map[1], {{1, 1}}, "Sigmoid");
  const Value factors = chain.value();
  chain.take(kept, map);
  chain.step("Mul", {factors});
}

void image(Chain& chain, Dim from, Dim least, Dim most) {
  const Dim side = chain.draw().size(least, most);
  chain.input({1, from, side, side});
}

/// A stride only where the map stays large enough, and one that keeps it from growing too large.
Dim stride_for(Chain& chain, Dim to) {
  const Dim side = chain.dims().back();
  if (side < 2 * kSmallestSide) return 1;
  if (to * side * side > kLargestMap) return 2;
  return chain.draw().chance(30) ? 2 : 1;
}

}  // namespace

void write_convolutions(Chain& chain) {
  image(chain, 3, 32, 224);
  Draw& draw = chain.draw();
  convolve_by(chain, channels(draw, 64), {{7, 7}, 2}, "Relu");
  for (int i = 0; i < kConvolutions; ++i) {
    const Dim to = channels(draw, chain.dims().back() > 56 ? 96 : 384);
    const Dim side = draw.one_of<Dim>({3, 3, 3, 3, 3, 5, 7});
    const Dims before = chain.dims();
    const Value kept = chain.value();
    convolve_by(chain, to, {{side, side}, stride_for(chain, to)}, some_activation(draw));
    // A residual, which engines take into the convolution.
    if (chain.dims() == before) chain.step("Add", {kept});
  }
  chain.end();
}

void write_pointwise_convolutions(Chain& chain) {
  Draw& draw = chain.draw();
  image(chain, channels(draw, 64), 14, 112);
  for (int i = 0; i < kConvolutions + 3; ++i) {
    const Dim most = chain.dims().back() > 40 ? 192 : 1024;
    const Dims before = chain.dims();
    const Value kept = chain.value();
    const Dim to = draw.chance(25) ? before[1] : channels(draw, most);
    convolve_by(chain, to, {{1, 1}, draw.chance(15) && before.back() > 14 ? 2 : 1},
                some_activation(draw));
    if (chain.dims() == before) chain.step("Add", {kept});
    if (draw.chance(20)) excite(chain);
  }
  chain.end();
}

void write_grouped_convolutions(Chain& chain) {
  Draw& draw = chain.draw();
  // Engines have kernels for groups that fill blocks of channels, and others for the rest.
  const Dim width = draw.one_of<Dim>({8, 8, 16, 16, 24, 32});
  image(chain, width * draw.size(2, 14), 14, 112);
  for (int i = 0; i < kConvolutions; ++i) {
    const Dim from = chain.dims()[1];
    const Dim side = draw.one_of<Dim>({3, 3, 3, 5, 7});
    const bool is_depthwise = draw.chance(60);
    const Dim groups = is_depthwise ? from : from / width;
    convolve_by(chain, from,
                {{side, side}, stride_for(chain, from), draw.chance(15) ? 2 : 1, groups},
                some_activation(draw));
    if (draw.chance(40)) {
      const Dim to = width * draw.size(2, chain.dims().back() > 40 ? 12 : 24);
      convolve_by(chain, to, {{1, 1}}, "");
    }
  }
  chain.end();
}

void write_line_convolutions(Chain& chain) {
  Draw& draw = chain.draw();
  chain.input({1, draw.one_of<Dim>({1, 2, 40, 80, 128}), draw.size(4, 16000)});
  for (int i = 0; i < kConvolutions; ++i) {
    const Dim length = chain.dims().back();
    const Dim to = channels(draw, length > 2000 ? 96 : 512);
    const Dim from = chain.dims()[1];
    const Dim stride = length > 400 && draw.chance(50) ? draw.one_of<Dim>({2, 4}) : 1;
    const bool is_depthwise = draw.chance(25);
    convolve_by(chain, is_depthwise ? from : to,
                {{draw.one_of<Dim>({1, 3, 5, 9, 31})},
                 stride,
                 draw.chance(20) ? 2 : 1,
                 is_depthwise ? from : 1},
                some_activation(draw));
  }
  chain.end();
}

void write_other_convolutions(Chain& chain) {
  Draw& draw = chain.draw();
  const Dim frames = draw.size(4, 16);
  const Dim side = draw.size(16, 56, 2);
  chain.input({1, 3, frames, side, side});
  for (int i = 0; i < 3; ++i)
    convolve_by(chain, channels(draw, 48), {{3, 3, 3}, i == 1 ? 2 : 1}, "Relu");
  chain.end();
  image(chain, 8 * draw.size(2, 16), 8, 40);
  for (int i = 0; i < 3; ++i) {
    const Dims from = chain.dims();
    const Dim to = 8 * draw.size(1, 16);
    const Dim kernel = draw.one_of<Dim>({2, 4});
    const Scope scope = chain.scope();
    const Dim grown = 2 * from[2];
    chain.step("ConvTranspose",
               {chain.model().weight(scope, "weight", {from[1], to, kernel, kernel})},
               {{"kernel_shape", Ints{kernel, kernel}},
                {"strides", Ints{2, 2}},
                {"pads", Ints(4, (kernel - 2) / 2)}},
               {1, to, grown, grown});
  }
  chain.end();
}

}  // namespace jouletree::zoo
