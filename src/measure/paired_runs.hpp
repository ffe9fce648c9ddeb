#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/engine.hpp"
#include "jouletree/clock.hpp"
#include "jouletree/figure.hpp"
#include "measure/energy_source.hpp"
#include "measure/profile.hpp"

namespace jouletree::measure {

/// A model that runs by turns with another one. `open` makes an engine of its own for it.
struct PairedModel {
  std::function<std::unique_ptr<engines::Engine>()> open;
  engines::ModelToLoad model;
};

struct PairPlan {
  std::chrono::duration<double> time{
      30};        ///< For all turns together; more where three rounds of a load take longer.
  int loads = 6;  ///< How often both are loaded anew.
  /// Turns are long enough for the meters then, which may take longer than planned.
  bool tells_energy = true;
};

/// What both did right beside each other: first, second, second, first is one round.
struct PairedRound {
  int load = 0;
  double time_ratio = 1;               ///< Second ÷ first, of the lower quartiles of single runs.
  std::optional<double> energy_ratio;  ///< Per run; nothing where a meter tells nothing.
};

/// Two models in one engine each, by turns, so that both find the same machine.
struct PairedRuns {
  std::vector<PairedRound> rounds;
  double first_s = 0;  ///< Medians over all turns, of these lower quartiles.
  double second_s = 0;
  std::optional<double> first_j;
  std::optional<double> second_j;
  std::string energy_provenance;  ///< Empty where there is no energy.
  std::string engine;
  ModelTree first_tree;  ///< As the models were given.
  ModelTree second_tree;
};

/// Runs both. The model files must stay where they are as long as the trees live. Throws Error for
/// a model that its engine cannot run.
[[nodiscard]] PairedRuns run_in_pairs(const PairedModel& first, const PairedModel& second,
                                      const PairPlan& plan, EnergySource& energy,
                                      const ProfileProgress& progress,
                                      const Clock& clock = machine_clock());

/// Whether two models that ran in pairs differ.
struct PairedTest {
  Figure ratio;  ///< Hodges and Lehmann's, with the 95 % interval of both tests.
  double p = 1;  ///< The larger one of both.
  double p_rounds = 1;
  double p_loads = 1;
};

/// Wilcoxon's signed-rank test of the rounds, and Student's test of the medians of the loads:
/// memory lies elsewhere each time a model is loaded, and that makes a difference, too. Of ratios
/// above zero, with the load of each.
[[nodiscard]] PairedTest test_pairs(const std::vector<double>& ratios,
                                    const std::vector<int>& loads);

}  // namespace jouletree::measure
