#include "runtime/onnxruntime/workbench.hpp"

#include <time.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "runtime/onnxruntime/api.hpp"
#include "runtime/onnxruntime/input_data.hpp"

namespace jouletree::onnxruntime {
namespace {

using Json = nlohmann::json;

std::int64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
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
  return {{"type", static_cast<int>(info.GetElementType())}, {"dims", info.GetShape()}};
}

}  // namespace

/// A session with everything bound, so that a run is one call.
struct Workbench::Prepared {
  Ort::Session session;
  Ort::IoBinding binding;
  Ort::RunOptions run_options;

  Prepared(const std::string& model, const Ort::SessionOptions& options)
      : session(environment(), model.c_str(), options), binding(session) {}

  void run() { session.Run(run_options, binding); }
};

Workbench::Workbench() = default;
Workbench::~Workbench() = default;

Ort::SessionOptions Workbench::options(const std::string& level) const {
  Ort::SessionOptions options;
  options.SetGraphOptimizationLevel(level_of(level));
  options.SetIntraOpNumThreads(threads_);
  options.SetInterOpNumThreads(1);
  return options;
}

Json Workbench::open(const Json& request) {
  open_library(request.at("library").get<std::string>());
  threads_ = request.value("threads", 1);
  return {{"version", library_version()}};
}

Json Workbench::optimise(const Json& request) {
  Ort::SessionOptions with_file = options(request.at("level").get<std::string>());
  with_file.SetOptimizedModelFilePath(request.at("optimised").get<std::string>().c_str());
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

std::unique_ptr<Workbench::Prepared> Workbench::bind(const std::string& model,
                                                     const Ort::SessionOptions& options) {
  auto prepared = std::make_unique<Prepared>(model, options);
  for (const std::string& name : prepared->session.GetInputNames()) {
    const auto tensor = tensors_.find(name);
    if (tensor == tensors_.end()) throw std::runtime_error("there is no tensor for input " + name);
    prepared->binding.BindInput(name.c_str(), tensor->second);
  }
  const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  for (const std::string& name : prepared->session.GetOutputNames())
    prepared->binding.BindOutput(name.c_str(), memory);
  return prepared;
}

Json Workbench::record(const Json& request) {
  const auto prepared = bind(request.at("model").get<std::string>(), options("none"));
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
  prepared_.reset();
  prepared_ =
      bind(request.at("model").get<std::string>(), options(request.at("level").get<std::string>()));
  // The first runs allocate and fill caches; large ones need no more than a few.
  constexpr int kMostRuns = 20;
  constexpr int kLeastRuns = 3;
  constexpr std::int64_t kLongEnoughNs = 50'000'000;
  std::int64_t shortest = INT64_MAX;
  const std::int64_t begin = now_ns();
  for (int i = 0; i < kMostRuns; ++i) {
    const std::int64_t start = now_ns();
    prepared_->run();
    const std::int64_t end = now_ns();
    if (i > 0) shortest = std::min(shortest, end - start);
    if (i + 1 >= kLeastRuns && end - begin > kLongEnoughNs) break;
  }
  return {{"run_ns", shortest}};
}

Json Workbench::window(const Json& request) {
  if (prepared_ == nullptr) throw std::runtime_error("nothing is prepared");
  const auto runs = request.at("runs").get<std::int64_t>();
  Prepared& prepared = *prepared_;
  Json answer;
  if (request.value("each", false)) {
    std::vector<std::int64_t> times(static_cast<std::size_t>(runs) + 1);
    times[0] = now_ns();
    for (std::size_t i = 1; i < times.size(); ++i) {
      prepared.run();
      times[i] = now_ns();
    }
    answer["begin_ns"] = times.front();
    answer["end_ns"] = times.back();
    for (std::size_t i = times.size() - 1; i > 0; --i) times[i] -= times[i - 1];
    times.erase(times.begin());
    answer["each_ns"] = std::move(times);
    return answer;
  }
  const std::int64_t begin = now_ns();
  for (std::int64_t i = 0; i < runs; ++i) prepared.run();
  answer["end_ns"] = now_ns();
  answer["begin_ns"] = begin;
  return answer;
}

Json Workbench::kernels(const Json& request) {
  Ort::SessionOptions profiled = options("none");
  const std::string prefix = request.at("folder").get<std::string>() + "/kernels";
  profiled.EnableProfiling(prefix.c_str());
  std::string file;
  const auto runs = request.at("runs").get<int>();
  {
    const auto prepared = bind(request.at("model").get<std::string>(), profiled);
    for (int i = 0; i < runs; ++i) prepared->run();
    const Ort::AllocatorWithDefaultOptions allocator;
    file = prepared->session.EndProfilingAllocated(allocator).get();
  }
  std::map<std::string, std::vector<double>> durations;
  std::ifstream stream(file);
  constexpr std::string_view kSuffix = "_kernel_time";
  for (const Json& event : Json::parse(stream)) {
    const auto name = event.value("name", std::string());
    if (event.value("cat", "") != "Node" || !name.ends_with(kSuffix)) continue;
    durations[name.substr(0, name.size() - kSuffix.size())].push_back(event.value("dur", 0.0));
  }
  Json kernels = Json::object();
  for (auto& [name, each] : durations) {
    std::nth_element(each.begin(), each.begin() + static_cast<std::ptrdiff_t>(each.size() / 2),
                     each.end());
    kernels[name] = each[each.size() / 2] * 1000.0;
  }
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return {{"kernels", std::move(kernels)}};
}

}  // namespace jouletree::onnxruntime
