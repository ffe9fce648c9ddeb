#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "jouletree/figure.hpp"
#include "jouletree/inference.hpp"
#include "jouletree/measured_model.hpp"

namespace jouletree {

/// A number that was measured of the whole model.
struct ProfileNumber {
  Figure figure;
  std::string provenance;  ///< Empty where the number is unknown.
};

/// What the operators of one phase of a training step add up to.
struct ProfilePhase {
  std::string name;              ///< "forward", "loss", "backward", "optimizer", "zero_grad".
  std::optional<double> time_s;  ///< Nothing where none of its operators is known.
  std::optional<double> energy_j;
  std::int64_t in_place = 0;
  std::int64_t unknown = 0;  ///< Operators that the time lacks.
};

/// A node of the tree; rows stand in the order of the tree.
struct ProfileNode {
  int level = 0;
  std::string kind;  ///< "model", "module", "operator".
  std::string name;
  std::string scope;
  std::string type;
  std::optional<double> time_s;
  std::optional<double> energy_j;
  bool alone = false;  ///< Measured as it stands; else the figures are sums of its operators.
  std::optional<double> operators_s;  ///< Sum of what is known of its operators.
  std::int64_t in_place = 0;          ///< Of these, how many are known from inside the model only.
  std::int64_t unknown = 0;           ///< Operators that the sum lacks.
  std::optional<double> in_place_s;
  std::vector<ProfilePhase> phases;  ///< Of training steps; in the order of a step.
  /// When it was measured, UTC, ISO 8601, if that was for an earlier profile; else empty.
  std::string reused_from{};

  /// The time is not, or not only, that of something that ran alone.
  [[nodiscard]] bool is_in_place() const { return !alone && in_place > 0; }
  /// The sum of its operators lacks some.
  [[nodiscard]] bool is_sum_lower_bound() const { return operators_s && unknown > 0; }
};

/// Operators that are equal, measured once. Figures are those of one of them.
struct ProfileOperator {
  std::string name;  ///< Scope of the first.
  std::string type;
  std::int64_t count = 0;
  Figure time_s;  ///< Alone.
  Figure energy_j;
  std::optional<double> in_place_s;
  std::string failure;  ///< Why there is no time; empty where the target was reached without it.
  std::string reused_from{};  ///< As of a node.

  /// It was not measured alone, and stands in tables with its time inside the model.
  [[nodiscard]] bool is_in_place() const { return !time_s.value && in_place_s; }
  [[nodiscard]] std::optional<double> each_s() const {
    return time_s.value ? time_s.value : in_place_s;
  }
  [[nodiscard]] std::optional<double> total_s() const;
  [[nodiscard]] std::optional<double> total_j() const;
};

/// All operators of a type.
struct ProfileType {
  std::string type;
  std::int64_t count = 0;     ///< In the model.
  std::int64_t measured = 0;  ///< Of these, alone.
  std::int64_t in_place = 0;  ///< Of these, inside the model only.
  std::optional<double> time_s;
  std::optional<double> energy_j;  ///< Of those measured alone; nothing where one has none.

  [[nodiscard]] bool is_time_lower_bound() const { return time_s && measured + in_place < count; }
  [[nodiscard]] bool is_energy_lower_bound() const { return energy_j && measured < count; }
};

/// How an operator gets into the speed-adjusted sums.
inline constexpr const char* kAdjustment = "speed-adjusted";
inline constexpr const char* kAdjustmentIs =
    "each operator corrected for how fast the whole model ran just before and after it";

/// What the parts explain of the whole. Sums are those of Ledger.
struct ProfileLedger {
  std::int64_t operators = 0;
  std::int64_t kinds = 0;
  std::int64_t failed = 0;
  std::int64_t left_out = 0;
  std::int64_t out_of_time = 0;
  std::int64_t in_place = 0;  ///< Not measured alone, but seen inside the model.
  Figure raw_s;               ///< Unknown in profiles that older programs wrote.
  Figure adjusted_s;          ///< Without bounds in such profiles.
  /// How much the whole usually changed from one moment to the next, as a share: a standard
  /// deviation. Unknown in such profiles.
  std::optional<double> speed_scatter;
  std::string caller;  ///< What runs beside the operators; empty: not told apart.
  Figure caller_s;
  Figure caller_j;
  std::optional<double> in_place_s;  ///< Of the others, where there are any.
  std::optional<double> whole_s;
  std::optional<double> attribution_time;
  Figure raw_j;
  Figure adjusted_j;
  std::optional<double> whole_j;
  std::optional<double> attribution_energy;
  std::optional<double> budget_for_all_s;  ///< Where this one was too small.
  std::int64_t reused_kinds = 0;           ///< Of `kinds`, those that were measured earlier.
  std::optional<double> reused_s;          ///< Of both sums of times, what these are.

  [[nodiscard]] std::int64_t not_alone() const { return failed + left_out + out_of_time; }
  /// Whole less the speed-adjusted sum, the caller and what is known in place. Unknown where no
  /// operator was measured alone.
  [[nodiscard]] std::optional<double> remainder_s() const;
  /// Of the energy less the speed-adjusted sum and the caller.
  [[nodiscard]] std::optional<double> remainder_j() const;
  [[nodiscard]] bool complete() const { return not_alone() == 0; }
  /// Of one of the sums, or of what follows from one: operators are missing.
  [[nodiscard]] bool is_lower_bound(const std::optional<double>& sum) const {
    return sum && !complete();
  }
  /// What stands between the sum of the parts and the whole.
  [[nodiscard]] std::string remainder_name() const;
};

/// What came of --target.
struct ProfileTarget {
  double asked = 0;  ///< Share of the time, 0 to 1.
  bool reached = false;
  std::vector<std::string> types;  ///< That were needed, by time; all measured ones if not reached.
};

/// What others did on the machine while a profile was measured.
struct ProfileOthers {
  double cpus = 0;     ///< That other processes kept busy, or other virtual machines took.
  double of_cpus = 0;  ///< That the machine has.
};

/// All that people are shown of a profile: the same whether it was just measured or read again.
/// Times and energies are those of one inference; what is unknown is absent.
struct ProfileContent {
  std::string model;
  std::string engine;
  std::optional<std::int64_t> model_bytes;  ///< Of the file and its external data.
  std::string date;
  std::string cpu;
  std::optional<std::int64_t> cpus;
  std::map<std::string, std::string> settings;
  std::vector<InputShape> inputs;  ///< None in profiles that older programs wrote.
  ProfileNumber time;
  ProfileNumber energy;
  std::string energy_covers;  ///< Which parts of the machine; empty where there is no meter.
  ProfileNumber energy_above_idle;
  std::string energy_above_idle_doubt;  ///< Why it is unknown although idle power is known.
  std::int64_t windows = 0;
  bool precise = false;
  std::optional<double> asked_precision;  ///< Half-width of the interval of the time, as a share.
  std::optional<MeasuredLatency> latency;
  std::vector<CountedMetric> counted;  ///< None in profiles that older programs wrote.
  std::optional<Score> score;          ///< Of an evaluation on data, where there was one.
  std::vector<ProfileNode> tree;
  std::vector<ProfileOperator> operators;
  std::vector<ProfileType> types;  ///< By time, longest first.
  ProfileLedger ledger;
  std::optional<ProfileTarget> target;
  std::optional<ProfileOthers> others;  ///< Unknown in profiles that older programs wrote.
  std::vector<std::string> failures;    ///< One sentence each.
  std::vector<std::string> warnings;    ///< Of the notes, those that forbid to trust the times.
  std::vector<std::string> notes;
};

}  // namespace jouletree
