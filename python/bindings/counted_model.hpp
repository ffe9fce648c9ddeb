#pragma once

#include <utility>

#include "jouletree/tree.hpp"

namespace jouletree::python {

/// A model that was counted, as Python holds it: the class `CountedModel` of the module.
struct CountedModel {
  explicit CountedModel(ModelTree counted) : tree(std::move(counted)) {}
  ModelTree tree;
};

}  // namespace jouletree::python
