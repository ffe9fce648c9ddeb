#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jouletree/measured_on.hpp"

namespace jouletree::tree {

/// "AMD EPYC 7B13, ONNX Runtime 1.30.0, 1 thread". What is usual is left out: the CPU as the
/// device, all optimisations, one operator at a time.
[[nodiscard]] std::string place_text(const MeasuredOn& place);
/// "ONNX Runtime 1.30.0".
[[nodiscard]] std::string engine_text(const MeasuredOn& place);

enum class PlacePart { Machine, Engine, Version, Threads, Device, Level, Execution };
/// As files say: "machine", "engine_version".
[[nodiscard]] std::string_view name_of(PlacePart part);

/// In what two places differ; what one of them does not say does not differ, nor do versions with
/// the same first two numbers.
[[nodiscard]] std::vector<PlacePart> differing_parts(const MeasuredOn& one,
                                                     const MeasuredOn& other);

/// "1.30" of "1.30.0".
[[nodiscard]] std::string_view short_version(std::string_view version);

}  // namespace jouletree::tree
