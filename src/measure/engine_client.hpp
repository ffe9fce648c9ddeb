#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/worker_process.hpp"

namespace jouletree {

/// Talks to one worker of ONNX Runtime, and starts another one where it is lost. What a worker
/// must know before it can go on (inputs, recorded values) is told to the new one, too.
class EngineClient {
 public:
  using Json = nlohmann::json;

  /// Throws Error(Missing) where engine or worker are not there.
  EngineClient(std::filesystem::path library, int threads);

  [[nodiscard]] const std::string& version() const { return version_; }
  /// Throws Error for what the engine refuses and WorkerLost for a worker that ended; the next
  /// request goes to a new one.
  Json ask(const Json& request, std::chrono::steady_clock::duration limit);
  /// The same, and every later worker will be asked it first.
  Json ask_for_good(const Json& request, std::chrono::steady_clock::duration limit);

 private:
  void start();
  Json ask_worker(const Json& request, std::chrono::steady_clock::duration limit);

  std::filesystem::path library_;
  int threads_;
  std::string version_;
  std::vector<Json> for_good_;
  std::unique_ptr<WorkerProcess> worker_;
};

}  // namespace jouletree
