#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "zoo/model_writer.hpp"

namespace jouletree::zoo {

/// Numbers that look random and are the same on every machine for the same seed.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}

  /// From `low` to `high`, as likely below as above their geometric mean; a multiple of `step`.
  [[nodiscard]] Dim size(Dim low, Dim high, Dim step = 1);
  template <class Value>
  [[nodiscard]] Value one_of(std::initializer_list<Value> values) {
    return values.begin()[static_cast<std::size_t>(next() % values.size())];
  }
  [[nodiscard]] bool chance(int per_cent) { return static_cast<int>(next() % 100) < per_cent; }

 private:
  [[nodiscard]] std::uint64_t next();

  std::uint64_t state_;
};

/// A model of operators one after the other: each reads what the one before it wrote, as in real
/// models.
class Chain {
 public:
  Chain(ModelWriter& model, Draw& draw) : model_(model), draw_(draw) {}

  [[nodiscard]] ModelWriter& model() { return model_; }
  [[nodiscard]] Draw& draw() { return draw_; }
  [[nodiscard]] const Value& value() const { return value_; }
  [[nodiscard]] const Dims& dims() const { return dims_; }
  [[nodiscard]] Dim elements() const;

  /// Begins with another input of the model.
  void input(const Dims& dims, DataType type = DataType::Float32);
  /// The operator takes the value and `others`, and makes a value of these sizes.
  void step(std::string_view op, const std::vector<Value>& others, NodeAttributes attributes,
            const Dims& dims);
  /// The same sizes as before.
  void step(std::string_view op, const std::vector<Value>& others = {},
            NodeAttributes attributes = {});
  /// Goes on with a value that was made otherwise.
  void take(const Value& value, const Dims& dims);
  /// A module for the next operators, with a name of its own.
  [[nodiscard]] Scope scope();
  /// The value is an output of the model.
  void end();

  /// The model leaves this dimension open; it is to be measured at this size.
  void open(const std::string& dimension, Dim size) { open_dims_[dimension] = size; }
  [[nodiscard]] const std::map<std::string, Dim, std::less<>>& open_dims() const {
    return open_dims_;
  }

 private:
  ModelWriter& model_;
  Draw& draw_;
  Value value_;
  Dims dims_;
  int steps_ = 0;
  int inputs_ = 0;
  int outputs_ = 0;
  std::map<std::string, Dim, std::less<>> open_dims_;
};

}  // namespace jouletree::zoo
