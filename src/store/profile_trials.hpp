#pragma once

#include <iosfwd>

#include "measure/profile.hpp"

namespace jouletree::store {

/// The content of trials.jsonl: one JSON object per window, by time.
void write_trials(const measure::Profile& profile, std::ostream& out);

}  // namespace jouletree::store
