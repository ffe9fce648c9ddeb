#pragma once

#include <string>
#include <vector>

namespace jouletree::report {

/// The shortest that tells models apart: file names without ending, with it, whole paths. What was
/// given twice gets a number.
[[nodiscard]] std::vector<std::string> labels_of(const std::vector<std::string>& models);

}  // namespace jouletree::report
