#include "runtime/onnxruntime/api.hpp"

#include <dlfcn.h>

#include "jouletree/error.hpp"

namespace jouletree::runtime::onnxruntime {
namespace {

const OrtApiBase* base = nullptr;

[[noreturn]] void lack(const std::string& what) { throw Error(ErrorKind::Missing, what); }

}  // namespace

void open_library(const std::string& path) {
  if (base != nullptr) return;
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    lack(std::string("ONNX Runtime cannot be loaded (") + ::dlerror() +
         "); 'jouletree --version' says how to get it");
  }
  const auto get_base =
      reinterpret_cast<const OrtApiBase* (*)()>(::dlsym(library, "OrtGetApiBase"));  // NOLINT
  if (get_base == nullptr) lack(path + " is not ONNX Runtime");
  const OrtApi* api = get_base()->GetApi(ORT_API_VERSION);
  if (api == nullptr) {
    lack(std::string("ONNX Runtime ") + get_base()->GetVersionString() + " is too old; 1." +
         std::to_string(ORT_API_VERSION) + " or later is needed");
  }
  Ort::InitApi(api);
  base = get_base();
}

std::string library_version() { return base->GetVersionString(); }

Ort::Env& environment() {
  // What goes wrong reaches the caller as an exception; the log would only repeat it.
  static Ort::Env env = [] {
    Ort::Env made(ORT_LOGGING_LEVEL_FATAL, "jouletree");
    made.DisableTelemetryEvents();  // Some builds send what they do to their maker.
    return made;
  }();
  return env;
}

}  // namespace jouletree::runtime::onnxruntime
