#pragma once

#include <string>
#include <vector>

#include "jouletree/inference.hpp"
#include "runtime/torchscript_run.hpp"

namespace jouletree::model::torchscript {

/// What the reader of the numbers must know: how they came about, and why those of an ONNX export
/// of the same model may differ (parts that the run left out, normalisation that exporters fold).
[[nodiscard]] std::vector<std::string> notes_on(const runtime::RecordedRun& run, const Graph& graph,
                                                const InputSettings& settings);

}  // namespace jouletree::model::torchscript
