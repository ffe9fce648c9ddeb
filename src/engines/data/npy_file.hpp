#pragma once

#include <vector>

#include "engines/data/file_tensor.hpp"

namespace jouletree::engines {

/// The array of a .npy file. What stands in it as engines read it stays where it is; anything else
/// is put in order in a scratch file. Throws Error(BadInput), naming the file.
[[nodiscard]] FileTensor read_npy(const std::filesystem::path& path, ScratchFiles& scratch);

/// The arrays of a .npz file, stored or deflated, with their names.
[[nodiscard]] std::vector<FileTensor> read_npz(const std::filesystem::path& path,
                                               ScratchFiles& scratch);

}  // namespace jouletree::engines
