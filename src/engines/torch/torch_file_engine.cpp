#include "engines/torch/torch_file_engine.hpp"

#include <map>
#include <memory>

#include <fmt/format.h>

#include "engines/data/input_files.hpp"
#include "engines/torch/torch_engine.hpp"
#include "model/torchscript/archive.hpp"
#include "model/torchscript/reader.hpp"
#include "runtime/python_worker.hpp"

namespace jouletree::engines {
namespace {

[[noreturn]] void refuse_option(const char* flag, const char* why) {
  throw Error(ErrorKind::BadInput,
              fmt::format("{} is for ONNX files, which ONNX Runtime runs; {}", flag, why));
}

runtime::PythonWorkerSettings worker_settings(const EngineOptions& options) {
  if (options.level != "all") refuse_option("--level", "PyTorch runs the file as it stands");
  if (options.execution != "sequential")
    refuse_option("--execution", "PyTorch runs one operator after the other");
  if (!options.device_options.empty())
    refuse_option("--provider-option", "PyTorch has no providers");
  return {options.python, options.device, options.threads, options.check ? options.check : [] {}};
}

/// Only names: PyTorch's files say nothing else about their inputs.
Graph graph_of_names(const std::vector<std::string>& names) {
  Graph graph;
  for (const std::string& name : names) {
    graph.main.inputs.push_back(static_cast<ValueId>(graph.values.size()));
    graph.values.emplace_back().name = graph.made_names.emplace_back(name);
  }
  return graph;
}

/// Element types of the inputs, by name, where the file tells of them: a program of torch.export.
std::map<std::string, DataType> types_in(const std::filesystem::path& file) {
  std::map<std::string, DataType> types;
  if (!model::torchscript::is_exported(file)) return types;
  const Graph graph = read_model(file, {});
  for (const ValueId id : graph.main.inputs)
    types.emplace(graph.values[id].name, graph.values[id].declared.type);
  return types;
}

/// Sizes by name become whole shapes, which PyTorch takes.
InputSettings with_whole_shapes(const std::filesystem::path& file, InputSettings inputs) {
  if (inputs.symbols.empty()) return inputs;
  if (!model::torchscript::is_exported(file)) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("{}: --dim {}: TorchScript files do not name their dimensions; give the "
                    "whole shape with --input",
                    file.string(), inputs.symbols.begin()->first));
  }
  const Inference inference = infer(read_model(file, inputs), inputs);
  for (const InputShape& input : inference.inputs) {
    if (!input.dims || input.dims->empty()) continue;
    Dims& dims = inputs.shapes[input.name];
    dims.clear();
    for (const InputDim& dim : *input.dims) dims.push_back(dim.size);
  }
  inputs.symbols.clear();
  return inputs;
}

/// Calls `ask`; errors name the file.
template <class Ask>
auto asked_of(const std::filesystem::path& model, const Ask& ask) {
  try {
    return ask();
  } catch (const runtime::WorkerLost& lost) {
    throw EngineLost(lost.what());
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", model.string(), error.what()));
  }
}

runtime::PythonWorker::Made made_by(runtime::PythonWorker& worker,
                                    const std::filesystem::path& recipe) {
  try {
    return worker.make(recipe);
  } catch (const runtime::WorkerLost& lost) {
    throw Error(ErrorKind::BadInput,
                fmt::format("Python ended while it made the model: {}", lost.what()));
  }
}

class TorchFileEngine final : public TorchEngine {
 public:
  TorchFileEngine(std::unique_ptr<runtime::PythonWorker> worker, const EngineOptions& options)
      : TorchEngine(*worker, {}), worker_(std::move(worker)), options_(options) {
    if (options.recipe) made_ = made_by(*worker_, options.recipe->file);
  }

  /// Both are asked for before anything is loaded.
  [[nodiscard]] std::string name() const override { return "PyTorch " + worker_->version(); }
  [[nodiscard]] std::map<std::string, std::string> settings() const override {
    std::map<std::string, std::string> settings = {{"device", options_.device},
                                                   {"threads", std::to_string(options_.threads)},
                                                   {"mode", "inference"},
                                                   {"gradients", "off"},
                                                   {"compiled", "no"}};
    if (made_)
      for (const auto& [name, value] : made_->settings) settings[name] = value;
    return settings;
  }

  [[nodiscard]] LoadedModel load(const ModelToLoad& model) override {
    const bool in_file = !options_.recipe || !options_.recipe->constructs;
    InputSettings inputs = in_file ? with_whole_shapes(model.path, model.inputs) : model.inputs;
    return asked_of(model.path, [&] {
      run_once(model, std::move(inputs));
      rename(in_file ? model.path.stem().string() : model.path.string());
      return TorchEngine::load(model);
    });
  }

  [[nodiscard]] ServedModel serve(const std::filesystem::path& model) override {
    return asked_of(model, [&] {
      const auto graph = std::make_shared<Graph>();
      const std::map<std::string, DataType> types = types_in(model);
      for (const runtime::PythonWorker::Input& input : worker_->serve(model)) {
        graph->main.inputs.push_back(static_cast<ValueId>(graph->values.size()));
        GraphValue& value = graph->values.emplace_back();
        value.name = graph->made_names.emplace_back(input.name);
        value.declared.dims = input.dims;
        if (const auto type = types.find(input.name); type != types.end())
          value.declared.type = type->second;
        for (const Dim size : input.dims.value_or(Dims()))
          value.declared_dims.push_back({size, {}});
      }
      graph->path = model;
      served_ = model;
      return ServedModel{graph, {}};
    });
  }

  [[nodiscard]] ServedOutput run_with(const runtime::InputTensors& inputs,
                                      const std::string& output) override {
    const std::filesystem::path file = options_.scratch / "output.bin";
    return asked_of(served_, [&] {
      const runtime::WorkerOutput told = worker_->answer(inputs, output, file);
      const runtime::WorkerWindow& window = told.window;
      return ServedOutput{output,
                          told.type,
                          told.dims,
                          file,
                          {window.begin, window.end, window.cpu, window.memory_bytes}};
    });
  }

 private:
  void run_once(const ModelToLoad& model, InputSettings inputs) {
    const Graph graph = graph_of_names(made_ ? made_->inputs : worker_->open(model.path));
    runtime::InputTensors tensors;
    const InputFiles files = open_input_files(model.data, graph, inputs, options_.scratch);
    for (const auto& [name, file] : files) {
      tensors[name] = {file.type, file.dims, std::filesystem::absolute(file.path), file.offset};
      // Small ones are settled as values, too.
      inputs.values.erase(name);
      inputs.shapes.erase(name);
    }
    worker_->load(model::torchscript::request_for(model.path, inputs), tensors, model.seed);
  }

  std::unique_ptr<runtime::PythonWorker> worker_;
  EngineOptions options_;
  std::optional<runtime::PythonWorker::Made> made_;
  std::filesystem::path served_;
};

}  // namespace

std::unique_ptr<Engine> open_torch(const EngineOptions& options) {
  return std::make_unique<TorchFileEngine>(
      std::make_unique<runtime::PythonWorker>(worker_settings(options)), options);
}

std::optional<std::int64_t> bytes_of_torch_file(const std::filesystem::path& file) {
  if (!model::torchscript::is_program(file)) return std::nullopt;
  return static_cast<std::int64_t>(std::filesystem::file_size(file));
}

}  // namespace jouletree::engines
