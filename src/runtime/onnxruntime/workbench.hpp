#pragma once

#include <onnxruntime_cxx_api.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace jouletree::onnxruntime {

/// Everything a worker holds between requests: tensors by name, and the model that is being run.
/// Functions are named as the requests; each takes one and gives its answer, or throws.
class Workbench {
 public:
  /// {"library", "threads"} → {"version"}. Comes first.
  nlohmann::json open(const nlohmann::json& request);
  /// {"model", "level", "optimised"}: writes the graph that the engine would run.
  nlohmann::json optimise(const nlohmann::json& request);
  /// {"inputs": {name: description}, "seed"}: makes tensors to run with.
  nlohmann::json fill(const nlohmann::json& request);
  /// {"model"}: runs it once and keeps all its outputs → {"values": {name: {"type", "dims"}}}.
  nlohmann::json record(const nlohmann::json& request);
  /// {"model", "level"}: makes it the one that window() runs, with kept tensors as inputs, and runs
  /// it a few times to warm up → {"run_ns"}, the shortest of the last runs.
  nlohmann::json prepare(const nlohmann::json& request);
  /// {"runs", "each"}: → {"begin_ns", "end_ns"} of the monotonic clock, and with "each" the
  /// duration of every run as "each_ns".
  nlohmann::json window(const nlohmann::json& request);
  /// {"model", "runs", "folder"}: kernel times inside the running model → {"kernels": {node: ns}}.
  nlohmann::json kernels(const nlohmann::json& request);

 private:
  struct Prepared;

  [[nodiscard]] Ort::SessionOptions options(const std::string& level) const;
  [[nodiscard]] std::unique_ptr<Prepared> bind(const std::string& model,
                                               const Ort::SessionOptions& options);

  int threads_ = 1;
  std::map<std::string, Ort::Value> tensors_;
  std::unique_ptr<Prepared> prepared_;

 public:
  Workbench();
  ~Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;
};

}  // namespace jouletree::onnxruntime
