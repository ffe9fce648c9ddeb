#pragma once

#include <iosfwd>
#include <vector>

#include "jouletree/inference.hpp"

namespace jouletree::report {

/// One line per input: "  ids: int64 batch x sequence = 1x16".
void print_inputs(const std::vector<InputShape>& inputs, std::ostream& out);

}  // namespace jouletree::report
