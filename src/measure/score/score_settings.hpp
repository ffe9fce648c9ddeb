#pragma once

#include "jouletree/score_model.hpp"
#include "measure/score/score_batch.hpp"

namespace jouletree::measure {

/// How outputs and labels are read. Throws Error(BadInput) for a word that is none.
[[nodiscard]] ScoreReading reading_of(const ScoreSettings& settings);
/// Throws Error(BadInput) for settings that cannot be used, before anything is opened.
void check_settings(const ScoreSettings& settings);

}  // namespace jouletree::measure
