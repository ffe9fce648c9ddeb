#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engines/data/file_tensor.hpp"
#include "engines/data/npy_file.hpp"

namespace jouletree::engines {

/// A tensor before it is known which input it is for.
struct OfferedTensor {
  FileTensor tensor;
  std::string wanted_input;             ///< What the user calls the input; may be empty.
  std::optional<std::size_t> position;  ///< Among the inputs, in a folder of tensors.
};

/// Reads "NAME=FILE", "FILE" or "FOLDER". Throws Error(BadInput) for what is not there or cannot be
/// read; `flag` is where the user gave it. `wanted` is asked for each name in a .npz archive,
/// before anything is unpacked.
[[nodiscard]] std::vector<OfferedTensor> read_data_source(const std::string& given,
                                                          ScratchFiles& scratch,
                                                          std::string_view flag = "--data",
                                                          const WantedArray& wanted = {});

}  // namespace jouletree::engines
