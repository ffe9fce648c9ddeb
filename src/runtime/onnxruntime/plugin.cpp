#include <string>

#include <nlohmann/json.hpp>

#include "jouletree/error.hpp"
#include "runtime/engine_plugin.hpp"
#include "runtime/onnxruntime/plain_error.hpp"
#include "runtime/onnxruntime/workbench.hpp"

namespace jouletree::runtime::onnxruntime {
namespace {

using Json = nlohmann::json;
using Action = Json (Workbench::*)(const Json&);

constexpr struct {
  const char* name;
  Action action;
} kActions[] = {
    {"open", &Workbench::open},       {"optimise", &Workbench::optimise},
    {"fill", &Workbench::fill},       {"record", &Workbench::record},
    {"prepare", &Workbench::prepare}, {"window", &Workbench::window},
    {"kernels", &Workbench::kernels}, {"serve", &Workbench::serve},
    {"answer", &Workbench::answer},
};

Json act(const Json& request) {
  static Workbench workbench;
  const auto wanted = request.at("do").get<std::string>();
  for (const auto& [name, action] : kActions)
    if (wanted == name) return (workbench.*action)(request);
  throw std::runtime_error("there is no action '" + wanted + "'");
}

void answer(const char* request, std::size_t size, EngineReply reply, void* context) {
  Json answer;
  try {
    answer = act(Json::parse(request, request + size));
  } catch (const std::bad_alloc&) {
    answer = {{"error", {{"kind", "missing"}, {"text", "not enough memory"}}}};
  } catch (const Error& error) {
    const bool missing = error.kind() == ErrorKind::Missing;
    answer = {{"error", {{"kind", missing ? "missing" : "bad_input"}, {"text", error.what()}}}};
  } catch (const Json::exception&) {
    answer = {{"error", {{"kind", "missing"}, {"text", kForeignRequest}}}};
  } catch (const std::exception& error) {
    answer = {{"error", {{"kind", "bad_input"}, {"text", plain_error(error.what())}}}};
  }
  const std::string text = answer.dump(-1, ' ', false, Json::error_handler_t::replace);
  reply(context, text.data(), text.size());
}

constexpr EnginePlugin kPlugin = {kEngineInterface, "ONNX Runtime", "", answer};

}  // namespace
}  // namespace jouletree::runtime::onnxruntime

extern "C" __attribute__((visibility("default"))) const jouletree::runtime::EnginePlugin*
jouletree_engine_plugin() {
  return &jouletree::runtime::onnxruntime::kPlugin;
}
