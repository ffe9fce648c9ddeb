#pragma once

#include "engines/data/file_tensor.hpp"

namespace jouletree::engines {

/// The tensor of a .pb file (ONNX's TensorProto). Raw elements stay where they are, also those in a
/// file beside it; others are put together in a scratch file. Throws Error(BadInput), naming the
/// file.
[[nodiscard]] FileTensor read_proto(const std::filesystem::path& path, ScratchFiles& scratch);

}  // namespace jouletree::engines
