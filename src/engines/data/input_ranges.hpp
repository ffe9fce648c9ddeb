#pragma once

#include "engines/data/input_files.hpp"
#include "jouletree/inference.hpp"
#include "runtime/input_data.hpp"

namespace jouletree::engines {

/// Data for every input: where they stand for those that have files, else
/// what the settings say, else sensible random data: floats between -1 and 1, masks of ones,
/// indices within the table that they look up, other integers 0 or 1. Throws Error(BadInput) for an
/// input whose shape is not known, and for given indices that lie outside their table.
[[nodiscard]] runtime::InputTensors input_tensors(const Graph& graph, const Inference& inference,
                                                  const InputSettings& settings,
                                                  const InputFiles& files);

}  // namespace jouletree::engines
