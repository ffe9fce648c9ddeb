// A library that answers like ONNX Runtime when it is asked for its version, and nothing else.

#include <cstdint>

namespace {

struct ApiBase {
  const void* (*get_api)(std::uint32_t version);
  const char* (*get_version_string)();
};

const ApiBase kBase = {[](std::uint32_t) -> const void* { return nullptr; },
                       [] { return "9.8.7"; }};

}  // namespace

extern "C" const ApiBase* OrtGetApiBase() { return &kBase; }
