#include "runtime/engine_plugin.hpp"

namespace {

void answer(const char* request, std::size_t size, jouletree::runtime::EngineReply reply,
            void* context) {
  reply(context, request, size);
}

constexpr jouletree::runtime::EnginePlugin kPlugin = {jouletree::runtime::kEngineInterface, "Echo",
                                                      "6.5.4", answer};

}  // namespace

extern "C" const jouletree::runtime::EnginePlugin* jouletree_engine_plugin() { return &kPlugin; }
