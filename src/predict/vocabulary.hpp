#pragma once

#include <set>
#include <string>
#include <vector>

#include "jouletree/predict.hpp"

namespace jouletree::predict {

/// Whose names these types of operators are. Names that frameworks share do not decide.
[[nodiscard]] Vocabulary vocabulary_of_types(const std::set<std::string>& types);
/// Of one run: what its file says, else what its names tell.
[[nodiscard]] Vocabulary vocabulary_of(const TreeRun& run);
/// Those of the runs, each once: what their file says, else what the names in that file tell.
[[nodiscard]] std::vector<Vocabulary> vocabularies_of(const std::vector<TreeRun>& runs);

}  // namespace jouletree::predict
