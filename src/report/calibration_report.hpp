#pragma once

#include <iosfwd>

#include "campaign/calibration.hpp"

namespace jouletree::report {

/// How well each kind of models is predicted, and what more time would bring.
void print_calibration(const campaign::Calibration& calibration, std::ostream& out);

}  // namespace jouletree::report
