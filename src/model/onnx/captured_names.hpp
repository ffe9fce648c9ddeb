#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace jouletree::model::onnx {

using NewName = std::function<std::string(std::string_view)>;

/// A node whose nested graphs read the `captured` values from outside under new names. What a
/// nested graph defines itself keeps its name.
[[nodiscard]] std::string with_renamed_captures(std::string_view node,
                                                const std::set<std::string_view>& captured,
                                                const NewName& renamed);

}  // namespace jouletree::model::onnx
