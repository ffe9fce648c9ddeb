#include "zoo/calibration/families.hpp"

namespace jouletree::zoo {
namespace {

constexpr int kSizes = 5;
constexpr int kStepsOfASize = 5;
constexpr Dim kGrowth = 6;

Dims begun(Chain& chain) {
  Draw& draw = chain.draw();
  // From far within a cache to far beyond it.
  return {1, draw.size(4, 32), draw.size(8, 32), draw.one_of<Dim>({8, 16, 24, 32})};
}

/// The same a few times larger.
void grow(Chain& chain) {
  const Value one = chain.value();
  Dims grown = chain.dims();
  grown[1] *= kGrowth;
  chain.step("Concat", std::vector<Value>(kGrowth - 1, one), {{"axis", std::int64_t{1}}}, grown);
}

void combine(Chain& chain) {
  Draw& draw = chain.draw();
  const Scope scope = chain.scope();
  const Dims& dims = chain.dims();
  const auto op = draw.one_of<std::string_view>({"Add", "Add", "Mul", "Mul", "Sub", "Div"});
  switch (draw.one_of<int>({0, 0, 1, 2})) {
    case 0: {
      // With a map of the same size, which was there before.
      const Value kept = chain.value();
      chain.step("Neg");
      chain.step(op, {kept});
      break;
    }
    case 1: chain.step(op, {chain.model().weight(scope, "row", {dims[3]}, {1.0F, 0.02F})}); break;
    default:
      chain.step(op, {chain.model().weight(scope, "channel", {dims[1], 1, 1}, {1.0F, 0.02F})});
  }
}

void activate_once(Chain& chain) {
  Draw& draw = chain.draw();
  const auto op = draw.one_of<std::string_view>(
      {"Relu", "Sigmoid", "Tanh", "Erf", "Exp", "Abs", "Clip", "HardSwish", "LeakyRelu", "Elu",
       "Softplus", "Sqrt", "Pow", "HardSigmoid", "PRelu", "Floor"});
  ModelWriter& model = chain.model();
  if (op == "Clip") {
    chain.step(op, {model.real(0.0F), model.real(6.0F)});
  } else if (op == "Pow") {
    chain.step(op, {model.real(2.0F)});
  } else if (op == "PRelu") {
    chain.step(op, {model.weight(chain.scope(), "slope", {chain.dims()[1], 1, 1})});
  } else {
    chain.step(op);
  }
}

void write_sizes(Chain& chain, void (*step)(Chain&)) {
  chain.input(begun(chain));
  for (int size = 0; size < kSizes; ++size) {
    for (int i = 0; i < kStepsOfASize; ++i) step(chain);
    if (size + 1 < kSizes) grow(chain);
  }
  chain.end();
}

}  // namespace

void write_arithmetic(Chain& chain) { write_sizes(chain, combine); }

void write_activations(Chain& chain) { write_sizes(chain, activate_once); }

}  // namespace jouletree::zoo
