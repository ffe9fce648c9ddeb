#pragma once

#include "zoo/model_writer.hpp"

namespace jouletree::zoo {

/// What the scales of normalisations are drawn from.
inline constexpr Fill kAboutOne{1.0F, 0.02F};

enum class Bias { Yes, No };
enum class Activation { Relu, GeluErf, GeluTanh };

/// A linear layer over the last dimension: MatMul and Add with `weight` and `bias`.
Value linear(ModelWriter& model, const Scope& scope, const Value& input, Dim from, Dim to,
             Bias bias = Bias::Yes);
/// A linear layer over rows: Gemm, as exporters write it for two dimensions.
Value row_linear(ModelWriter& model, const Scope& scope, const Value& input, Dim from, Dim to);
Value layer_norm(ModelWriter& model, const Scope& scope, const Value& input, Dim width,
                 float epsilon);
/// Division by the root of the mean square, without mean and bias.
Value rms_norm(ModelWriter& model, const Scope& scope, const Value& input, Dim width,
               float epsilon);
Value embedding(ModelWriter& model, const Scope& scope, const Value& indices, Dim rows, Dim width);
Value activate(ModelWriter& model, const Scope& scope, const Value& input, Activation activation);

Value add(ModelWriter& model, const Scope& scope, const Value& a, const Value& b);
/// Dimension `axis` of a value, as a scalar.
Value size_of(ModelWriter& model, const Value& value, std::int64_t axis);
/// 0, 1, … up to, but without, `length`.
Value count_to(ModelWriter& model, const Value& length);
Value cast(ModelWriter& model, const Scope& scope, const Value& value, DataType type);
Value unsqueeze(ModelWriter& model, const Scope& scope, const Value& value, const Ints& axes);

/// The tokens of a batch of texts: int64, batch x sequence.
Value token_input(ModelWriter& model, std::string_view name);
/// The output `last_hidden_state`: batch x sequence x width.
void token_output(ModelWriter& model, const Value& tokens, Dim width);
/// An output of one row per text or image: batch x width.
void row_output(ModelWriter& model, std::string_view name, const Value& rows, Dim width);
/// The first token through a linear layer and Tanh, as BERT prepares it for classification.
Value pool_first_token(ModelWriter& model, const Scope& scope, const Scope& linear_scope,
                       const Value& tokens, Dim width);

}  // namespace jouletree::zoo
