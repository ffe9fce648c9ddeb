#pragma once

#include <gmock/gmock.h>

#include "support/scripted_profile.hpp"

namespace jouletree::test {

/// The engine of four operators with its model loaded, for tests of what works below a profile.
class ScriptedLab : public testing::Test {
 protected:
  /// How often the counter of energy moves.
  explicit ScriptedLab(std::chrono::milliseconds counter_period)
      : engine_(machine_, four_operators()), energy_(machine_, counter_period) {
    (void)engine_.load({"model.onnx", {}, {}, 1});
  }

  static auto near(double value) { return testing::DoubleNear(value, 1e-9); }

  ScriptedMachine machine_;
  ScriptedEngine engine_;
  ScriptedEnergy energy_;
};

}  // namespace jouletree::test
