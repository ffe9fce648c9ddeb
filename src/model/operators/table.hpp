#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "model/operators/call.hpp"
#include "model/operators/operator_facts.hpp"

namespace jouletree::model {

/// What a cost rule says about one execution. Bytes that it leaves open are those of all inputs
/// and all outputs.
struct OperatorWork {
  Count macs;
  Count flops;
  std::optional<Count> read_bytes = std::nullopt;
  std::optional<Count> written_bytes = std::nullopt;
};

/// Sets the type, and where it can the content, of every output.
using ShapeRule = void (*)(Call&);
using CostRule = OperatorWork (*)(const Call&);

/// What the constants at the inputs of an operator are, for counting parameters. A constant at any
/// other position is a parameter if it is a floating-point initializer of more than one element.
struct ConstantRoles {
  Slots weights = 0;     ///< Always parameters: also integers, Constant nodes and single elements.
  Slots settings = 0;    ///< Never parameters: scales, zero points, paddings, limits.
  Slots statistics = 0;  ///< Running means and variances: stored, but not trained.
  Slots forwarded = 0;   ///< Have the role that the first output has where it is used.
};

/// Where the number of parameters is not simply the number of stored elements.
struct ParameterRules {
  /// Parameters in a constant at an input that packs several into one element.
  Count (*in_constant)(const Node& node, std::size_t position,
                       const StoredTensor& stored) = nullptr;
  /// Parameters that the operator holds in its attributes.
  Count (*in_attributes)(const Node& node) = nullptr;
};

/// One operator: how its outputs follow from its inputs and what it costs.
struct OperatorRow {
  std::string_view domain;
  std::string_view op;
  ShapeRule shape;
  CostRule cost;
  ConstantRoles constants = {};
  OperatorFacts facts = {};
  ParameterRules parameters = {};
  std::string_view family = {};  ///< "convolution"; the table knows it, rows do not say it.
};

inline constexpr std::string_view kOnnx = "";
inline constexpr std::string_view kMicrosoft = "com.microsoft";
inline constexpr std::string_view kMl = "ai.onnx.ml";
/// Operators of PyTorch that no other domain has. They occur in recorded runs only.
inline constexpr std::string_view kTorch = "torch";

/// Null where the operator has no row. `domain` "ai.onnx" is the empty one.
[[nodiscard]] const OperatorRow* find_operator(std::string_view domain, std::string_view op);
/// Nothing special where the operator has no row.
[[nodiscard]] const OperatorFacts& facts_of(std::string_view domain, std::string_view op);
/// The input that is the first of the operator's weights, from position `first` on; kNoValue where
/// the operator has none or the node leaves it out.
[[nodiscard]] ValueId first_weights(const OperatorRow& row, const Node& node,
                                    std::size_t first = 0);
/// All rows, family by family.
[[nodiscard]] std::span<const OperatorRow> operator_rows();

}  // namespace jouletree::model
