#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "zoo/model_writer.hpp"

namespace jouletree::zoo {

/// An operator of ONNX with the shapes that it gets, as a model of its own.
struct SingleOperator {
  using Attribute = std::variant<std::int64_t, double, Ints, std::string>;

  std::string op;
  std::vector<Dims> inputs;   ///< float32, given at each run.
  std::vector<Dims> weights;  ///< float32, stored; they come behind the inputs.
  std::vector<std::pair<std::string, Attribute>> attributes;
};

/// Writes it with one output. Names of attributes must outlive the writer.
void write_operator(ModelWriter& model, const SingleOperator& one);

/// One that every engine has on every device, to try these with.
SingleOperator smallest_operator();

}  // namespace jouletree::zoo
