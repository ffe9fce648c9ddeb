#include "zoo/calibration/families.hpp"
#include "zoo/image_layers.hpp"

namespace jouletree::zoo {
namespace {

constexpr int kMaps = 3;
constexpr Dim kMostResized = Dim{1} << 21U;

void draw_map(Chain& chain, Dim least, Dim most) {
  Draw& draw = chain.draw();
  const Dim side = draw.size(least, most);
  chain.input({1, draw.size(8, 128, draw.chance(80) ? 8 : 1), side, side});
}

void resize(Chain& chain, bool larger) {
  Draw& draw = chain.draw();
  const Dims dims = chain.dims();
  Dims result = dims;
  result[2] = larger ? dims[2] * 2 : dims[2] / 2;
  result[3] = larger ? dims[3] * 2 : dims[3] / 2;
  const float factor = larger ? 2.0F : 0.5F;
  const Value scales = chain.model().table(chain.scope(), {4}, {1.0F, 1.0F, factor, factor});
  const bool is_linear = draw.chance(50);
  NodeAttributes attributes = {{"mode", std::string_view(is_linear ? "linear" : "nearest")},
                               {"coordinate_transformation_mode",
                                std::string_view(is_linear ? "half_pixel" : "asymmetric")}};
  if (!is_linear) attributes.push_back({"nearest_mode", std::string_view("floor")});
  chain.step("Resize", {"", scales}, std::move(attributes), result);
}

}  // namespace

void write_pools(Chain& chain) {
  Draw& draw = chain.draw();
  for (int map = 0; map < kMaps; ++map) {
    draw_map(chain, 14, 112);
    for (int i = 0; i < 4; ++i) {
      const Dim kernel = draw.one_of<Dim>({2, 3, 3, 5});
      const Dim stride = chain.dims()[2] >= 14 && draw.chance(50) ? 2 : 1;
      const Dim padding = kernel / 2;
      const Dim side = (chain.dims()[2] + 2 * padding - kernel) / stride + 1;
      chain.step(draw.chance(50) ? "MaxPool" : "AveragePool", {},
                 {{"kernel_shape", Ints{kernel, kernel}},
                  {"pads", Ints(4, padding)},
                  {"strides", Ints{stride, stride}}},
                 {1, chain.dims()[1], side, side});
    }
    chain.step("GlobalAveragePool", {}, {}, {1, chain.dims()[1], 1, 1});
    chain.end();
  }
}

void write_resizes(Chain& chain) {
  for (int map = 0; map < kMaps; ++map) {
    draw_map(chain, 8, 48);
    for (int i = 0; i < 4; ++i) {
      const bool larger = chain.dims()[2] < 4 || (i % 2 == 0 && chain.elements() < kMostResized);
      resize(chain, larger);
      chain.step("Relu");
    }
    chain.end();
  }
}

}  // namespace jouletree::zoo
