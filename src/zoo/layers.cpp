#include "zoo/layers.hpp"

#include <cmath>
#include <numbers>

namespace jouletree::zoo {
namespace {

/// x · ½ · (1 + erf(x / √2)).
Value gelu_erf(ModelWriter& model, const Scope& scope, const Value& x) {
  const Value root = model.real(std::numbers::sqrt2_v<float>);
  const Value error = model.node(scope, "Erf", {model.node(scope, "Div", {x, root})});
  const Value sum = model.node(scope, "Add", {error, model.real(1.0F)});
  return model.node(scope, "Mul", {model.node(scope, "Mul", {x, sum}), model.real(0.5F)});
}

/// ½ · x · (1 + tanh(√(2/π) · (x + 0.044715 · x³))).
Value gelu_tanh(ModelWriter& model, const Scope& scope, const Value& x) {
  const Value cube = model.node(scope, "Pow", {x, model.real(3.0F)});
  const Value part = model.node(scope, "Mul", {cube, model.real(0.044715F)});
  const Value sum = model.node(scope, "Add", {x, part});
  const float root = std::sqrt(2.0F / std::numbers::pi_v<float>);
  const Value bent = model.node(scope, "Tanh", {model.node(scope, "Mul", {sum, model.real(root)})});
  const Value factor = model.node(scope, "Add", {bent, model.real(1.0F)});
  const Value half = model.node(scope, "Mul", {x, model.real(0.5F)});
  return model.node(scope, "Mul", {half, factor});
}

}  // namespace

Value linear(ModelWriter& model, const Scope& scope, const Value& input, Dim from, Dim to,
             Bias bias) {
  Value product = model.node(scope, "MatMul", {input, model.weight(scope, "weight", {from, to})});
  if (bias == Bias::No) return product;
  return model.node(scope, "Add", {model.weight(scope, "bias", {to}), product});
}

Value row_linear(ModelWriter& model, const Scope& scope, const Value& input, Dim from, Dim to) {
  return model.node(
      scope, "Gemm",
      {input, model.weight(scope, "weight", {to, from}), model.weight(scope, "bias", {to})},
      {{"transB", std::int64_t{1}}});
}

Value layer_norm(ModelWriter& model, const Scope& scope, const Value& input, Dim width,
                 float epsilon) {
  return model.node(scope, "LayerNormalization",
                    {input, model.weight(scope, "weight", {width}, kAboutOne),
                     model.weight(scope, "bias", {width})},
                    {{"axis", std::int64_t{-1}}, {"epsilon", epsilon}});
}

Value rms_norm(ModelWriter& model, const Scope& scope, const Value& input, Dim width,
               float epsilon) {
  const Value square = model.node(scope, "Pow", {input, model.real(2.0F)});
  const Value mean = model.node(scope, "ReduceMean", {square},
                                {{"axes", Ints{-1}}, {"keepdims", std::int64_t{1}}});
  const Value root =
      model.node(scope, "Sqrt", {model.node(scope, "Add", {mean, model.real(epsilon)})});
  const Value scaled = model.node(scope, "Div", {input, root});
  return model.node(scope, "Mul", {model.weight(scope, "weight", {width}, kAboutOne), scaled});
}

Value embedding(ModelWriter& model, const Scope& scope, const Value& indices, Dim rows, Dim width) {
  return model.node(scope, "Gather", {model.weight(scope, "weight", {rows, width}), indices});
}

Value activate(ModelWriter& model, const Scope& scope, const Value& input, Activation activation) {
  switch (activation) {
    case Activation::GeluErf: return gelu_erf(model, scope, input);
    case Activation::GeluTanh: return gelu_tanh(model, scope, input);
    case Activation::Relu: break;
  }
  return model.node(scope, "Relu", {input});
}

Value add(ModelWriter& model, const Scope& scope, const Value& a, const Value& b) {
  return model.node(scope, "Add", {a, b});
}

Value size_of(ModelWriter& model, const Value& value, std::int64_t axis) {
  const Scope root;
  return model.node(root, "Gather", {model.node(root, "Shape", {value}), model.integer(axis)});
}

Value count_to(ModelWriter& model, const Value& length) {
  return model.node(Scope(), "Range", {model.integer(0), length, model.integer(1)});
}

Value cast(ModelWriter& model, const Scope& scope, const Value& value, DataType type) {
  return model.node(scope, "Cast", {value}, {{"to", static_cast<std::int64_t>(type)}});
}

Value unsqueeze(ModelWriter& model, const Scope& scope, const Value& value, const Ints& axes) {
  return model.node(scope, "Unsqueeze", {value, model.integers(axes)});
}

Value token_input(ModelWriter& model, std::string_view name) {
  return model.input(name, DataType::Int64, {"batch", "sequence"});
}

void token_output(ModelWriter& model, const Value& tokens, Dim width) {
  model.output("last_hidden_state", tokens, {"batch", "sequence", std::to_string(width)});
}

void row_output(ModelWriter& model, std::string_view name, const Value& rows, Dim width) {
  model.output(name, rows, {"batch", std::to_string(width)});
}

Value pool_first_token(ModelWriter& model, const Scope& scope, const Scope& linear_scope,
                       const Value& tokens, Dim width) {
  const Value first =
      model.node(scope, "Gather", {tokens, model.integer(0)}, {{"axis", std::int64_t{1}}});
  const Value row = row_linear(model, linear_scope, first, width, width);
  return model.node(scope.child("activation"), "Tanh", {row});
}

}  // namespace jouletree::zoo
