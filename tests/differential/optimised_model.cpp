#include "optimised_model.hpp"

#include <onnxruntime_cxx_api.h>
#include <onnxruntime_session_options_config_keys.h>

#include <stdexcept>

namespace jouletree::test {

void write_optimised_model(const std::filesystem::path& model, const std::filesystem::path& out,
                           Blocks blocks) {
  try {
    const Ort::Env env(ORT_LOGGING_LEVEL_FATAL, "jouletree-optimise");
    Ort::SessionOptions options;
    options.SetGraphOptimizationLevel(ORT_ENABLE_ALL);
    options.SetIntraOpNumThreads(1);
    if (blocks == Blocks::No) {
      options.AddConfigEntry(kOrtSessionOptionsDisableSpecifiedOptimizers, "NchwcTransformer");
    }
    options.SetOptimizedModelFilePath(out.c_str());
    const Ort::Session session(env, model.c_str(), options);
  } catch (const Ort::Exception& error) {
    throw std::runtime_error(model.string() + ": " + error.what());
  }
}

}  // namespace jouletree::test
