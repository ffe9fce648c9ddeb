#include "tree/inspect_recording.hpp"

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

/// There is none.
void name_no_file(std::vector<std::string>& notes) {
  constexpr std::string_view kFile = "the file ";
  for (std::string& note : notes)
    if (note.rfind(kFile, 0) == 0) note.replace(0, kFile.size(), "the model ");
}

}  // namespace

ModelTree inspect_recording(std::string_view json, const std::string& name) {
  return tree::inspect_recording(runtime::read_recording(json), name);
}

ModelTree tree::inspect_recording(const runtime::RecordedRun& run, const std::string& name) {
  auto graph = std::make_shared<Graph>(model::torchscript::graph_of(run));
  graph->path = name;
  graph->file_bytes = stored_bytes(*graph);
  graph->notes = model::torchscript::notes_on_live_run(run, *graph);
  ModelTree tree = build_tree(graph, {});
  // The name is no file name: a dot in it begins no ending.
  tree.name = name;
  tree.root.name = name;
  name_no_file(tree.notes);
  return tree;
}

}  // namespace jouletree
