#pragma once

#include <filesystem>

namespace jouletree::test {

/// Writes files and folders that are no ONNX models, as users give them by mistake.
void write_other_files(const std::filesystem::path& folder);

}  // namespace jouletree::test
