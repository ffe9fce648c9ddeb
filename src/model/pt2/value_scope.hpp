#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "model/pt2/json_fields.hpp"
#include "model/pt2/tensor_facts.hpp"
#include "runtime/torchscript_run.hpp"

namespace jouletree::model::pt2 {

/// A tensor or a number that a graph knows by name.
struct KnownValue {
  runtime::Argument argument;
  TensorFacts facts;  ///< Of a tensor.
};

/// Numbers tensors and memory.
class Numbering {
 public:
  [[nodiscard]] std::uint64_t next() { return ++last_; }

 private:
  std::uint64_t last_ = 0;
};

/// The values of one graph: those of the program, or those of a part that a node runs.
class ValueScope {
 public:
  /// Throws Error(BadInput) for a graph without its tables of values.
  ValueScope(const dom::object& graph, SizeTable& sizes, Numbering& numbers);

  /// As the graph's tables describe it. Throws Error(BadInput) for a tensor that they do not list.
  [[nodiscard]] TensorFacts facts_of(std::string_view tensor) const;
  /// A tensor in memory of its own.
  KnownValue& make_tensor(std::string_view name);
  KnownValue& set(std::string_view name, KnownValue value);

  /// Throws Error(BadInput) for a tensor that nothing before `reader` gives.
  [[nodiscard]] const KnownValue& tensor(std::string_view name, std::string_view reader) const;
  /// A whole number, a real one or a truth; None where data decide about it.
  [[nodiscard]] runtime::Argument number(std::string_view name) const;

 private:
  using Table = std::unordered_map<std::string_view, dom::element>;

  SizeTable& sizes_;
  Numbering& numbers_;
  Table tensors_;
  Table symbols_;
  std::unordered_map<std::string_view, KnownValue> known_;
};

}  // namespace jouletree::model::pt2
