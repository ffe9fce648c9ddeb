#include "report/input_shapes.hpp"

#include <ostream>

#include <fmt/format.h>

#include "base/text_table.hpp"

namespace jouletree::report {

void print_inputs(const std::vector<InputShape>& inputs, std::ostream& out) {
  for (const InputShape& input : inputs) {
    out << printable(fmt::format("  {}: {} {}", input.name, name_of(input.type), to_string(input)))
        << '\n';
  }
}

}  // namespace jouletree::report
