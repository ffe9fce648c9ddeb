#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/session.hpp"
#include "jouletree/tree.hpp"
#include "measure/trials.hpp"

namespace jouletree {

struct ProfileOptions {
  std::filesystem::path library;  ///< Of ONNX Runtime.
  std::filesystem::path scratch;  ///< A folder for cut-out models; the caller removes it.
  int threads = 1;
  std::string level = "all";  ///< Of the engine's own optimisation.
  double precision = 0.02;
  std::optional<std::chrono::duration<double>> budget;  ///< For all windows together.
  std::optional<double> target;  ///< Share of the time that operators must explain, 0 to 1.
  std::uint64_t seed = 1;
};

/// One workload as measured. Times and energies are per run.
struct Measured {
  Trials trials;
  std::optional<TotalEnergy> energy;  ///< Of all runs together.
  std::string failure;                ///< Why there is nothing; empty where there is.

  [[nodiscard]] bool good() const { return failure.empty(); }
  /// Seconds per run: the median over the windows, which a busy moment does not move.
  [[nodiscard]] double seconds() const { return trials.time.median; }
  /// Nothing without a meter.
  [[nodiscard]] std::optional<double> joules() const;
};

/// Operators that are equal in all that their cost depends on.
struct UniqueOperator {
  std::string key;
  std::vector<NodeId> nodes;         ///< Of the tree's graph.
  int copies = 1;                    ///< In one run of the cut-out model.
  std::optional<double> in_place_s;  ///< Inside the running model, scaled to the unprofiled whole.
  std::optional<Measured> measured;  ///< Nothing where the target was reached without it.
};

struct Ledger {
  double operators_s = 0;
  std::optional<double> operators_j;
  /// Σ operators × count ÷ whole; nothing where an operator is missing from the sum.
  std::optional<double> attribution_time;
  std::optional<double> attribution_energy;
  std::size_t failed = 0;
  std::size_t left_out = 0;  ///< Not measured, because the target was reached.
};

struct Profile {
  ModelTree tree;  ///< Of the graph that the engine runs, in the modules of the file.
  std::string engine;
  Measured whole;
  std::vector<double> latencies_s;          ///< Sorted; of single runs of the whole model.
  std::vector<UniqueOperator> operators;    ///< By expected time, longest first.
  std::map<std::string, Measured> modules;  ///< By scope.
  Ledger ledger;

  /// The unique operator of each node, by NodeId; null for nodes that do not run.
  [[nodiscard]] std::vector<const UniqueOperator*> by_node() const;
};

/// How far the work is, for people.
using ProfileProgress =
    std::function<void(const std::string& what, std::size_t done, std::size_t total)>;

/// Measures a model, its modules and its operators. Throws Error for a model that the engine
/// cannot run; an operator that fails costs its own row only.
[[nodiscard]] Profile profile_model(const std::filesystem::path& model, const InputSettings& inputs,
                                    const ProfileOptions& options, Session& session,
                                    const ProfileProgress& progress);

}  // namespace jouletree
