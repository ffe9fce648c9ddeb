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

/// The same for a live model: what the recorder says, and parts that the run left out.
[[nodiscard]] std::vector<std::string> notes_on_live_run(const runtime::RecordedRun& run,
                                                         const Graph& graph);

/// Adds a note on the parameters that nothing in a program reads.
void note_idle_parameters(const Graph& graph, std::vector<std::string>& notes);

}  // namespace jouletree::model::torchscript
