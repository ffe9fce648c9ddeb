#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "runtime/engine_answer.hpp"
#include "runtime/worker_process.hpp"

namespace jouletree::runtime {

/// A plug-in of the engine folder.
struct PluginFile {
  const char* engine = "";  ///< "ONNX Runtime"
  const char* file = "";    ///< "libjouletree_onnxruntime.so"
  /// What users lack without it: "TorchScript files need …, which is not in {}". The engine folder
  /// takes the place of {}.
  const char* without_it = "";
  const char* what_to_do = "";  ///< Behind that: "install …".
};

/// Throws Error(BadInput) for names that JSON cannot say: an engine would not know them by others.
[[nodiscard]] std::string text_of_request(const nlohmann::json& request);

/// A worker process that holds one engine. Only this room talks JSON with it.
class JsonWorker {
 public:
  using Limit = std::chrono::steady_clock::duration;

  /// Throws Error(Missing) where the plug-in is not there or the worker cannot be started.
  explicit JsonWorker(const PluginFile& plugin);
  /// Of a program that holds the engine itself. Throws Error(Missing) if it cannot be started.
  JsonWorker(std::string engine, const std::filesystem::path& program,
             const std::vector<std::string>& arguments)
      : engine_(std::move(engine)), process_(program, arguments) {}

  /// Returns what `read` makes of the answer. Throws as read_answer() does, and WorkerLost, after
  /// which the object is of no more use.
  template <class Read>
  auto ask(
      const nlohmann::json& request, Limit limit, const Read& read,
      const std::function<void()>& while_waiting = [] {}) {
    return read_answer(engine_, process_.ask(text_of_request(request), limit, while_waiting), read);
  }

 private:
  std::string engine_;
  WorkerProcess process_;
};

}  // namespace jouletree::runtime
