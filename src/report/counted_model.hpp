#pragma once

#include <string>

#include "jouletree/tree.hpp"

namespace jouletree::report {

/// A model file or, where there is none, the architecture of the zoo of this name, counted. Throws
/// Error(BadInput) where there is neither.
[[nodiscard]] ModelTree count_model(const std::string& given, const InputSettings& settings);

}  // namespace jouletree::report
