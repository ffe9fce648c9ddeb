#pragma once

#include <iosfwd>

#include "measure/machine_check.hpp"

namespace jouletree::report {

/// What can be measured, what is missing and how to get it, what disturbs; ends with the verdict.
void print_doctor_table(const measure::MachineCheck& check, std::ostream& out);
/// The same as one object.
void print_doctor_json(const measure::MachineCheck& check, std::ostream& out);

}  // namespace jouletree::report
