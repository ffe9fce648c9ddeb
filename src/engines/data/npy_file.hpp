#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engines/data/file_tensor.hpp"

namespace jouletree::engines {

/// The array of a .npy file. What stands in it as engines read it stays where it is; anything else
/// is put in order in a scratch file. Throws Error(BadInput), naming the file.
[[nodiscard]] FileTensor read_npy(const std::filesystem::path& path, ScratchFiles& scratch);

/// Throws for an array that nobody asked for; `origin` is its file and name.
using WantedArray = std::function<void(const std::string& name, const std::string& origin)>;

/// The arrays of a .npz file, stored or deflated, with their names. All names are looked at before
/// the first array is unpacked.
[[nodiscard]] std::vector<FileTensor> read_npz(const std::filesystem::path& path,
                                               ScratchFiles& scratch,
                                               const WantedArray& wanted = {});

}  // namespace jouletree::engines
