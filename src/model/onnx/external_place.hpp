#pragma once

#include <filesystem>

namespace jouletree::model::onnx {

/// A link may lead out of the folder although the path does not. Download caches keep both files as
/// links into one store: beside the real file is inside, too. Throws Error(BadInput) for data of
/// `file` that lie elsewhere.
void refuse_links_outside(const std::filesystem::path& file, const std::filesystem::path& data);

}  // namespace jouletree::model::onnx
