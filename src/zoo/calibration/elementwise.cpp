#include "zoo/calibration/families.hpp"

namespace jouletree::zoo {
namespace {

constexpr int kSizes = 5;
constexpr int kStepsOfASize = 5;
constexpr Dim kGrowth = 5;

Dims begun(Chain& chain) {
  Draw& draw = chain.draw();
  // From far within a cache to beyond it, as maps of real models are: a few MiB at the end.
  return {1, draw.size(4, 16), draw.size(8, 24), draw.one_of<Dim>({8, 16, 24, 32})};
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
  const Dims dims = chain.dims();
  const auto op = draw.one_of<std::string_view>({"Add", "Add", "Mul", "Mul", "Sub", "Div"});
  ModelWriter& model = chain.model();
  constexpr Fill kNearOne = {1.0F, 0.02F};
  switch (draw.one_of<int>({0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6})) {
    case 0: {
      // With a map of the same size, which was there before.
      const Value kept = chain.value();
      chain.step(draw.one_of<std::string_view>({"Neg", "Relu", "Abs"}));
      chain.step(op, {kept});
      break;
    }
    case 1: chain.step(op, {model.weight(scope, "row", {dims[3]}, kNearOne)}); break;
    case 2: chain.step(op, {model.weight(scope, "channel", {dims[1], 1, 1}, kNearOne)}); break;
    case 3: chain.step(op, {model.real(1.5F)}); break;
    case 4: {
      // One number for each position, as normalisation over channels has it.
      const Value kept = chain.value();
      chain.step("ReduceMean", {}, {{"axes", Ints{1}}, {"keepdims", std::int64_t{1}}},
                 {dims[0], 1, dims[2], dims[3]});
      const Value means = chain.value();
      chain.take(kept, dims);
      chain.step("Sub", {means});
      break;
    }
    case 5: {
      const Value kept = chain.value();
      const Value is_large = model.node(scope, "Greater", {kept, model.real(0.5F)});
      chain.take(model.node(chain.scope(), "Where", {is_large, kept, model.real(0.0F)}), dims);
      break;
    }
    default: {
      const Value kept = chain.value();
      chain.step("GlobalAveragePool", {}, {}, {dims[0], dims[1], 1, 1});
      const Value means = chain.value();
      chain.take(kept, dims);
      chain.step("Mul", {means});
    }
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
