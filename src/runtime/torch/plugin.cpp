#include <string>

#include <nlohmann/json.hpp>
#include <torch/version.h>

#include "runtime/engine_plugin.hpp"
#include "runtime/torch/torchscript.hpp"

namespace jouletree::runtime::libtorch {
namespace {

void answer(const char* request, std::size_t size, EngineReply reply, void* context) {
  nlohmann::json answer;
  try {
    answer = record_torchscript(nlohmann::json::parse(request, request + size));
  } catch (const nlohmann::json::exception&) {
    answer = {{"error", {{"kind", "missing"}, {"text", kForeignRequest}}}};
  } catch (const std::exception& error) {
    answer = {{"error", {{"kind", "bad_input"}, {"text", error.what()}}}};
  }
  const std::string text = answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  reply(context, text.data(), text.size());
}

constexpr EnginePlugin kPlugin = {kEngineInterface, "LibTorch", TORCH_VERSION, answer};

}  // namespace
}  // namespace jouletree::runtime::libtorch

extern "C" __attribute__((visibility("default"))) const jouletree::runtime::EnginePlugin*
jouletree_engine_plugin() {
  return &jouletree::runtime::libtorch::kPlugin;
}
