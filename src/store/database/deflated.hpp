#pragma once

#include <string>
#include <string_view>

namespace jouletree::store {

/// The bytes as zlib packs them.
[[nodiscard]] std::string deflated(std::string_view bytes);

/// The opposite. Throws std::runtime_error for what is damaged or does not have exactly `size`
/// bytes.
[[nodiscard]] std::string inflated(std::string_view packed, std::size_t size);

}  // namespace jouletree::store
