#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine_inputs.hpp"
#include "jouletree/value_type.hpp"

namespace jouletree::test {

// Operators that copy their input and remember where it lies. The engine never lets a result take
// the place of what a caller feeds, so a watched operator reads and writes copies.
inline constexpr std::string_view kWatchDomain = "jouletree.test";
/// Which input of the watched operator a copy is; -1 is the first output, -2 the second one.
inline constexpr std::string_view kWatchedPlace = "place";
[[nodiscard]] inline std::string watching_op(DataType type) {
  return "Watch_" + std::string(name_of(type));
}

/// Positions of the inputs in whose memory the first output of the watched operator lies; nothing
/// where it is empty. Throws std::runtime_error if the engine refuses the model or the inputs.
[[nodiscard]] std::optional<std::vector<std::size_t>> inputs_below_output(
    const std::string& model, const std::vector<EngineInput>& inputs);

}  // namespace jouletree::test
