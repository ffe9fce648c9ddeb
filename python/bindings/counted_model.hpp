#pragma once

#include <utility>

#include "jouletree/tree.hpp"

namespace jouletree::python {

/// A model that was counted, as Python holds it: the class `CountedModel` of the module.
struct CountedModel {
  explicit CountedModel(ModelTree counted, InputSettings given = {})
      : tree(std::move(counted)), settings(std::move(given)) {}
  ModelTree tree;
  InputSettings settings;  ///< What it was counted with.
};

}  // namespace jouletree::python
