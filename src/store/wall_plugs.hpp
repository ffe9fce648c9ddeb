#pragma once

#include "store/recording.hpp"

namespace jouletree::store {

/// Adds the energy of each plug of an `omegawatt.csv` beside the lines to the domains of the runs.
/// It is not in their totals: which plug feeds which machine is written nowhere. A file that cannot
/// be read, or tells of another time, becomes a note.
void add_plugs(Recording& recording);

}  // namespace jouletree::store
