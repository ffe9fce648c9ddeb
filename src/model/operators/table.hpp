#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "model/operators/call.hpp"

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

/// A set of input positions.
using Slots = std::uint32_t;
template <class... Position>
[[nodiscard]] constexpr Slots slots(Position... position) {
  return ((Slots{1} << position) | ... | Slots{0});
}
inline constexpr Slots kAllSlots = ~Slots{0};
[[nodiscard]] constexpr bool has_slot(Slots set, std::size_t position) {
  return position < std::numeric_limits<Slots>::digits && ((set >> position) & 1U) != 0;
}

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

/// An input that picks rows of another one by their numbers.
struct Lookup {
  std::size_t indices = 0;  ///< Position of the input that holds the numbers.
  std::size_t table = 0;    ///< Position of the input that they pick from.
  std::string_view axis_attribute = "";
  std::int64_t usual_axis = 0;  ///< Where the attribute is not there.
};

/// What the costs of an operator go by.
enum class WorkKind : std::uint8_t {
  Elementwise,      ///< Moves elements and computes a little on the way.
  Rows,             ///< The same, row by row along the last dimension: normalisation.
  Scores,           ///< The same for softmax, which follows the products of attention.
  Product,          ///< Of two matrices, stored or not.
  WeightedProduct,  ///< Of a matrix and stored weights.
  Convolution,      ///< Of windows and stored weights.
  Attention,        ///< Products with their softmax in between.
};
[[nodiscard]] constexpr bool is_product_kind(WorkKind kind) { return kind >= WorkKind::Product; }

/// What all who measure or predict an operator need to know about it.
struct OperatorFacts {
  bool view = false;  ///< The first output shares the memory of the first input; nothing moves.
  /// Inputs whose memory the first output may take over if nobody reads them later.
  Slots overwrites = 0;
  /// The first output holds elements of the first input and no others; so does every view.
  bool keeps_values = false;
  bool random = false;  ///< The outputs differ from run to run.
  std::span<const Lookup> lookups = {};
  WorkKind work = WorkKind::Elementwise;
  /// The operator that this one extends by a little work, such as a bias: both cost the same.
  std::string_view costs_like = {};
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
/// All rows, family by family.
[[nodiscard]] std::span<const OperatorRow> operator_rows();

}  // namespace jouletree::model
