#pragma once

#include <string>
#include <string_view>

#include "engines/data/npy_header.hpp"

namespace jouletree::engines {

/// Whether the numbers stand in the file as engines want them: little-endian, row by row.
[[nodiscard]] bool is_row_major(const NpyHeader& header);

/// The numbers put in that order. `numbers` must hold as many as the header says.
[[nodiscard]] std::string to_row_major(const NpyHeader& header, std::string_view numbers);

}  // namespace jouletree::engines
