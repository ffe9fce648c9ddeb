#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/worker_process.hpp"

namespace jouletree {

/// How the engine is opened. All of it is recorded with the results.
struct EngineSettings {
  std::filesystem::path library;  ///< Of ONNX Runtime.
  std::filesystem::path scratch;  ///< Where the engine may leave files of its own.
  int threads = 1;
  std::string execution = "sequential";  ///< Or "parallel": branches at the same time.
  std::string device = "cpu";            ///< "cuda:0", or the name of a provider.
  std::map<std::string, std::string> provider_options;
};

inline constexpr std::chrono::minutes kTimeToLoad{10};
inline constexpr std::chrono::minutes kTimeForAWindow{5};

/// Talks to one worker of ONNX Runtime, and starts another one where it is lost. What a worker
/// must know before it can go on (inputs, recorded values) is told to the new one, too.
class EngineClient {
 public:
  using Json = nlohmann::json;

  /// Throws Error(Missing) where engine or worker are not there.
  explicit EngineClient(EngineSettings settings);

  [[nodiscard]] const std::string& version() const { return version_; }
  /// Throws Error for what the engine refuses and WorkerLost for a worker that ended; the next
  /// request goes to a new one.
  Json ask(const Json& request, std::chrono::steady_clock::duration limit);
  /// The same, and every later worker will be asked it first.
  Json ask_for_good(const Json& request, std::chrono::steady_clock::duration limit);

 private:
  void start();
  Json ask_worker(const Json& request, std::chrono::steady_clock::duration limit);

  EngineSettings settings_;
  std::string version_;
  std::vector<Json> for_good_;
  std::unique_ptr<WorkerProcess> worker_;
};

}  // namespace jouletree
