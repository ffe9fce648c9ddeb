#include "measure/paired_runs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/rank_tests.hpp"
#include "base/shift_estimate.hpp"
#include "base/statistics.hpp"
#include "base/student.hpp"

namespace jouletree::measure {
namespace {

using Duration = std::chrono::duration<double>;

constexpr Duration kWarmUp{0.1};
/// Shorter turns than so many updates of the slowest meter say nothing about energy.
constexpr double kUpdatesPerTurn = 10;
constexpr Duration kShortestTurn{0.05};
constexpr Duration kLongestTurn{1};
/// Of a turn: the median of fewer runs is moved by a single interruption.
constexpr double kFewestRuns = 3;
constexpr double kMostRuns = 10000;
constexpr int kFewestLoads = 4;
/// Of each load, also where they take longer than planned: ranks of fewer are never rare.
constexpr int kFewestRounds = 3;
constexpr int kTurnsPerRound = 4;
/// Interruptions make runs longer, never shorter; this quantile moves if they hit most of the runs.
constexpr double kQuickShare = 0.25;

double median_of(const std::vector<double>& values) { return summarize(values).median; }

/// One of both models, loaded.
class PairedSide {
 public:
  PairedSide(const PairedModel& model, const Clock& clock) : model_(model), clock_(clock) {}

  /// Returns how long that took.
  Duration load() {
    const Time begin = clock_.now();
    // The older worker ends first: both need memory.
    engine_.reset();
    try {
      engine_ = model_.open();
      engines::LoadedModel loaded = engine_->load(model_.model);
      tree_ = std::make_unique<ModelTree>(loaded.given ? std::move(*loaded.given)
                                                       : std::move(loaded.tree));
      run_time_ = engine_->prepare_whole(kWarmUp);
    } catch (const engines::EngineLost& lost) {
      fail(lost.what());
    }
    return clock_.now() - begin;
  }

  [[nodiscard]] Duration run_time() const { return run_time_; }
  [[nodiscard]] std::string engine_name() const { return engine_->name(); }
  [[nodiscard]] ModelTree& tree() { return *tree_; }

  struct Turn {
    Time begin;
    Time end;
    double seconds = 0;  ///< Of its quicker runs.
    std::size_t runs = 0;
  };
  Turn turn(Duration lasting) {
    const double wanted = lasting / std::max(run_time_, Duration(1e-8));
    const auto runs = static_cast<std::int64_t>(std::clamp(wanted, kFewestRuns, kMostRuns));
    Turn turn;
    try {
      turn.begin = clock_.now();
      std::vector<double> seconds;
      for (const Duration each : engine_->run_each(engines::Slot::Whole, runs))
        seconds.push_back(each.count());
      turn.end = clock_.now();
      turn.runs = seconds.size();
      std::sort(seconds.begin(), seconds.end());
      turn.seconds = quantile(seconds, kQuickShare);
      // The next turn is to last as long as planned, however busy the machine is.
      run_time_ = Duration(turn.end - turn.begin) / static_cast<double>(turn.runs);
    } catch (const engines::EngineLost& lost) {
      fail(lost.what());
    }
    return turn;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw Error(ErrorKind::BadInput, fmt::format("{}: the engine could not run the model: {}",
                                                 model_.model.path.string(), what));
  }

  const PairedModel& model_;
  const Clock& clock_;
  std::unique_ptr<engines::Engine> engine_;
  std::unique_ptr<ModelTree> tree_;
  Duration run_time_{0};
};

/// The turns of one round, whose energy the meters tell later.
struct OpenRound {
  int load = 0;
  std::array<PairedSide::Turn, 2> first;
  std::array<PairedSide::Turn, 2> second;
};

class PairRunner {
 public:
  PairRunner(const PairedModel& first, const PairedModel& second, const PairPlan& plan,
             EnergySource& energy, const ProfileProgress& progress, const Clock& clock)
      : first_(first, clock),
        second_(second, clock),
        plan_(plan),
        energy_(energy),
        progress_(progress),
        clock_(clock) {}

  PairedRuns run() {
    const Duration each = plan_.time / std::max(plan_.loads, kFewestLoads);
    int loads = std::max(plan_.loads, kFewestLoads);
    if (kTurnsPerRound * kFewestRounds * turn_length(each) > each) loads = kFewestLoads;
    Duration left = plan_.time;
    for (int load = 0; load < loads; ++load) {
      progress_("loading both models", static_cast<std::size_t>(load),
                static_cast<std::size_t>(loads));
      const Duration took = first_.load() + second_.load();
      // Models that take long to load are loaded less often.
      if (load == 0 && took > each) loads = kFewestLoads;
      const Duration share = left / (loads - load);
      run_rounds(load, share);
      left -= share;
    }
    finish();
    return std::move(result_);
  }

 private:
  void run_rounds(int load, Duration share) {
    const Time begin = clock_.now();
    const Duration turn = turn_length(share);
    for (int count = 0; count < kFewestRounds || Duration(clock_.now() - begin) < share; ++count) {
      OpenRound round;
      round.load = load;
      round.first[0] = first_.turn(turn);
      round.second[0] = second_.turn(turn);
      round.second[1] = second_.turn(turn);
      round.first[1] = first_.turn(turn);
      rounds_.push_back(round);
      const double passed = Duration(clock_.now() - begin) / share;
      progress_("both models by turns", static_cast<std::size_t>(100 * std::min(passed, 1.0)), 100);
    }
    add_energies();
  }

  [[nodiscard]] Duration turn_length(Duration share) const {
    if (!plan_.tells_energy)
      return std::clamp(share / (kTurnsPerRound * kFewestRounds), kShortestTurn, kLongestTurn);
    Duration slowest(0);
    for (const MeterInfo& meter : energy_.meters())
      slowest = std::max(slowest, Duration(meter.update_period));
    return std::clamp(kUpdatesPerTurn * slowest, kShortestTurn, kLongestTurn);
  }

  /// Of the rounds that lack them. The last one ended just now, so the meters are waited for once.
  void add_energies() {
    for (std::size_t i = result_.rounds.size(); i < rounds_.size(); ++i) {
      const OpenRound& round = rounds_[i];
      PairedRound& added = result_.rounds.emplace_back();
      added.load = round.load;
      added.time_ratio = std::sqrt(round.second[0].seconds * round.second[1].seconds /
                                   (round.first[0].seconds * round.first[1].seconds));
      for (const auto& turn : round.first) first_s_.push_back(turn.seconds);
      for (const auto& turn : round.second) second_s_.push_back(turn.seconds);
      if (!plan_.tells_energy) continue;
      const auto one = joules_per_run(round.first);
      const auto other = joules_per_run(round.second);
      if (!one || !other || *one <= 0 || *other <= 0) continue;
      added.energy_ratio = *other / *one;
      first_j_.push_back(*one);
      second_j_.push_back(*other);
    }
  }

  std::optional<double> joules_per_run(const std::array<PairedSide::Turn, 2>& turns) {
    double joules = 0;
    std::size_t runs = 0;
    for (const PairedSide::Turn& turn : turns) {
      const WindowResult result = energy_.between(turn.begin, turn.end);
      if (!result.total.gross || !result.total.missing.empty()) return std::nullopt;
      joules += static_cast<double>(result.total.gross->value.micro) * 1e-6;
      runs += turn.runs;
      result_.energy_provenance = name_of(result.total.provenance);
    }
    return joules / static_cast<double>(runs);
  }

  void finish() {
    result_.first_s = median_of(first_s_);
    result_.second_s = median_of(second_s_);
    if (!first_j_.empty()) {
      result_.first_j = median_of(first_j_);
      result_.second_j = median_of(second_j_);
    } else {
      result_.energy_provenance.clear();
    }
    result_.engine = first_.engine_name();
    result_.first_tree = std::move(first_.tree());
    result_.second_tree = std::move(second_.tree());
  }

  PairedSide first_;
  PairedSide second_;
  const PairPlan& plan_;
  EnergySource& energy_;
  const ProfileProgress& progress_;
  const Clock& clock_;
  std::vector<OpenRound> rounds_;
  std::vector<double> first_s_;
  std::vector<double> second_s_;
  std::vector<double> first_j_;
  std::vector<double> second_j_;
  PairedRuns result_;
};

}  // namespace

PairedRuns run_in_pairs(const PairedModel& first, const PairedModel& second, const PairPlan& plan,
                        EnergySource& energy, const ProfileProgress& progress, const Clock& clock) {
  return PairRunner(first, second, plan, energy, progress, clock).run();
}

PairedTest test_pairs(const std::vector<double>& ratios, const std::vector<int>& loads) {
  PairedTest result;
  std::vector<double> logs;
  std::map<int, std::vector<double>> by_load;
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    logs.push_back(std::log(ratios[i]));
    by_load[loads[i]].push_back(logs.back());
  }
  if (logs.empty()) return result;
  result.p_rounds = wilcoxon_signed_rank(logs).p;
  result.ratio = ratio_of_pairs(ratios);
  std::vector<double> medians;
  for (const auto& [load, values] : by_load) medians.push_back(median_of(values));
  const Summary over_loads = summarize(medians);
  if (over_loads.n >= 2) {
    const auto freedom = static_cast<double>(over_loads.n - 1);
    const double error = over_loads.deviation / std::sqrt(static_cast<double>(over_loads.n));
    result.p_loads = error > 0 ? 2 * student_tail(std::abs(over_loads.mean) / error, freedom)
                               : (over_loads.mean == 0 ? 1 : 0);
    const double half_width = student_deviations(0.025, freedom) * error;
    const auto widened = [&](const std::optional<double>& bound, double other, bool is_low) {
      const double from_loads = std::exp(other);
      if (!bound) return from_loads;
      return is_low ? std::min(*bound, from_loads) : std::max(*bound, from_loads);
    };
    result.ratio.low = widened(result.ratio.low, over_loads.mean - half_width, true);
    result.ratio.high = widened(result.ratio.high, over_loads.mean + half_width, false);
  }
  result.p = std::max(result.p_rounds, result.p_loads);
  return result;
}

}  // namespace jouletree::measure
