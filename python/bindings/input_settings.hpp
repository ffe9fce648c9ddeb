#pragma once

#include <nanobind/nanobind.h>

#include "jouletree/inference.hpp"

namespace jouletree::python {

/// What the user says about the inputs of a model. `shapes` maps names to sequences of sizes,
/// `dims` names to sizes, `values` names to a number or a list of numbers and truth values, `types`
/// names to names of element types. Throws Error(BadInput) naming the argument.
[[nodiscard]] InputSettings input_settings(const nanobind::dict& shapes, const nanobind::dict& dims,
                                           const nanobind::dict& values,
                                           const nanobind::dict& types);

}  // namespace jouletree::python
