#include "engines/onnxruntime/onnxruntime_engine.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "engines/data/fitting_sizes.hpp"
#include "engines/data/input_files.hpp"
#include "engines/data/input_ranges.hpp"
#include "engines/onnxruntime/engine_graph.hpp"
#include "engines/onnxruntime/inlined_data.hpp"
#include "engines/onnxruntime/opened_bodies.hpp"
#include "engines/onnxruntime/original_scopes.hpp"
#include "engines/onnxruntime/refusal.hpp"
#include "engines/onnxruntime/scratch_file.hpp"
#include "model/named_constants.hpp"
#include "model/stored_size.hpp"
#include "runtime/engine_folder.hpp"
#include "runtime/onnx_runtime.hpp"
#include "runtime/onnxruntime_worker.hpp"
#include "tree/counted_tree.hpp"

namespace jouletree::engines {
namespace {

/// Weights above this do not fit into a model file together with the rest.
constexpr std::int64_t kLargeModel = std::int64_t{1} << 30U;

/// The engine's own profiler counts whole microseconds.
constexpr Duration kProfilerStep{1e-6};

const char* name_of(Slot slot) { return slot == Slot::Whole ? "whole" : "part"; }

runtime::EngineSettings settings_of(const EngineOptions& options) {
  const auto library = runtime::onnx_runtime_library(runtime::engine_folder());
  if (!library)
    throw Error(ErrorKind::Missing, "ONNXRUNTIME_ROOT holds no ONNX Runtime; see --version");
  return {*library,          options.scratch, options.threads,
          options.execution, options.device,  options.device_options};
}

/// Calls `ask`, and tells of a lost worker in the words of the interface.
template <class Ask>
auto asked(const Ask& ask) {
  try {
    return ask();
  } catch (const runtime::WorkerLost& lost) {
    throw EngineLost(lost.what());
  }
}

/// The engine would complain of the first weight that it cannot read.
void check_external_files(const Graph& graph) {
  if (graph.missing_external_files.empty()) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: the file of its weights, '{}', does not exist; put it into the "
                          "folder of the model",
                          graph.path.string(), graph.missing_external_files.front().string()));
}

bool has_large_weights(const Graph& graph) {
  std::int64_t bytes = graph.file_bytes;
  for (const auto& [file, size] : graph.external_files) bytes += size;
  return bytes > kLargeModel;
}

/// In front, each once.
void add_notes(std::vector<std::string> added, std::vector<std::string>& notes) {
  for (std::string& note : notes) {
    if (std::find(added.begin(), added.end(), note) == added.end())
      added.push_back(std::move(note));
  }
  notes = std::move(added);
}

class OnnxRuntimeEngine final : public Engine {
 public:
  explicit OnnxRuntimeEngine(const EngineOptions& options)
      : options_(options), worker_(settings_of(options)) {}

  [[nodiscard]] std::string name() const override { return "ONNX Runtime " + worker_.version(); }

  [[nodiscard]] std::map<std::string, std::string> settings() const override {
    std::map<std::string, std::string> settings{{"device", options_.device},
                                                {"threads", std::to_string(options_.threads)},
                                                {"execution", options_.execution},
                                                {"level", options_.level}};
    for (const auto& [key, value] : options_.device_options)
      settings["provider_option." + key] = value;
    return settings;
  }

  [[nodiscard]] LoadedModel load(const ModelToLoad& model) override {
    return asked([&] { return load_model(model); });
  }

  [[nodiscard]] WatchedRuns watch(int runs) override {
    const runtime::KernelTimes times =
        asked([&] { return worker_.kernels(scratch("run.onnx"), runs, options_.scratch); });
    WatchedRuns watched;
    watched.clock_step = kProfilerStep;
    watched.medians.resize(parts().nodes().size());
    for (const auto& [name, median] : times.medians)
      if (const auto part = part_of_kernel(name)) watched.medians[*part] = median;
    for (const runtime::KernelTimes::Slice& slice : times.last_run) {
      const auto part = part_of_kernel(slice.node);
      std::string name = part ? std::string(parts().nodes()[*part].name) : slice.node;
      if (name.empty()) name = slice.op;
      watched.last_run.push_back({std::move(name), slice.op, part, slice.begin, slice.duration});
    }
    return watched;
  }

  Duration prepare_whole(Duration warm_up) override {
    return prepare({name_of(Slot::Whole), model_, options_.level, {}, warm_up});
  }

  Duration prepare_part(const PartNodes& nodes, const Copies& copies, Duration warm_up) override {
    runtime::PrepareRequest request{name_of(Slot::Part), scratch("part.onnx"), "none", {}, warm_up};
    for (const auto& [input, sets] : copies.input_sets) {
      for (int set = 0; sets > 1 && set < sets; ++set)
        request.copied_inputs.emplace(copied_name(input, set), input);
    }
    write_file(request.model, repeated(parts(), nodes, copies, graph_->types()));
    return prepare(request);
  }

  [[nodiscard]] EngineWindow run(Slot slot, std::int64_t runs) override {
    const runtime::WorkerWindow window =
        asked([&] { return worker_.run_window(name_of(slot), runs); });
    return {window.begin, window.end, window.cpu, window.memory_bytes};
  }

  [[nodiscard]] std::vector<Duration> run_each(Slot slot, std::int64_t runs) override {
    return asked([&] { return worker_.run_each(name_of(slot), runs); });
  }

  [[nodiscard]] ServedModel serve(const std::filesystem::path& model) override {
    const auto graph = std::make_shared<const Graph>(read_onnx(model));
    check_external_files(*graph);
    const std::filesystem::path path = std::filesystem::absolute(model);
    std::vector<std::string> outputs = asked(
        [&] { return refused_with(*graph, [&] { return worker_.serve(path, options_.level); }); });
    return {graph, std::move(outputs)};
  }

  [[nodiscard]] ServedOutput run_with(const runtime::InputTensors& inputs,
                                      const std::string& output) override {
    const std::filesystem::path file = scratch("output.bin");
    const runtime::WorkerOutput told = asked([&] { return worker_.answer(inputs, output, file); });
    const runtime::WorkerWindow& window = told.window;
    return {output,
            told.type,
            told.dims,
            file,
            {window.begin, window.end, window.cpu, window.memory_bytes}};
  }

 private:
  [[nodiscard]] std::filesystem::path scratch(const char* name) const {
    return options_.scratch / name;
  }

  [[nodiscard]] const ModelParts& parts() const { return graph_->parts(); }

  Duration prepare(const runtime::PrepareRequest& request) {
    return asked([&] { return worker_.prepare(request); });
  }

  /// Lets the engine write the graph that it runs, and runs that once to know all values.
  LoadedModel load_model(const ModelToLoad& model) {
    model_ = std::filesystem::absolute(model.path);
    InputSettings inputs = model.inputs;
    const auto given = std::make_shared<Graph>(read_onnx(model.path));
    Graph& original = *given;
    check_external_files(original);
    model::fold_named_constants(original);
    const InputFiles files = open_input_files(model.data, original, inputs, options_.scratch);
    Inference inference = infer(original, inputs);
    const std::filesystem::path optimised =
        refused_with(original, [&] { return optimise(original); });
    OpenedBodies bodies;
    runtime::SeenValues recorded;
    inference = fitting_sizes(original, inputs, std::move(inference), [&](const Inference& sizes) {
      worker_.fill(input_tensors(original, sizes, inputs, files), model.seed);
      graph_.reset();
      bodies = open_bodies(worker_, optimised, options_.scratch);
      graph_.emplace(bodies.model);
      write_file(scratch("all.onnx"), parts().whole(ModelParts::Outputs::Every));
      recorded =
          refused_with(original, [&] { return worker_.record_for_good(scratch("all.onnx")); });
    });
    graph_->take_recorded(recorded);
    write_watched_model(optimised, bodies);
    return in_modules_of(given, std::move(inference), inputs, bodies);
  }

  /// Returns the file that the engine wrote.
  std::filesystem::path optimise(const Graph& original) {
    std::filesystem::path optimised = scratch("optimised.onnx");
    worker_.optimise(
        {model_, options_.level, optimised, has_large_weights(original) ? "optimised.data" : ""});
    // The engine leaves small weights in the data files of the model, and others in its own.
    if (const auto inlined = with_inlined_data(optimised, model_.parent_path()))
      write_file(optimised, *inlined);
    return optimised;
  }

  LoadedModel in_modules_of(const std::shared_ptr<Graph>& original, Inference inference,
                            const InputSettings& inputs, const OpenedBodies& bodies) const {
    auto graph = std::make_shared<Graph>(read_onnx(bodies.model));
    graph->path = original->path;
    remove_nodes_aside(bodies, graph_->types(), *graph);
    std::vector<std::string> notes = take_bodies(*original, bodies, inference);
    take_original_scopes(*original, inference, *graph);
    LoadedModel loaded;
    loaded.tree =
        tree::counted_tree(graph, with_runs_of_loops(infer(*graph, inputs), bodies, *graph));
    loaded.tree.inference.inputs = inference.inputs;
    for (const std::string& note : inference.size_notes) notes.push_back(note);
    // Which branches ran, and how often loops did, is known of the engine's nodes only.
    if (!bodies.any()) {
      loaded.given = tree::counted_tree(original, std::move(inference));
      loaded.tree.notes = std::exchange(loaded.given->notes, {});
    }
    add_notes(std::move(notes), loaded.tree.notes);
    loaded.parts = graph_->program();
    loaded.part_of.resize(graph->node_count);
    for (const Node& node : graph->main.nodes)
      loaded.part_of[node.id] = graph_->part_of(*graph, node);
    for (const std::string_view result : parts().output_names()) loaded.results.emplace(result);
    return loaded;
  }

  /// The model as it is, with names by which its kernels are known again: positions, or the stored
  /// names where the nodes of bodies stand elsewhere in the flat model.
  void write_watched_model(const std::filesystem::path& optimised, const OpenedBodies& bodies) {
    using Names = ModelParts::NodeNames;
    constexpr auto kDeclared = ModelParts::Outputs::Declared;
    part_of_name_.clear();
    if (!bodies.any()) {
      write_file(scratch("run.onnx"), parts().whole(kDeclared, Names::Positions));
      return;
    }
    write_file(scratch("run.onnx"), EngineGraph(optimised).parts().whole(kDeclared));
    for (std::size_t part = 0; part < parts().nodes().size(); ++part)
      part_of_name_.emplace(parts().nodes()[part].name, part);
  }

  [[nodiscard]] std::optional<std::size_t> part_of_kernel(const std::string& name) const {
    if (const auto part = parts().position_of(name)) return part;
    const auto found = part_of_name_.find(name);
    return found == part_of_name_.end() ? std::nullopt : std::optional(found->second);
  }

  EngineOptions options_;
  runtime::OnnxRuntimeWorker worker_;
  std::filesystem::path model_;
  std::optional<EngineGraph> graph_;
  /// Of the flat model; empty where kernels are known by their positions.
  std::unordered_map<std::string, std::size_t> part_of_name_;
};

}  // namespace

std::unique_ptr<Engine> open_onnxruntime(const EngineOptions& options) {
  if (!options.python.empty()) {
    throw Error(ErrorKind::BadInput,
                "--python is for PyTorch's files; ONNX Runtime needs no Python");
  }
  return std::make_unique<OnnxRuntimeEngine>(options);
}

std::optional<std::int64_t> bytes_of_onnx_file(const std::filesystem::path& file) {
  return model::stored_size(read_onnx(file));
}

}  // namespace jouletree::engines
