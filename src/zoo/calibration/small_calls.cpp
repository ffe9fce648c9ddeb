#include "zoo/calibration/families.hpp"
#include "zoo/layers.hpp"

namespace jouletree::zoo {

/// What exporters write for sizes that a file leaves open, and operators so small that only the
/// call counts.
void write_small_calls(Chain& chain) {
  Draw& draw = chain.draw();
  ModelWriter& model = chain.model();
  const Dim width = draw.size(8, 64, 8);
  const Value open =
      model.input("tokens", DataType::Float32, {"batch", "sequence", std::to_string(width)});
  chain.open("batch", 1);
  chain.open("sequence", 16);
  chain.take(open, {1, 16, width});
  for (int i = 0; i < 4; ++i) {
    const Scope scope = chain.scope();
    const Value batch = unsqueeze(model, scope, size_of(model, chain.value(), 0), {0});
    const Value length = unsqueeze(model, scope, size_of(model, chain.value(), 1), {0});
    const Value split = model.node(scope, "Concat", {batch, length, model.integers({2, width / 2})},
                                   {{"axis", std::int64_t{0}}});
    chain.step("Reshape", {split}, {}, {1, 16, 2, width / 2});
    chain.step("Transpose", {}, {{"perm", Ints{0, 2, 1, 3}}}, {1, 2, 16, width / 2});
    chain.step(draw.one_of<std::string_view>({"Relu", "Sqrt", "Sigmoid"}));
    chain.step("Transpose", {}, {{"perm", Ints{0, 2, 1, 3}}}, {1, 16, 2, width / 2});
    const Value joined = model.node(scope, "Concat", {batch, length, model.integers({width})},
                                    {{"axis", std::int64_t{0}}});
    chain.step("Reshape", {joined}, {}, {1, 16, width});
    chain.step("Add", {model.weight(scope, "bias", {width})});
    chain.step(draw.one_of<std::string_view>({"Tanh", "Erf", "Exp"}));
  }
  const Value positions =
      model.node(chain.scope(), "Range",
                 {model.integer(0), size_of(model, chain.value(), 1), model.integer(1)});
  const Value known = model.node(chain.scope(), "Less", {positions, model.integer(12)});
  const Value mask = model.node(chain.scope(), "Unsqueeze", {known, model.integers({0, 2})});
  chain.take(model.node(chain.scope(), "Where", {mask, chain.value(), model.real(0.0F)}),
             {1, 16, width});
  chain.end();
}

}  // namespace jouletree::zoo
