#include "engine_run.hpp"

#include <onnxruntime_session_options_config_keys.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include <nlohmann/json.hpp>
#include <protozero/exception.hpp>

#include "engine_session.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kKernelSuffix = "_kernel_time";

Ort::SessionOptions make_options(const fs::path& model, const fs::path& profile_folder) {
  Ort::SessionOptions options;
  options.SetGraphOptimizationLevel(ORT_DISABLE_ALL);
  options.SetIntraOpNumThreads(1);
  options.SetInterOpNumThreads(1);
  options.EnableProfiling((profile_folder / "run").c_str());
  // A prepacked constant would be missing from its kernel's list of inputs.
  options.AddConfigEntry(kOrtSessionOptionsConfigDisablePrepacking, "1");
  // The session is made from bytes, so the engine cannot know where external data lies.
  options.AddConfigEntry(kOrtSessionOptionsModelExternalInitializersFileFolderPath,
                         fs::absolute(model).parent_path().c_str());
  return options;
}

std::vector<Ort::Value> make_values(const std::vector<EngineInput>& inputs) {
  const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  std::vector<Ort::Value> values;
  for (const EngineInput& input : inputs) {
    // The engine only reads inputs; its signature lacks the const.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    auto* const data = const_cast<std::byte*>(input.data.data());
    values.push_back(Ort::Value::CreateTensor(
        memory, data, input.data.size(), input.dims.data(), input.dims.size(),
        static_cast<ONNXTensorElementDataType>(input.onnx_type)));
  }
  return values;
}

EngineOutput describe(const std::string& name, const Ort::Value& value) {
  const auto info = value.GetTensorTypeAndShapeInfo();
  if (info.GetElementType() != ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT)
    throw std::runtime_error("output " + name + " is not float32");
  const auto* const data = value.GetTensorData<float>();
  const std::vector<float> elements(data, data + info.GetElementCount());
  EngineOutput output{name, info.GetShape()};
  for (const float element : elements) {
    output.finite = output.finite && std::isfinite(element);
    output.constant = output.constant && element == elements.front();
  }
  return output;
}

std::vector<TensorShapeType> parse_tensors(const json& list) {
  std::vector<TensorShapeType> tensors;
  for (const json& item : list) {
    for (const auto& [type, dims] : item.items()) {
      tensors.push_back({type, dims.get<std::vector<std::int64_t>>()});
    }
  }
  return tensors;
}

std::vector<KernelRun> parse_profile(const fs::path& file) {
  std::ifstream stream(file);
  std::vector<KernelRun> runs;
  for (const json& event : json::parse(stream)) {
    const std::string name = event.value("name", "");
    if (event.value("cat", "") != "Node" || !name.ends_with(kKernelSuffix)) continue;
    const json& details = event.at("args");
    runs.push_back({name.substr(0, name.size() - kKernelSuffix.size()),
                    details.value("op_name", ""), parse_tensors(details.at("input_type_shape")),
                    parse_tensors(details.at("output_type_shape"))});
  }
  return runs;
}

// "n0", "n1", ...: no name that the engine makes up has this form.
bool is_position(std::string_view part) {
  return part.size() > 1 && part.front() == 'n' &&
         std::all_of(part.begin() + 1, part.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string renamed_model(const fs::path& model) {
  try {
    return rename_nodes(read_bytes(model));
  } catch (const protozero::exception& error) {
    throw std::runtime_error(model.string() + " is no ONNX file: " + error.what());
  }
}

}  // namespace

Ort::Env& engine() {
  // What goes wrong reaches the caller as an exception; the log would only repeat it.
  static Ort::Env env(ORT_LOGGING_LEVEL_FATAL, "jouletree-test");
  return env;
}

std::vector<Ort::Value> run_once(Ort::Session& session, const std::vector<EngineInput>& inputs) {
  std::vector<const char*> input_names;
  input_names.reserve(inputs.size());
  for (const EngineInput& input : inputs) input_names.push_back(input.name.c_str());
  const std::vector<std::string> outputs = session.GetOutputNames();
  std::vector<const char*> output_names;
  output_names.reserve(outputs.size());
  for (const std::string& name : outputs) output_names.push_back(name.c_str());
  const std::vector<Ort::Value> values = make_values(inputs);
  return session.Run(Ort::RunOptions(), input_names.data(), values.data(), values.size(),
                     output_names.data(), output_names.size());
}

std::vector<KernelRun> run_profiled(const fs::path& model, const std::vector<EngineInput>& inputs) {
  const TempFolder temp;
  const std::string bytes = renamed_model(model);
  try {
    Ort::Session session(engine(), bytes.data(), bytes.size(), make_options(model, temp.path()));
    run_once(session, inputs);
    const auto profile = session.EndProfilingAllocated(Ort::AllocatorWithDefaultOptions());
    return parse_profile(profile.get());
  } catch (const Ort::Exception& error) {
    throw std::runtime_error(model.string() + ": " + error.what());
  }
}

std::vector<EngineOutput> run_optimised(const fs::path& model,
                                        const std::vector<EngineInput>& inputs) {
  try {
    Ort::SessionOptions options;
    options.SetIntraOpNumThreads(1);
    options.SetInterOpNumThreads(1);
    Ort::Session session(engine(), model.c_str(), options);
    const std::vector<std::string> names = session.GetOutputNames();
    const std::vector<Ort::Value> values = run_once(session, inputs);
    std::vector<EngineOutput> outputs;
    for (std::size_t i = 0; i < values.size(); ++i)
      outputs.push_back(describe(names[i], values[i]));
    return outputs;
  } catch (const Ort::Exception& error) {
    throw std::runtime_error(model.string() + ": " + error.what());
  }
}

std::optional<std::string> model_node(const KernelRun& run) {
  const std::string_view name = std::string_view(run.node).substr(0, run.node.find("/duplicated"));
  const std::string_view outermost = name.substr(0, name.find('.'));
  const std::string_view innermost = name.substr(name.rfind('.') + 1);
  if (!is_position(outermost) || !is_position(innermost)) return std::nullopt;
  return std::string(name);
}

}  // namespace jouletree::test
