#include "runtime/onnxruntime/workbench.hpp"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "runtime/onnxruntime/api.hpp"
#include "runtime/onnxruntime/element_width.hpp"
#include "runtime/onnxruntime/input_data.hpp"
#include "runtime/onnxruntime/kernel_times.hpp"
#include "runtime/onnxruntime/tensor_copy.hpp"
#include "runtime/timed_runs.hpp"

namespace jouletree::runtime::onnxruntime {
namespace {

using Json = nlohmann::json;

std::int64_t clock_ns(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Null where the kernel does not tell.
Json resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all = 0;
  std::int64_t resident = 0;
  if (!(file >> all >> resident)) return nullptr;
  return resident * ::sysconf(_SC_PAGESIZE);
}

GraphOptimizationLevel level_of(const std::string& name) {
  if (name == "none") return ORT_DISABLE_ALL;
  if (name == "basic") return ORT_ENABLE_BASIC;
  if (name == "extended") return ORT_ENABLE_EXTENDED;
  if (name == "all") return ORT_ENABLE_ALL;
  throw std::runtime_error("there is no optimisation level '" + name + "'");
}

Json describe(const Ort::Value& value) {
  if (!value.IsTensor()) return {{"type", 0}, {"dims", nullptr}};
  const auto info = value.GetTensorTypeAndShapeInfo();
  Json described{{"type", static_cast<int>(info.GetElementType())}, {"dims", info.GetShape()}};
  if (info.GetElementType() == ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL && info.GetElementCount() == 1)
    described["flag"] = *value.GetTensorData<bool>();
  return described;
}

/// Its elements in a file.
Json written_output(const Ort::Value& value, const std::string& name, const std::string& path) {
  if (!value.IsTensor()) {
    throw std::runtime_error("output '" + name +
                             "' is a sequence or a map, not a tensor; name another one");
  }
  const auto info = value.GetTensorTypeAndShapeInfo();
  const std::size_t width = width_of(info.GetElementType());
  if (width == 0) throw std::runtime_error("output '" + name + "' holds no numbers");
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(static_cast<const char*>(value.GetTensorRawData()),
             static_cast<std::streamsize>(info.GetElementCount() * width));
  if (!file.flush()) throw std::runtime_error("cannot write an output to " + path);
  return {{"type", static_cast<int>(info.GetElementType())}, {"dims", info.GetShape()}};
}

}  // namespace

/// A session with everything bound, so that a run is one call.
struct Workbench::Prepared {
  std::vector<Ort::Value> copies;  ///< Inputs of its own.
  Ort::Session session;
  Ort::IoBinding binding;
  Ort::RunOptions run_options;
  Ort::MemoryInfo results;  ///< Where they are made.
  std::vector<std::string> result_names;
  bool has_run = false;
  bool makes_new_results = false;  ///< In every run; else all write to those of the first.

  Prepared(const std::string& model, const Ort::SessionOptions& options, Ort::MemoryInfo memory)
      : session(environment(), model.c_str(), options),
        binding(session),
        results(std::move(memory)),
        result_names(session.GetOutputNames()) {
    bind_results();
  }

  void bind_results() {
    binding.ClearBoundOutputs();
    for (const std::string& name : result_names) binding.BindOutput(name.c_str(), results);
  }

  void run() {
    if (makes_new_results) bind_results();
    try {
      session.Run(run_options, binding);
    } catch (const Ort::Exception&) {
      // Where results are not as large as the file declares them, the engine makes them, but then
      // does not take them to write the next ones to.
      if (!has_run || makes_new_results) throw;
      makes_new_results = true;
      bind_results();
      session.Run(run_options, binding);
    }
    has_run = true;
  }

  void synchronise() { binding.SynchronizeOutputs(); }
  [[nodiscard]] static std::int64_t now_ns() { return clock_ns(CLOCK_MONOTONIC); }
};

Workbench::Workbench() = default;
Workbench::~Workbench() = default;

Ort::SessionOptions Workbench::options(const std::string& level) const {
  Ort::SessionOptions options;
  options.SetGraphOptimizationLevel(level_of(level));
  options.SetIntraOpNumThreads(threads_);
  options.SetInterOpNumThreads(1);
  if (parallel_) {
    options.SetExecutionMode(ORT_PARALLEL);
    options.SetInterOpNumThreads(threads_);
  }
  device_.add_to(options);
  return options;
}

Json Workbench::open(const Json& request) {
  // Some builds leave files of their own in the folder for temporary files.
  if (const auto scratch = request.value("scratch", std::string()); !scratch.empty())
    ::setenv("TMPDIR", scratch.c_str(), 1);
  open_library(request.at("library").get<std::string>());
  threads_ = request.value("threads", 1);
  parallel_ = request.value("execution", "sequential") == "parallel";
  device_.name = request.value("device", "cpu");
  device_.options = request.value("provider_options", std::map<std::string, std::string>());
  (void)environment();    // Providers write to its log.
  (void)options("none");  // Tells now whether the device can be had.
  return {{"version", library_version()}, {"providers", providers()}};
}

Json Workbench::optimise(const Json& request) {
  Ort::SessionOptions with_file = options(request.at("level").get<std::string>());
  with_file.SetOptimizedModelFilePath(request.at("optimised").get<std::string>().c_str());
  if (const auto data = request.find("data"); data != request.end()) {
    with_file.AddConfigEntry("session.optimized_model_external_initializers_file_name",
                             data->get<std::string>().c_str());
    with_file.AddConfigEntry("session.optimized_model_external_initializers_min_size_in_bytes",
                             "1024");
  }
  const Ort::Session session(environment(), request.at("model").get<std::string>().c_str(),
                             with_file);
  return Json::object();
}

Json Workbench::fill(const Json& request) {
  std::uint64_t seed = request.value("seed", std::uint64_t{1});
  for (const auto& [name, description] : request.at("inputs").items())
    tensors_.insert_or_assign(name, make_tensor(description, seed++));
  return Json::object();
}

const Ort::Value& Workbench::kept(const std::string& name) const {
  const auto tensor = tensors_.find(name);
  if (tensor == tensors_.end()) throw std::runtime_error("there is no tensor for input " + name);
  return tensor->second;
}

std::unique_ptr<Workbench::Prepared> Workbench::bind(const std::string& model,
                                                     const Ort::SessionOptions& options,
                                                     Ort::MemoryInfo results, const Json& copies) {
  auto prepared = std::make_unique<Prepared>(model, options, std::move(results));
  for (const std::string& name : prepared->session.GetInputNames()) {
    const auto original = copies.find(name);
    const Ort::Value& value = kept(original == copies.end() ? name : original->get<std::string>());
    std::optional<Ort::Value> copy;
    if (original != copies.end()) copy = copy_of(value);
    prepared->binding.BindInput(name.c_str(), copy ? *copy : value);
    if (copy) prepared->copies.push_back(std::move(*copy));
  }
  return prepared;
}

Json Workbench::record(const Json& request) {
  const auto prepared = bind(request.at("model").get<std::string>(), options("none"),
                             Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault));
  prepared->run();
  const std::vector<std::string> names = prepared->session.GetOutputNames();
  std::vector<Ort::Value> values = prepared->binding.GetOutputValues();
  Json described = Json::object();
  for (const auto& [name, tensor] : tensors_) described[name] = describe(tensor);
  for (std::size_t i = 0; i < names.size(); ++i) {
    described[names[i]] = describe(values[i]);
    tensors_.insert_or_assign(names[i], std::move(values[i]));
  }
  return {{"values", std::move(described)}};
}

Json Workbench::prepare(const Json& request) {
  auto& prepared = prepared_[request.at("slot").get<std::string>()];
  prepared.reset();
  prepared =
      bind(request.at("model").get<std::string>(), options(request.at("level").get<std::string>()),
           device_.memory(), request.value("copies", Json::object()));
  const auto long_enough = request.value("warm_up_ns", std::int64_t{50'000'000});
  return {{"run_ns", warmed_up_run(*prepared, long_enough)}};
}

Json Workbench::window(const Json& request) {
  const auto slot = prepared_.find(request.at("slot").get<std::string>());
  if (slot == prepared_.end() || slot->second == nullptr)
    throw std::runtime_error("nothing is prepared");
  Prepared& prepared = *slot->second;
  const auto runs = request.at("runs").get<std::int64_t>();
  Json answer;
  if (request.value("each", false)) {
    answer["each_ns"] = timed_each(prepared, runs);
    return answer;
  }
  const std::int64_t cpu_begin = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  const TimedWindow window = timed_window(prepared, runs);
  answer["begin_ns"] = window.begin_ns;
  answer["end_ns"] = window.end_ns;
  answer["cpu_ns"] = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin;
  answer["memory_bytes"] = resident_bytes();
  return answer;
}

Json Workbench::serve(const Json& request) {
  served_.reset();
  served_ =
      std::make_unique<Ort::Session>(environment(), request.at("model").get<std::string>().c_str(),
                                     options(request.at("level").get<std::string>()));
  return {{"outputs", served_->GetOutputNames()}};
}

Json Workbench::answer(const Json& request) {
  if (served_ == nullptr) throw std::runtime_error("no model is served");
  std::vector<std::string> names;
  std::vector<Ort::Value> values;
  for (const auto& [name, description] : request.at("inputs").items()) {
    names.push_back(name);
    values.push_back(make_tensor(description, 1));
  }
  std::vector<const char*> name_texts;
  for (const std::string& name : names) name_texts.push_back(name.c_str());
  const auto output = request.at("output").get<std::string>();
  const char* const wanted = output.c_str();
  const std::int64_t cpu_begin = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  const std::int64_t begin = Prepared::now_ns();
  const std::vector<Ort::Value> results = served_->Run(Ort::RunOptions{nullptr}, name_texts.data(),
                                                       values.data(), values.size(), &wanted, 1);
  const std::int64_t end = Prepared::now_ns();
  Json answer = written_output(results.front(), output, request.at("file").get<std::string>());
  answer["begin_ns"] = begin;
  answer["end_ns"] = end;
  answer["cpu_ns"] = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin;
  answer["memory_bytes"] = resident_bytes();
  return answer;
}

Json Workbench::kernels(const Json& request) {
  Ort::SessionOptions profiled = options("none");
  const std::string prefix = request.at("folder").get<std::string>() + "/kernels";
  profiled.EnableProfiling(prefix.c_str());
  std::string file;
  const auto runs = request.at("runs").get<int>();
  {
    const auto prepared = bind(request.at("model").get<std::string>(), profiled, device_.memory());
    for (int i = 0; i < runs; ++i) prepared->run();
    const Ort::AllocatorWithDefaultOptions allocator;
    file = prepared->session.EndProfilingAllocated(allocator).get();
  }
  Json times;
  {
    std::ifstream stream(file);
    times = kernel_times(Json::parse(stream, nullptr, false));
  }
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return times;
}

}  // namespace jouletree::runtime::onnxruntime
