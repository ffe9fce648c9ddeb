#pragma once

#include <cstdint>
#include <filesystem>

namespace jouletree::report {

/// What a file of JSON is, as far as `jouletree report` takes it.
enum class JsonKind : std::uint8_t {
  CrossValidation,
  Prediction,
  TreeFile,
  Other,
  Broken,  ///< No whole JSON, perhaps because somebody writes it now.
};

/// Reads the file to its end, but keeps none of it. Very large ones are Other.
[[nodiscard]] JsonKind json_kind_of(const std::filesystem::path& file);

}  // namespace jouletree::report
