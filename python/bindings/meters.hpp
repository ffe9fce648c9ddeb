#pragma once

#include "jouletree/probe.hpp"

namespace jouletree::python {

/// Opens the meters of the machine. Throws Error(Missing), with all that was tried, if there are
/// none.
[[nodiscard]] Probe open_meters(const ProbeOptions& options);

}  // namespace jouletree::python
