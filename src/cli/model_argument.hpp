#pragma once

#include <string>

namespace jouletree::cli {

/// Throws Error(BadInput) if there is no such file but a model of the zoo has this name, and says
/// how to get the file.
void refuse_zoo_name(const std::string& model);

}  // namespace jouletree::cli
