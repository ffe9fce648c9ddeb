#pragma once

#include <functional>
#include <vector>

#include "jouletree/predict.hpp"
#include "predict/module_words.hpp"

namespace jouletree::predict {

/// Predictions of the nodes of the original run, from those of the told one.
[[nodiscard]] std::vector<NodePrediction> of_original(const ToldRun& told,
                                                      const std::vector<NodePrediction>& predicted);

/// What a module adds to its parts, never less than nothing.
[[nodiscard]] double added_by(const TreeRun& run, std::size_t module,
                              const std::function<double(std::size_t)>& cost_of);

}  // namespace jouletree::predict
