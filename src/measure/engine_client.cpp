#include "measure/engine_client.hpp"

#include <fmt/format.h>

#include "base/engine_folder.hpp"
#include "base/json_problem.hpp"
#include "jouletree/error.hpp"

namespace jouletree {
namespace {

constexpr std::chrono::minutes kTimeToStart{5};

EngineClient::Json parsed(const std::string& answer) try {
  auto json = EngineClient::Json::parse(answer);
  if (const auto error = json.find("error"); error != json.end()) {
    throw Error(error->at("kind") == "missing" ? ErrorKind::Missing : ErrorKind::BadInput,
                error->at("text").get<std::string>());
  }
  return json;
} catch (const EngineClient::Json::exception& error) {
  throw Error(ErrorKind::Failed,
              fmt::format("the answer of the engine's plug-in cannot be read: {}; install or build "
                          "the plug-in and the program anew, so that they fit together",
                          json_problem(error, answer)));
}

}  // namespace

EngineClient::EngineClient(EngineSettings settings) : settings_(std::move(settings)) { start(); }

void EngineClient::start() {
  const auto folder = engine_folder();
  const auto plugin = folder / "libjouletree_onnxruntime.so";
  if (!std::filesystem::exists(plugin)) {
    throw Error(ErrorKind::Missing,
                fmt::format("there is no {}: this JouleTree was built without ONNX Runtime",
                            plugin.string()));
  }
  worker_ = std::make_unique<WorkerProcess>(folder / "jouletree-worker",
                                            std::vector<std::string>{plugin.string()});
  const Json opened = ask_worker({{"do", "open"},
                                  {"library", settings_.library.string()},
                                  {"scratch", settings_.scratch.string()},
                                  {"threads", settings_.threads},
                                  {"execution", settings_.execution},
                                  {"device", settings_.device},
                                  {"provider_options", settings_.provider_options}},
                                 kTimeToStart);
  version_ = opened.at("version").get<std::string>();
  for (const Json& request : for_good_) (void)ask_worker(request, kTimeToStart);
}

EngineClient::Json EngineClient::ask_worker(const Json& request,
                                            std::chrono::steady_clock::duration limit) {
  try {
    return parsed(worker_->ask(request.dump(), limit));
  } catch (const WorkerLost&) {
    worker_.reset();
    throw;
  }
}

EngineClient::Json EngineClient::ask(const Json& request,
                                     std::chrono::steady_clock::duration limit) {
  if (worker_ == nullptr) start();
  return ask_worker(request, limit);
}

EngineClient::Json EngineClient::ask_for_good(const Json& request,
                                              std::chrono::steady_clock::duration limit) {
  Json answer = ask(request, limit);
  for_good_.push_back(request);
  return answer;
}

}  // namespace jouletree
