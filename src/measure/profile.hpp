#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engines/engine.hpp"
#include "jouletree/cache_mode.hpp"
#include "jouletree/figure.hpp"
#include "jouletree/gpu.hpp"
#include "jouletree/session.hpp"
#include "jouletree/tree.hpp"
#include "measure/energy_source.hpp"
#include "measure/environment.hpp"
#include "measure/machine_state.hpp"
#include "measure/others_watch.hpp"
#include "measure/trials.hpp"

namespace jouletree::measure {

class KnownParts;

struct ProfileOptions {
  std::filesystem::path root = "/";  ///< Below it are sys and proc of the machine.
  CacheMode cache = CacheMode::Model;
  std::chrono::duration<double> baseline{0};  ///< How long to measure idle power first; 0: not.
  double precision = 0.02;
  std::optional<std::chrono::duration<double>> budget;  ///< For all windows together.
  std::optional<double> target;  ///< Share of the time that operators must explain, 0 to 1.
  bool modules = true;           ///< Measure them, too.
  std::vector<std::string> only_types{};     ///< Of operators that are measured; empty: all.
  std::vector<std::string> without_types{};  ///< Of operators that are not.
  GpuWatch* gpus = nullptr;  ///< To see what graphics cards do; must outlive the profile.
  /// Operators and modules that were measured before; must outlive the profile. Null: none are
  /// known, and none are kept.
  KnownParts* known = nullptr;
};

/// What a workload used beside time and energy, over all its windows.
struct ResourceUse {
  std::optional<double> cpus;                ///< CPUs that it kept busy, on average.
  std::optional<std::int64_t> memory_bytes;  ///< Resident in the worker after the last window.
  std::vector<GpuState> gpus;                ///< Of the machine, seen at the end.
};

/// Where a measurement comes from that was not made for this profile.
struct ReusedFrom {
  std::string date;    ///< When the profile began that made it, UTC, ISO 8601.
  std::string origin;  ///< What was profiled then, for people: "resnet18.onnx".
};

/// One workload as measured. Times and energies are per run.
struct Measured {
  Trials trials;
  int copies = 1;       ///< Of an operator or module, in one run of its cut-out model.
  std::string same_as;  ///< Key of the operator that a module consists of, and which was measured.
  ResourceUse use;
  std::optional<TotalEnergy> energy;  ///< Of all runs together.
  std::vector<DomainEnergy> domains;  ///< The same by meter.
  std::string failure;                ///< Why there is nothing; empty where there is.
  std::vector<Trials> set_aside;  ///< Series that others disturbed more than the one that counts.
  /// There was no time for as many copies as the cache mode asks for.
  bool hurried = false;
  /// Nothing where it was measured for this profile. Else there are no windows, and of the trials'
  /// begin and end only the time between them means something.
  std::optional<ReusedFrom> reused;

  [[nodiscard]] bool good() const { return failure.empty(); }
  /// Seconds per run: the median over the windows, which a busy moment does not move.
  [[nodiscard]] double seconds() const { return trials.time.median; }
  /// Nothing without a meter.
  [[nodiscard]] std::optional<double> joules() const;
};

/// Operators that are equal in all that their cost depends on.
struct UniqueOperator {
  std::string key;
  std::vector<NodeId> nodes;  ///< Of the tree's graph.
  /// Of one run inside the model, scaled as Ledger says. Nothing where the engine's clock is too
  /// coarse for it.
  std::optional<double> in_place_s;
  std::optional<Measured> measured;    ///< Nothing where the target or the budget ended before it.
  bool out_of_time = false;            ///< Not measured, because the budget was used up.
  std::optional<double> expected_s{};  ///< As in_place_s, but only rough: to plan with.

  [[nodiscard]] bool is_measured_alone() const { return measured && measured->good(); }
  [[nodiscard]] bool is_reused() const { return measured && measured->reused; }
  /// Its time is known from inside the model only.
  [[nodiscard]] bool is_in_place_only() const { return !is_measured_alone() && in_place_s; }
};

/// What runs in the whole beside its operators and was told from them, such as an interpreter: the
/// whole less all its operators in order.
struct Caller {
  std::string name;            ///< "Python and dispatch".
  Measured program;            ///< The operators in order, without it.
  std::vector<double> shares;  ///< Of the whole; one for each time both ran right after each other.
};

/// What the operators explain of the whole. The sums are over all operators that were measured
/// alone, each times its runs in one run of the model. Their intervals follow from those of the
/// operators (FigureSum). They are nothing where no operator was measured alone; those of energies
/// also where one of these has no energy.
struct Ledger {
  /// As measured: what the rows of the operators add up to.
  Figure raw_s;
  Figure raw_j;
  /// Speed-adjusted: a machine may become slower or faster while operators are measured one after
  /// the other, so each is divided by its factor of SpeedAdjustment, whose uncertainty is in the
  /// interval.
  Figure adjusted_s;
  Figure adjusted_j;
  double speed_scatter = 0;  ///< SpeedAdjustment::scatter().
  /// Of both sums, the part that was measured earlier, which nothing is known to adjust for.
  double reused_s = 0;
  std::size_t reused_kinds = 0;
  /// Of what calls the operators, where the profile has it: measured beside them, not as a rest.
  Figure caller_s;
  Figure caller_j;
  /// Of the others, as the engine saw them inside the model. Such times are scaled so that all
  /// kernels together are the whole less its caller: they fill its tree, but do not prove that it
  /// is explained.
  double in_place_s = 0;
  std::size_t in_place = 0;  ///< How many these are.
  /// The speed-adjusted sum and the caller ÷ whole; less than is explained where the sum is a lower
  /// bound.
  std::optional<double> attribution_time;
  std::optional<double> attribution_energy;
  /// Operators that the sums lack, each counted as often as it runs.
  std::size_t failed = 0;
  std::size_t left_out = 0;     ///< Not measured, because the target was reached.
  std::size_t out_of_time = 0;  ///< Not measured, because the budget was used up.
  /// That would do for all operators, where this one did not.
  std::optional<std::chrono::duration<double>> budget_for_all;
};

/// One kernel of one run inside the model, which was slowed down by being watched.
struct KernelSlice {
  std::string name;                  ///< In the graph that the engine runs; else its operator.
  std::chrono::nanoseconds begin{};  ///< Since the beginning of the run.
  std::chrono::nanoseconds duration{};
  std::string op{};              ///< As the engine calls it.
  std::optional<NodeId> node{};  ///< Of the tree's graph; nothing for kernels inside a body.
};

/// Mean power over a short stretch.
struct PowerPoint {
  Time begin;
  Time end;
  Watts power;
};

struct Profile {
  ModelTree tree;  ///< Of the graph that the engine runs, in the modules of the file.
  /// Of the model as it was given, where that is another.
  std::optional<ModelTree> given;
  std::string engine;
  double precision =
      0;  ///< That was asked for: half-width of the interval of a median, as a share.
  Measured whole;
  std::vector<double> latencies_s;          ///< Sorted; of single runs of the whole model.
  std::vector<UniqueOperator> operators;    ///< By expected time, longest first.
  std::size_t insufficient_kinds = 0;       ///< Of these: known, but not as well as asked.
  std::map<std::string, Measured> modules;  ///< By scope.
  std::optional<Caller> caller;             ///< Where the engine can tell it from the operators.
  Ledger ledger;
  Environment environment;
  std::vector<KernelSlice> timeline;
  std::vector<PowerPoint> power;      ///< Of the total, while windows ran.
  std::vector<MachineState> machine;  ///< Clocks and throttling, once per workload.
  std::optional<OthersUse> others;    ///< From the beginning to the end.
  std::optional<Baseline> idle;
  Time begin;
  Time end;
  /// CPU time of the sampler, as a share of all time: while a window runs, the rest of this program
  /// waits.
  std::optional<double> own_share;

  /// What the model has and does is counted in this one.
  [[nodiscard]] const ModelTree& given_tree() const { return given ? *given : tree; }
  /// The unique operator of each node, by NodeId; null for nodes that do not run.
  [[nodiscard]] std::vector<const UniqueOperator*> by_node() const;
};

/// How far the work is, for people.
using ProfileProgress =
    std::function<void(const std::string& what, std::size_t done, std::size_t total)>;

/// Measures a model, its modules and its operators. Throws Error for a model that the engine
/// cannot run; an operator that fails costs its own row only.
[[nodiscard]] Profile profile_model(engines::Engine& engine, const engines::ModelToLoad& model,
                                    const ProfileOptions& options, EnergySource& energy,
                                    const ProfileProgress& progress,
                                    const Clock& clock = machine_clock());

}  // namespace jouletree::measure
