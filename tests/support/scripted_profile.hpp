#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "measure/profile.hpp"
#include "support/scripted_engine.hpp"

namespace jouletree::test {

/// 1 + 2 + 2 + 5 ms, two of which are equal; 20, 2 × 60 and 200 mJ. Modules `a` and `b`.
[[nodiscard]] inline std::vector<ScriptedOperator> four_operators() {
  return {{"/a/Relu", "Relu", Seconds(1e-3), 20},
          {"/a/Tanh", "Tanh", Seconds(2e-3), 30},
          {"/b/Tanh", "Tanh", Seconds(2e-3), 30},
          {"/b/Exp", "Exp", Seconds(5e-3), 40}};
}
inline constexpr double kFourSeconds = 1e-3 + 2 * 2e-3 + 5e-3;
inline constexpr double kFourJoules = 1e-3 * 20 + 2 * 2e-3 * 30 + 5e-3 * 40;

/// A machine, an engine on it and how to measure with both, as in a story that is told once.
struct ScriptedProfile {
  explicit ScriptedProfile(std::vector<ScriptedOperator> operators = four_operators())
      : engine(machine, std::move(operators)) {
    options.root = "/nowhere";
  }

  /// Tells the story, once. Names in the profile's graph stay with the engine.
  [[nodiscard]] measure::Profile run() & {
    ScriptedEnergy energy(machine, counter_period);
    return measure::profile_model(
        engine, {"model.onnx", {}, {}, 1}, options, energy,
        [this](const std::string& what, std::size_t, std::size_t) {
          if (stages.empty() || stages.back() != what) stages.push_back(what);
        },
        machine.clock());
  }

  ScriptedMachine machine;
  ScriptedEngine engine;
  measure::ProfileOptions options;
  std::chrono::nanoseconds counter_period = std::chrono::milliseconds(100);
  std::vector<std::string> stages;  ///< Of the work, as people were told.
};

/// The operators of this type; throws where there are none.
[[nodiscard]] inline const measure::UniqueOperator& by_op(const measure::Profile& profile,
                                                          std::string_view op) {
  for (const measure::UniqueOperator& unique : profile.operators)
    if (unique.key.starts_with(op)) return unique;
  throw std::out_of_range(std::string(op));
}

/// Since the beginning of the story.
[[nodiscard]] inline Seconds since_begin(Time time) { return time - SimClock::begin(); }

}  // namespace jouletree::test
