#include "zoo/calibration/families.hpp"

namespace jouletree::zoo {
namespace {

constexpr int kMoves = 14;
constexpr Dim kMostMoved = Dim{1} << 22U;

void concatenate(Chain& chain, std::size_t axis) {
  const Value kept = chain.value();
  Dims grown = chain.dims();
  grown[axis] *= 2;
  chain.step("Concat", {kept}, {{"axis", static_cast<std::int64_t>(axis)}}, grown);
}

void slice(Chain& chain, std::size_t axis) {
  Dims part = chain.dims();
  part[axis] = (part[axis] + 1) / 2;
  ModelWriter& model = chain.model();
  chain.step("Slice",
             {model.integers({0}), model.integers({part[axis]}),
              model.integers({static_cast<std::int64_t>(axis)})},
             {}, part);
}

void split(Chain& chain, std::size_t axis) {
  Dims half = chain.dims();
  if (half[axis] % 2 != 0) return slice(chain, axis);
  half[axis] /= 2;
  const std::vector<Value> halves = chain.model().node_with_outputs(
      chain.scope(), "Split", {chain.value(), chain.model().integers({half[axis], half[axis]})}, 2,
      {{"axis", static_cast<std::int64_t>(axis)}});
  chain.take(halves[0], half);
  chain.step("Add", {halves[1]});
}

void pad(Chain& chain) {
  Dims grown = chain.dims();
  Ints pads(2 * grown.size(), 0);
  for (std::size_t i = 2; i < grown.size(); ++i) {
    pads[i] = pads[i + grown.size()] = 1;
    grown[i] += 2;
  }
  chain.step("Pad", {chain.model().integers(pads)}, {}, grown);
}

void expand(Chain& chain) {
  Dims grown = chain.dims();
  Ints repeats(grown.size(), 1);
  repeats[1] = 2;
  grown[1] *= 2;
  chain.step("Tile", {chain.model().integers(repeats)}, {}, grown);
}

void move_once(Chain& chain) {
  Draw& draw = chain.draw();
  const std::size_t axis = draw.one_of<std::size_t>({1, 2, 3});
  const bool is_large = chain.elements() > kMostMoved;
  const bool is_thin = chain.dims()[axis] < 4;
  switch (draw.one_of<int>({0, 1, 2, 3, 4})) {
    case 0: return is_large ? slice(chain, 1) : concatenate(chain, axis);
    case 1: return is_thin ? concatenate(chain, axis) : slice(chain, axis);
    case 2: return is_thin ? concatenate(chain, axis) : split(chain, axis);
    case 3: return is_large ? split(chain, 1) : pad(chain);
    default: return is_large ? slice(chain, 1) : expand(chain);
  }
}

Dims turned(const Dims& dims, const Ints& order) {
  Dims result;
  for (const std::int64_t axis : order) result.push_back(dims[static_cast<std::size_t>(axis)]);
  return result;
}

}  // namespace

void write_moves(Chain& chain) {
  Draw& draw = chain.draw();
  chain.input({1, draw.size(8, 128), draw.size(8, 64), draw.size(8, 64)});
  for (int i = 0; i < kMoves; ++i) move_once(chain);
  chain.end();
}

void write_transpositions(Chain& chain) {
  Draw& draw = chain.draw();
  for (int model_input = 0; model_input < 3; ++model_input) {
    chain.input({draw.size(1, 8), draw.size(4, 128), draw.size(8, 96), draw.size(8, 96)});
    for (int i = 0; i < 4; ++i) {
      const Ints order = draw.one_of<Ints>(
          {{0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 1, 3, 2}, {1, 0, 2, 3}, {2, 3, 0, 1}});
      chain.step("Transpose", {}, {{"perm", order}}, turned(chain.dims(), order));
      // Engines leave out a transposition that undoes another one.
      chain.step("Relu");
    }
    chain.end();
  }
}

void write_lookups(Chain& chain) {
  Draw& draw = chain.draw();
  ModelWriter& model = chain.model();
  for (int i = 0; i < 4; ++i) {
    const Dim rows = draw.size(64, 8192);
    const Dim width = draw.size(16, 1024, 16);
    const Dim tokens = draw.size(1, 384);
    chain.input({rows, width});
    chain.step("Abs");
    Ints some;
    for (Dim token = 0; token < tokens; ++token) some.push_back((token * 7919) % rows);
    chain.step("Gather", {model.integers(some)}, {{"axis", std::int64_t{0}}}, {tokens, width});
    chain.step("Relu");
    const Dim half = (tokens + 1) / 2;
    Ints every_other;
    for (Dim token = 0; token < half; ++token) every_other.push_back(token);
    const Value updates =
        model.node(chain.scope(), "Gather", {chain.value(), model.integers(every_other)},
                   {{"axis", std::int64_t{0}}});
    const Value places =
        model.node(chain.scope(), "Unsqueeze", {model.integers(every_other), model.integers({1})});
    chain.step("ScatterND", {places, updates});
    chain.end();
  }
}

}  // namespace jouletree::zoo
