#include "jouletree/recorded_run.hpp"
#include "model/torchscript/graph_of_run.hpp"
#include "model/torchscript/run_notes.hpp"

namespace jouletree {
namespace {

/// What a file of all parameters and buffers would hold.
std::int64_t stored_bytes(const Graph& graph) {
  Count total = 0;
  for (const GraphValue& value : graph.values)
    if (value.constant) total += value.constant->bytes().value_or(0);
  return total.value();
}

}  // namespace

ModelTree inspect_recording(std::string_view json, const std::string& name) {
  const torchscript::RecordedRun run = torchscript::read_recording(json);
  auto graph = std::make_shared<Graph>(torchscript::graph_of(run));
  graph->path = name;
  graph->file_bytes = stored_bytes(*graph);
  graph->notes = torchscript::notes_on_live_run(run, *graph);
  ModelTree tree = build_tree(graph, {});
  // The name is no file name: a dot in it begins no ending.
  tree.name = name;
  tree.root.name = name;
  return tree;
}

}  // namespace jouletree
