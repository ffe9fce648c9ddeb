#include "runtime/engine_plugin.hpp"

namespace {

void answer(const char* request, std::size_t size, jouletree::EngineReply reply, void* context) {
  reply(context, request, size);
}

constexpr jouletree::EnginePlugin kPlugin = {jouletree::kEngineInterface, "Echo", "6.5.4", answer};

}  // namespace

extern "C" const jouletree::EnginePlugin* jouletree_engine_plugin() { return &kPlugin; }
