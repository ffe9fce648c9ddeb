#pragma once

#include <iosfwd>

namespace jouletree::report {

/// Every architecture of the zoo with family, parameters and settings.
void print_zoo_table(std::ostream& out);
void print_zoo_json(std::ostream& out);

}  // namespace jouletree::report
