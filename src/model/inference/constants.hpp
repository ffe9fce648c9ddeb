#pragma once

#include <filesystem>
#include <optional>

#include "jouletree/elements.hpp"
#include "jouletree/graph.hpp"

namespace jouletree::model {

/// Whether load_content would give something, without touching the bytes.
[[nodiscard]] bool has_loadable_content(const StoredTensor& tensor);

/// The elements of a small stored tensor. `folder` is where external data lies. Nothing where the
/// tensor is larger than kMaxElements, holds text, or its bytes are missing or too short.
[[nodiscard]] std::optional<Elements> load_content(const StoredTensor& tensor,
                                                   const std::filesystem::path& folder);

}  // namespace jouletree::model
