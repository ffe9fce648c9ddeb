#pragma once

#include <onnxruntime_cxx_api.h>

#include <vector>

#include "engine_inputs.hpp"

namespace jouletree::test {

[[nodiscard]] Ort::Env& engine();
/// All outputs of one run.
std::vector<Ort::Value> run_once(Ort::Session& session, const std::vector<EngineInput>& inputs);

}  // namespace jouletree::test
