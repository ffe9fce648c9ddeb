#pragma once

#include <filesystem>
#include <memory>

#include "base/mapped_file.hpp"
#include "jouletree/graph.hpp"

namespace jouletree::model::onnx {

/// As read_onnx(), of a file that is mapped already.
[[nodiscard]] Graph read_mapped(std::shared_ptr<const MappedFile> file,
                                const std::filesystem::path& path);

}  // namespace jouletree::model::onnx
