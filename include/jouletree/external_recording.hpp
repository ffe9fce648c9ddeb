#pragma once

#include "jouletree/probe.hpp"
#include "jouletree/session.hpp"

namespace jouletree {

/// What an external meter recorded between two times of the calendar, after the fact. Stamps that
/// count from zero are taken to begin now, so such a file needs an offset. `begin` and `end` of the
/// result count from 1970. Throws Error(BadInput) for a file that cannot be understood, naming the
/// line.
[[nodiscard]] WindowResult energy_of_recording(const ExternalFile& file, WallTime begin,
                                               WallTime end);

}  // namespace jouletree
