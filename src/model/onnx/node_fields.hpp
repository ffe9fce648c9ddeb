#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jouletree::model::onnx {

/// Of the main operator set, under either of its names.
[[nodiscard]] bool is_standard_node(std::string_view node, std::string_view op);
[[nodiscard]] std::vector<std::string_view> inputs_of(std::string_view node);
[[nodiscard]] std::vector<std::string_view> outputs_of(std::string_view node);
/// The first output that is not left out; empty where all are.
[[nodiscard]] std::string_view first_output_of(std::string_view node);
/// Empty where the node has no such attribute.
[[nodiscard]] std::vector<std::int64_t> integers_of(std::string_view node,
                                                    std::string_view attribute);
[[nodiscard]] std::string identity_node(std::string_view from, std::string_view to);

}  // namespace jouletree::model::onnx
