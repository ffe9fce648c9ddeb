#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/value_type.hpp"

namespace jouletree::runtime {

/// Where the elements of an input come from: a file, else given values, which are repeated until
/// the tensor is full, else random numbers.
struct InputData {
  struct Range {
    std::int64_t low = 0;
    std::int64_t high = 0;
  };

  DataType type = DataType::Undefined;
  Dims dims;
  std::filesystem::path file{};
  std::size_t offset = 0;  ///< Of the first element in the file.
  std::vector<double> values{};
  std::optional<Range> range{};  ///< Of random integers; floats lie between -1 and 1.
  /// Of the first dimension, how many stand in the file; the last one is repeated. Else all.
  std::optional<std::int64_t> rows_in_file{};
};
using InputTensors = std::map<std::string, InputData, std::less<>>;

}  // namespace jouletree::runtime
