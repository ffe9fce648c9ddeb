#pragma once

#include <string_view>
#include <vector>

namespace jouletree::zoo {

enum class CellOperation { None, Skip, Convolution1x1, Convolution3x3, AveragePool3x3 };

/// A cell of NAS-Bench-201: for each node but the first, what is done to every node before it. A
/// node is the sum of the results.
using CellNodes = std::vector<std::vector<CellOperation>>;

/// Reads "|nor_conv_3x3~0|+|none~0|skip_connect~1|+|…~0|…~1|…~2|". Throws Error(BadInput) saying
/// which node and edge is wrong.
[[nodiscard]] CellNodes parse_cell(std::string_view arch);

}  // namespace jouletree::zoo
