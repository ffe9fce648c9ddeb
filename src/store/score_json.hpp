#pragma once

#include <nlohmann/json.hpp>

#include "jouletree/score.hpp"

namespace jouletree::store {

/// All of a score, its metrics as metrics are everywhere.
[[nodiscard]] nlohmann::ordered_json score_json(const Score& score);
/// Reads it again. Throws nlohmann's exceptions, and Error(BadInput) for words that are none.
[[nodiscard]] Score score_of(const nlohmann::ordered_json& json);

}  // namespace jouletree::store
