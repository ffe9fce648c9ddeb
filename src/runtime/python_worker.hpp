#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/onnxruntime_worker.hpp"
#include "runtime/torch_runner.hpp"
#include "runtime/torchscript_run.hpp"

namespace jouletree::runtime {

struct PythonWorkerSettings {
  std::string python;  ///< The program to start; empty: whichever has PyTorch.
  std::string device = "cpu";
  int threads = 1;
  /// Called several times a second while the worker works. What it throws ends the wait.
  std::function<void()> check = [] {};
};

/// A model file in PyTorch, in a Python process of its own. Starts another one where it is lost,
/// which then opens and loads the same.
class PythonWorker final : public TorchRunner {
 public:
  /// Starts the first Python that has a PyTorch that is new enough. Throws Error(Missing) where
  /// there is none, with the command that installs it.
  explicit PythonWorker(PythonWorkerSettings settings);
  ~PythonWorker() override;

  [[nodiscard]] const std::string& version() const;  ///< Of PyTorch.

  /// A model that Python makes.
  struct Made {
    std::vector<std::string> inputs;              ///< Their names.
    std::map<std::string, std::string> settings;  ///< What tells its measurements from others.
  };
  /// Runs the user's code that a recipe names. Throws Error(BadInput) with what that raises.
  Made make(const std::filesystem::path& recipe);

  /// Reads the file. Returns the names of its inputs.
  std::vector<std::string> open(const std::filesystem::path& file);
  /// Runs it once. `files` has the data of inputs, where there are any.
  void load(const RunRequest& inputs, const InputTensors& files, std::uint64_t seed);

  /// An input of a model that is served.
  struct Input {
    std::string name;
    std::optional<Dims> dims;  ///< kUnknownDim is any size; nothing where the file does not tell.
  };
  /// Opens a file for answer().
  std::vector<Input> serve(const std::filesystem::path& file);
  /// Runs it once, and writes one of its outputs to `file`.
  WorkerOutput answer(const InputTensors& inputs, const std::string& output,
                      const std::filesystem::path& file);

  [[nodiscard]] std::string name() override;
  [[nodiscard]] std::map<std::string, std::string> settings() override;
  [[nodiscard]] std::string caller() override;
  [[nodiscard]] std::string recording() override;
  [[nodiscard]] std::vector<std::vector<std::optional<Dims>>> strides() override;
  void take_operators(const std::vector<std::size_t>& calls,
                      const std::vector<std::int64_t>& moved_bytes) override;
  Duration prepare_whole(Duration warm_up) override;
  Duration prepare_program(Duration warm_up) override;
  Duration prepare_part(const TorchPart& part, Duration warm_up) override;
  [[nodiscard]] TorchWindow run(const char* slot, std::int64_t runs) override;
  [[nodiscard]] std::vector<Duration> run_each(const char* slot, std::int64_t runs) override;
  [[nodiscard]] std::vector<std::vector<TimedCall>> watch(int runs) override;

 private:
  class Connection;

  PythonWorkerSettings settings_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace jouletree::runtime
