#pragma once

#include <optional>
#include <vector>

#include "jouletree/inference.hpp"

namespace jouletree::test {

/// Open and fixed sizes of every origin that people see, an empty cache, and an unknown shape.
[[nodiscard]] inline std::vector<InputShape> sample_inputs() {
  InputShape ids{"ids", DataType::Int64, std::vector<InputDim>{}};
  ids.dims->push_back({"batch", 1, SizeOrigin::Default, true});
  ids.dims->push_back({"past + seq", 16, SizeOrigin::Expression, true});
  InputShape cache{"past", DataType::Float16, std::vector<InputDim>{}};
  cache.dims->push_back({"", 1, SizeOrigin::Given, true});
  cache.dims->push_back({"", 8, SizeOrigin::File, false});
  cache.dims->push_back({"length", 0, SizeOrigin::EmptyCache, true});
  return {ids, cache, InputShape{"unknown", DataType::Float32, std::nullopt}};
}

}  // namespace jouletree::test
