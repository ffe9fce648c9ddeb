#include <initializer_list>
#include <utility>

#include "zoo/calibration/families.hpp"
#include "zoo/catalogue.hpp"

// Real architectures in sizes that nobody publishes: they show what engines make of graphs, and
// what a whole adds to its operators.
namespace jouletree::zoo {
namespace {

constexpr Dim kFewTokens = 500;

void write_with(Chain& chain, std::string_view name,
                std::initializer_list<std::pair<std::string_view, Dim>> sizes) {
  const Architecture& architecture = find_architecture(name);
  Settings settings = architecture.settings;
  for (const auto& [key, size] : sizes) settings.set(key, size);
  architecture.write(chain.model(), settings);
}

struct TransformerSizes {
  Dim heads = 0;
  Dim width = 0;
};

TransformerSizes draw_transformer(Chain& chain) {
  const Dim heads = chain.draw().size(2, 16);
  const Dim depth = chain.draw().one_of<Dim>({32, 64, 64, 80});
  chain.open("batch", chain.draw().chance(80) ? 1 : 2);
  chain.open("sequence", chain.draw().size(8, 384));
  return {heads, heads * depth};
}

}  // namespace

void write_image_models(Chain& chain) {
  Draw& draw = chain.draw();
  chain.open("batch", draw.chance(80) ? 1 : 2);
  const Dim size = 16 * draw.size(2, 14);
  if (draw.chance(25))
    return write_with(chain, "resnet-18", {{"width", 8 * draw.size(2, 12)}, {"size", 2 * size}});
  if (draw.chance(25)) {
    return write_with(chain, "vgg-11",
                      {{"width", 4 * draw.size(2, 8)}, {"hidden", 512}, {"size", 224}});
  }
  if (draw.chance(25)) return write_with(chain, "mobilenet-v2", {{"size", 32 * draw.size(2, 7)}});
  const Dim groups = draw.size(2, 8);
  const Dim width = groups * 2 * draw.size(2, 10);
  write_with(chain, "mixed-blocks",
             {{"width", width},
              {"kernel", draw.one_of<Dim>({3, 3, 5, 7})},
              {"expansion", draw.size(2, 6)},
              {"groups", groups},
              {"size", width > 80 ? size / 2 : size}});
}

void write_encoders(Chain& chain) {
  const auto [heads, width] = draw_transformer(chain);
  const auto name = chain.draw().one_of<std::string_view>(
      {"bert-l2-h128", "distilbert-base-uncased", "t5-small-encoder"});
  write_with(chain, name,
             {{"vocabulary", kFewTokens},
              {"layers", chain.draw().size(1, 3)},
              {"width", width},
              {"heads", heads},
              {"hidden", 4 * width}});
}

void write_decoders(Chain& chain) {
  const auto [heads, width] = draw_transformer(chain);
  write_with(chain, "gpt2",
             {{"vocabulary", kFewTokens},
              {"layers", chain.draw().size(1, 3)},
              {"width", width},
              {"heads", heads},
              {"hidden", 4 * width}});
}

}  // namespace jouletree::zoo
