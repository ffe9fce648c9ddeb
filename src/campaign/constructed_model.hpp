#pragma once

#include <filesystem>

#include "campaign/item.hpp"

namespace jouletree::campaign {

/// Calls a function of Python in a Python that has PyTorch, and writes the model that it returns
/// into `scratch`, as a file that PyTorch's engine runs. Modules are found in `folder`, too. Throws
/// Error(BadInput) with what Python says.
[[nodiscard]] std::filesystem::path constructed_model(const Item& item,
                                                      const std::filesystem::path& folder,
                                                      const std::filesystem::path& scratch);

}  // namespace jouletree::campaign
