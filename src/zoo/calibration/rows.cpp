#include "zoo/calibration/families.hpp"
#include "zoo/layers.hpp"

namespace jouletree::zoo {
namespace {

constexpr int kRowSteps = 5;
constexpr int kRowInputs = 4;
constexpr float kRowEpsilon = 1e-5F;

Dims rows_of_numbers(Draw& draw) { return {1, draw.size(4, 512), draw.size(16, 1536, 8)}; }

void normalise(Chain& chain) {
  Draw& draw = chain.draw();
  const Dim width = chain.dims().back();
  switch (draw.one_of<int>({0, 0, 1, 2})) {
    case 0:
      chain.take(layer_norm(chain.model(), chain.scope(), chain.value(), width, kRowEpsilon),
                 chain.dims());
      break;
    case 1: {
      // With a residual before it, which engines fuse.
      const Value kept = chain.value();
      chain.step("Tanh");
      chain.step("Add", {kept});
      chain.take(layer_norm(chain.model(), chain.scope(), chain.value(), width, kRowEpsilon),
                 chain.dims());
      break;
    }
    default:
      chain.take(rms_norm(chain.model(), chain.scope(), chain.value(), width, kRowEpsilon),
                 chain.dims());
  }
  chain.step("Relu");
}

void reduce(Chain& chain) {
  Draw& draw = chain.draw();
  const Value kept = chain.value();
  const Dims dims = chain.dims();
  const auto op = draw.one_of<std::string_view>({"ReduceMean", "ReduceSum", "ReduceMax"});
  const bool is_last = draw.chance(60);
  Dims reduced = dims;
  reduced[is_last ? 2 : 1] = 1;
  const std::int64_t axis = is_last ? 2 : 1;
  if (op == "ReduceSum") {
    chain.step(op, {chain.model().integers({axis})}, {{"keepdims", std::int64_t{1}}}, reduced);
  } else {
    chain.step(op, {}, {{"axes", Ints{axis}}, {"keepdims", std::int64_t{1}}}, reduced);
  }
  const Value small = chain.value();
  chain.take(kept, dims);
  chain.step("Sub", {small});
}

}  // namespace

void write_normalisations(Chain& chain) {
  for (int input = 0; input < kRowInputs; ++input) {
    chain.input(rows_of_numbers(chain.draw()));
    for (int i = 0; i < kRowSteps; ++i) normalise(chain);
    chain.end();
  }
  // Over the positions of an image.
  Draw& draw = chain.draw();
  const Dim channels = draw.size(8, 128);
  const Dim side = draw.size(8, 64);
  chain.input({1, channels, side, side});
  for (int i = 0; i < 3; ++i) {
    const Scope scope = chain.scope();
    chain.step("InstanceNormalization",
               {chain.model().weight(scope, "weight", {channels}, kAboutOne),
                chain.model().weight(scope, "bias", {channels})});
    chain.step("Relu");
    chain.step("BatchNormalization",
               {chain.model().weight(scope, "weight2", {channels}, kAboutOne),
                chain.model().weight(scope, "bias2", {channels}),
                chain.model().weight(scope, "running_mean", {channels}),
                chain.model().weight(scope, "running_var", {channels}, kAboutOne)});
    chain.step("Sigmoid");
  }
  chain.end();
}

void write_reductions(Chain& chain) {
  Draw& draw = chain.draw();
  for (int input = 0; input < kRowInputs; ++input) {
    chain.input(rows_of_numbers(draw));
    for (int i = 0; i < kRowSteps; ++i) {
      if (draw.chance(50)) {
        chain.step("Softmax", {}, {{"axis", std::int64_t{-1}}});
      } else {
        reduce(chain);
      }
    }
    chain.end();
  }
}

}  // namespace jouletree::zoo
