#include "zoo/calibration/families.hpp"

namespace jouletree::zoo {
namespace {

/// As the quantiser of ONNX Runtime writes it.
void remember_in_bytes(Chain& chain, const Scope& scope, Dim directions, Dim hidden,
                       NodeAttributes attributes, const Dims& result) {
  ModelWriter& model = chain.model();
  const Dim gates = 4 * hidden;
  const Value zero = model.byte(scope, "zero_point", DataType::Int8, 0);
  const Value scale = model.real(0.003F);
  chain.step(
      "com.microsoft.DynamicQuantizeLSTM",
      {model.bytes(scope, "W_quantized", {directions, chain.dims().back(), gates}, DataType::Int8),
       model.bytes(scope, "R_quantized", {directions, hidden, gates}, DataType::Int8),
       model.weight(scope, "B", {directions, 2 * gates}), "", "", "", "", scale, zero, scale, zero},
      std::move(attributes), result);
}

}  // namespace

void write_recurrent(Chain& chain) {
  Draw& draw = chain.draw();
  ModelWriter& model = chain.model();
  const Dim length = draw.size(4, 160);
  chain.input({length, 1, draw.size(16, 512, 8)});
  for (int i = 0; i < 4; ++i) {
    const auto op = draw.one_of<std::string_view>({"LSTM", "LSTM", "GRU", "RNN"});
    const Dim gates = op == "LSTM" ? 4 : op == "GRU" ? 3 : 1;
    const Dim hidden = draw.size(16, 512, 8);
    const Dim directions = draw.chance(40) ? 2 : 1;
    const Scope scope = chain.scope();
    const Dim width = chain.dims().back();
    NodeAttributes attributes = {
        {"hidden_size", std::int64_t{hidden}},
        {"direction", std::string_view(directions == 2 ? "bidirectional" : "forward")}};
    if (op == "GRU") attributes.push_back({"linear_before_reset", std::int64_t{1}});
    const Dims result = {length, directions, 1, hidden};
    if (op == "LSTM" && draw.chance(30)) {
      remember_in_bytes(chain, scope, directions, hidden, std::move(attributes), result);
    } else {
      chain.step(op,
                 {model.weight(scope, "W", {directions, gates * hidden, width}),
                  model.weight(scope, "R", {directions, gates * hidden, hidden}),
                  model.weight(scope, "B", {directions, 2 * gates * hidden})},
                 std::move(attributes), result);
    }
    chain.step("Transpose", {}, {{"perm", Ints{0, 2, 1, 3}}}, {length, 1, directions, hidden});
    chain.step("Reshape", {model.integers({0, 0, -1})}, {}, {length, 1, directions * hidden});
  }
  chain.end();
}

}  // namespace jouletree::zoo
