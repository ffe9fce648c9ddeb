#pragma once

#include <string_view>

namespace jouletree::model {

// Domains that the engine puts an operator into when it changes the layout of its tensors.

/// Channels are filled up to whole blocks, and the blocks are the innermost axis in memory.
inline constexpr std::string_view kBlockedLayout = "com.microsoft.nchwc";
/// Channels are the last axis.
inline constexpr std::string_view kChannelsLastLayout = "com.ms.internal.nhwc";

}  // namespace jouletree::model
