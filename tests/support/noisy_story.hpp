#pragma once

#include <cmath>
#include <random>
#include <sstream>

#include "report/compared_profile.hpp"
#include "store/profile_trials.hpp"
#include "support/scripted_profile.hpp"

namespace jouletree::test {

/// A machine that is now fast and now slow: `of_moments` from one quarter of a second to the next,
/// `of_profiles` all the time. Both are deviations of logarithms.
struct MachineNoise {
  double of_moments = 0.02;
  double of_profiles = 0.01;
};

inline void disturb(ScriptedMachine& machine, unsigned seed, const MachineNoise& noise) {
  constexpr double kMomentS = 0.25;
  constexpr int kMoments = 300;
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 1);
  const double all = noise.of_profiles * normal(random);
  for (int i = 0; i < kMoments; ++i) {
    machine.disturb(Seconds(i * kMomentS), Seconds((i + 1) * kMomentS),
                    std::exp(all + noise.of_moments * normal(random)));
  }
}

/// The operators with one more, which takes 10 % of the others.
inline std::vector<ScriptedOperator> slowed_operators() {
  std::vector<ScriptedOperator> operators = four_operators();
  operators.push_back({"/b/Sin", "Sin", Seconds(0.1 * kFourSeconds), 40});
  return operators;
}

/// A profile as commands read it.
inline report::ComparedProfile noisy_profile(const std::string& label, unsigned seed,
                                             std::vector<ScriptedOperator> operators,
                                             const MachineNoise& noise = {}) {
  ScriptedProfile story(std::move(operators));
  story.options.budget = Seconds(8);
  story.counter_period = std::chrono::milliseconds(10);
  disturb(story.machine, seed, noise);
  const measure::Profile profile = story.run();
  report::ComparedProfile compared;
  compared.model.label = label;
  compared.model.file = label;
  compared.view = store::view_of(profile, std::nullopt);
  std::ostringstream trials;
  store::write_trials(profile, trials);
  compared.trials = store::parse_trials(trials.str());
  return compared;
}

}  // namespace jouletree::test
