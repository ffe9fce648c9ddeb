#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/clock.hpp"
#include "jouletree/value_type.hpp"
#include "runtime/input_data.hpp"
#include "runtime/worker_process.hpp"

namespace jouletree::runtime {

/// How the engine is opened. All of it is recorded with the results.
struct EngineSettings {
  std::filesystem::path library;  ///< Of ONNX Runtime.
  std::filesystem::path scratch;  ///< Where the engine may leave files of its own.
  int threads = 1;
  std::string execution = "sequential";  ///< Or "parallel": branches at the same time.
  std::string device = "cpu";            ///< "cuda:0", or the name of a provider.
  std::map<std::string, std::string> provider_options;
};

/// A value of one run.
struct SeenValue {
  ValueType type;
  std::optional<bool> flag;  ///< Of a single boolean.
};
using SeenValues = std::map<std::string, SeenValue, std::less<>>;

struct OptimiseRequest {
  std::filesystem::path model;
  std::string level;
  std::filesystem::path optimised;  ///< Where the graph that the engine would run is written to.
  std::string data_file;  ///< For weights, beside the graph; empty: they are in the graph.
};

struct PrepareRequest {
  std::string slot;  ///< What was there before is dropped.
  std::filesystem::path model;
  std::string level;
  /// Inputs that are copies of kept tensors, by name.
  std::map<std::string, std::string> copied_inputs;
  std::chrono::duration<double> warm_up{};
};

struct WorkerWindow {
  Time begin;
  Time end;
  std::chrono::nanoseconds cpu{};            ///< Of the worker in between.
  std::optional<std::int64_t> memory_bytes;  ///< That it holds.
};

/// What a served model returned for one batch.
struct WorkerOutput {
  WorkerWindow window;
  DataType type = DataType::Undefined;
  Dims dims;
};

/// What happens inside the running model, which is slowed down by being watched.
struct KernelTimes {
  struct Slice {
    std::string node;
    std::string op;
    std::chrono::nanoseconds begin{};  ///< Since the first kernel of the run.
    std::chrono::nanoseconds duration{};
  };
  std::map<std::string, std::chrono::nanoseconds, std::less<>> medians;  ///< By node.
  std::vector<Slice> last_run;
};

/// Talks to one worker of ONNX Runtime, and starts another one where it is lost. The new one is
/// told the inputs and the recorded values that the lost one had; what was prepared is gone.
/// All functions throw Error for what the engine refuses and WorkerLost for a worker that ended.
class OnnxRuntimeWorker {
 public:
  explicit OnnxRuntimeWorker(EngineSettings settings);
  ~OnnxRuntimeWorker();
  OnnxRuntimeWorker(const OnnxRuntimeWorker&) = delete;
  OnnxRuntimeWorker& operator=(const OnnxRuntimeWorker&) = delete;

  [[nodiscard]] const std::string& version() const { return version_; }

  void optimise(const OptimiseRequest& request);
  /// Makes tensors to run with; those of earlier calls are forgotten, with all recorded values.
  void fill(const InputTensors& inputs, std::uint64_t seed);
  /// Runs a model once, and keeps all its outputs as tensors to run with.
  SeenValues record(const std::filesystem::path& model);
  /// The same, and later workers do it, too.
  SeenValues record_for_good(const std::filesystem::path& model);
  /// Warms it up. Returns how long a run takes, roughly.
  std::chrono::duration<double> prepare(const PrepareRequest& request);
  WorkerWindow run_window(const std::string& slot, std::int64_t runs);
  /// Durations of single runs, in the order in which they ran.
  std::vector<std::chrono::duration<double>> run_each(const std::string& slot, std::int64_t runs);
  /// Opens a model for answer(). Returns the names of its outputs.
  std::vector<std::string> serve(const std::filesystem::path& model, const std::string& level);
  /// Runs it once, and writes one of its outputs to `file`.
  WorkerOutput answer(const InputTensors& inputs, const std::string& output,
                      const std::filesystem::path& file);
  /// `folder` is where the engine may write its own profile.
  KernelTimes kernels(const std::filesystem::path& model, int runs,
                      const std::filesystem::path& folder);

 private:
  class Connection;

  EngineSettings settings_;
  std::string version_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace jouletree::runtime
