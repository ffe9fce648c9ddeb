#pragma once

#include <onnxruntime_cxx_api.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "runtime/onnxruntime/device.hpp"

namespace jouletree::runtime::onnxruntime {

/// Everything a worker holds between requests: tensors by name, and the model that is being run.
/// Functions are named as the requests; each takes one and gives its answer, or throws.
class Workbench {
 public:
  /// {"library", "scratch", "threads", "execution", "device", "provider_options"} → {"version",
  /// "providers"}. Comes first.
  nlohmann::json open(const nlohmann::json& request);
  /// {"model", "level", "optimised"}: writes the graph that the engine would run. With "data", a
  /// file name, weights stand in that file beside it.
  nlohmann::json optimise(const nlohmann::json& request);
  /// {"inputs": {name: description}, "seed"}: makes tensors to run with.
  nlohmann::json fill(const nlohmann::json& request);
  /// {"model"}: runs it once and keeps all its outputs → {"values": {name: {"type", "dims"}}}, with
  /// "flag" for a single boolean.
  nlohmann::json record(const nlohmann::json& request);
  /// {"slot", "model", "level", "copies": {input: kept}, "warm_up_ns"}: makes it the one that
  /// window() runs in that slot, with kept tensors or copies of them as inputs, and runs it a few
  /// times to warm up →
  /// {"run_ns"}, the shortest of the last runs.
  nlohmann::json prepare(const nlohmann::json& request);
  /// {"slot", "runs", "each"}: → {"begin_ns", "end_ns"} of the monotonic clock, "cpu_ns" of the
  /// worker in between, "memory_bytes" that it holds, and with "each" the duration of every run
  /// as "each_ns".
  nlohmann::json window(const nlohmann::json& request);
  /// {"model", "level"}: makes it the one that answer() runs → {"outputs": [names]}.
  nlohmann::json serve(const nlohmann::json& request);
  /// {"inputs": {name: description}, "output", "file"}: runs it once and writes the elements of one
  /// output to the file → "type" and "dims" of it, and what window() tells.
  nlohmann::json answer(const nlohmann::json& request);
  /// {"model", "runs", "folder"}: what happens inside the running model → {"kernels": {node:
  /// median ns}, "timeline": [[node, begin ns, duration ns, op], …] of the last run}.
  nlohmann::json kernels(const nlohmann::json& request);

 private:
  struct Prepared;

  [[nodiscard]] Ort::SessionOptions options(const std::string& level) const;
  [[nodiscard]] std::unique_ptr<Prepared> bind(const std::string& model,
                                               const Ort::SessionOptions& options,
                                               Ort::MemoryInfo results,
                                               const nlohmann::json& copies = nullptr);
  [[nodiscard]] const Ort::Value& kept(const std::string& name) const;

  int threads_ = 1;
  bool parallel_ = false;
  Device device_;
  std::map<std::string, Ort::Value> tensors_;
  std::map<std::string, std::unique_ptr<Prepared>> prepared_;  ///< By slot.
  std::unique_ptr<Ort::Session> served_;

 public:
  Workbench();
  ~Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;
};

}  // namespace jouletree::runtime::onnxruntime
