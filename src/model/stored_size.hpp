#pragma once

#include <cstdint>

#include "jouletree/graph.hpp"

namespace jouletree::model {

/// Bytes of the model's file and of the external data files that exist.
[[nodiscard]] inline std::int64_t stored_size(const Graph& graph) {
  Count bytes = graph.file_bytes;
  for (const auto& [file, size] : graph.external_files) bytes += size;
  return bytes.value();
}

}  // namespace jouletree::model
