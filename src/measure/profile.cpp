#include "measure/profile.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "measure/clock_step.hpp"
#include "measure/ledger.hpp"
#include "measure/part_reuse.hpp"
#include "measure/part_workloads.hpp"
#include "measure/profile_environment.hpp"
#include "measure/rounds.hpp"
#include "measure/runs_of.hpp"
#include "measure/time_plan.hpp"
#include "measure/unique_modules.hpp"
#include "measure/whole_model.hpp"
#include "measure/workload_meter.hpp"

namespace jouletree::measure {
namespace {

using Duration = std::chrono::duration<double>;

constexpr int kWatchedRuns = 7;
/// Of models that run for seconds, fewer runs have to do.
constexpr int kLeastWatchedRuns = 2;
constexpr double kWatchedS = 5;
/// Of an operator that was not seen inside the model.
constexpr double kUsualCallS = 1e-4;

Duration slowest_update(const EnergySource& energy) {
  Duration slowest(0.01);
  for (const MeterInfo& meter : energy.meters())
    slowest = std::max(slowest, Duration(meter.update_period));
  return slowest;
}

class Profiler {
 public:
  Profiler(engines::Engine& engine, const engines::ModelToLoad& model,
           const ProfileOptions& options, EnergySource& energy, const ProfileProgress& progress,
           const Clock& clock)
      : engine_(engine),
        model_(model),
        options_(options),
        energy_(energy),
        progress_(progress),
        clock_(clock),
        meter_({engine, energy, clock, options.gpus, options.root}),
        others_(options.root, clock),
        reuse_(options.known),
        whole_(meter_, model.path.string()) {
    profile_.engine = engine.name();
    profile_.precision = options.precision;
    profile_.begin = clock.now();
    profile_.environment = environment_of(model, options, engine, energy, clock);
  }

  Profile run() {
    try {
      load();
    } catch (const engines::EngineLost& lost) {
      throw Error(ErrorKind::BadInput, fmt::format("{}: the engine could not load the model: {}",
                                                   model_.path.string(), lost.what()));
    }
    measure_idle();
    plan_.emplace(options_.precision, slowest_update(energy_), options_.budget,
                  options_.modules && !options_.target, clock_.now());
    find_operators();
    measure_whole();
    measure_in_place();
    measure_operators();
    if (options_.modules && !options_.target) measure_modules();
    finish_whole();
    profile_.ledger = ledger_of(profile_);
    if (profile_.ledger.out_of_time > 0) profile_.ledger.budget_for_all = budget_for_all_;
    profile_.power = meter_.take_power();
    profile_.machine = meter_.take_machine();
    profile_.others = others_.look();
    profile_.own_share = energy_.own_share();
    profile_.end = clock_.now();
    return std::move(profile_);
  }

 private:
  void load() {
    progress_("loading", 0, 1);
    loaded_ = engine_.load(model_);
    profile_.tree = std::move(loaded_.tree);
    profile_.given = std::move(loaded_.given);
    reuse_.begin(profile_.environment, profile_.tree);
    workloads_.emplace(loaded_, options_.cache, profile_.environment, engine_.runs_in_context());
  }

  void measure_idle() {
    if (options_.baseline.count() <= 0) return;
    progress_("idle power", 0, 1);
    profile_.idle = energy_.measure_baseline(
        std::chrono::duration_cast<std::chrono::nanoseconds>(options_.baseline));
  }

  void find_operators() {
    std::unordered_map<std::string, std::size_t> by_key;
    const Graph& graph = *profile_.tree.graph;
    for (const Node& node : graph.main.nodes) {
      const auto part = loaded_.part_of[node.id];
      if (!part) continue;
      const std::string& key = loaded_.parts[*part].key;
      const auto [entry, added] = by_key.try_emplace(key, profile_.operators.size());
      if (added) profile_.operators.emplace_back().key = key;
      if (added && !is_wanted(node.op)) unwanted_.insert(key);
      profile_.operators[entry->second].nodes.push_back(node.id);
    }
  }

  [[nodiscard]] bool is_wanted(std::string_view type) const {
    const auto has = [&](const std::vector<std::string>& types) {
      return std::find(types.begin(), types.end(), type) != types.end();
    };
    return (options_.only_types.empty() || has(options_.only_types)) &&
           !has(options_.without_types);
  }

  void measure_whole() {
    progress_("the whole model", 0, 1);
    whole_.measure(plan_->whole());
    if (const std::string caller = engine_.caller(); !caller.empty()) {
      progress_("the operators in order", 0, 1);
      whole_.measure_program(caller, plan_->whole());
    }
  }

  void finish_whole() {
    scale_in_place_times();
    profile_.whole = whole_.take_measured();
    profile_.latencies_s = whole_.take_latencies();
    profile_.caller = whole_.take_caller();
    if (profile_.caller && !profile_.caller->shares.empty() && !is_told_apart(*profile_.caller)) {
      profile_.tree.notes.push_back(
          fmt::format("{} cannot be told from the operators: one after the other these take longer "
                      "than inside the model, which calls them in another way",
                      profile_.caller->name));
    }
    for (std::string& note : whole_.take_notes()) profile_.tree.notes.push_back(std::move(note));
  }

  /// Times of kernels inside the model tell which operators matter, before any is cut out.
  void measure_in_place() {
    engines::WatchedRuns watched;
    try {
      watched = engine_.watch(watched_runs());
    } catch (const engines::EngineLost& lost) {
      profile_.tree.notes.push_back(
          fmt::format("kernels were not timed in place: {}", lost.what()));
      whole_.forget();
      return;
    }
    take_timeline(watched);
    take_in_place_times(watched);
    std::sort(profile_.operators.begin(), profile_.operators.end(),
              [this](const UniqueOperator& a, const UniqueOperator& b) {
                return expected_time(a) > expected_time(b);
              });
  }

  [[nodiscard]] int watched_runs() const {
    const double runs = kWatchedS / std::max(whole_.seconds(), 1e-9);
    return static_cast<int>(std::clamp<double>(runs, kLeastWatchedRuns, kWatchedRuns));
  }

  void take_timeline(const engines::WatchedRuns& watched) {
    std::vector<std::optional<NodeId>> nodes(loaded_.parts.size());
    for (const UniqueOperator& unique : profile_.operators)
      for (const NodeId node : unique.nodes) nodes[part_of(node)] = node;
    for (const engines::WatchedRuns::Kernel& kernel : watched.last_run) {
      profile_.timeline.push_back({kernel.name, kernel.begin, kernel.duration, kernel.op,
                                   kernel.part ? nodes[*kernel.part] : std::nullopt});
    }
  }

  void take_in_place_times(const engines::WatchedRuns& watched) {
    double sum = 0;
    std::vector<double> totals;
    for (UniqueOperator& unique : profile_.operators) {
      double total = 0;
      double known = 0;
      for (const NodeId node : unique.nodes) {
        const auto& time = watched.medians[part_of(node)];
        if (!time) continue;
        const double runs = runs_of(profile_.tree, node);
        known += runs;
        total += time->count() * runs;
      }
      sum += total;
      totals.push_back(total);
      if (known > 0) unique.in_place_s = total / known;
    }
    for (UniqueOperator& unique : profile_.operators) unique.expected_s = unique.in_place_s;
    std::string note = forget_unresolved(watched.clock_step.count(), totals, profile_.operators);
    if (!note.empty()) profile_.tree.notes.push_back(std::move(note));
    if (sum <= 0) return;
    in_place_sum_s_ = sum;
    scale_in_place_times();
  }

  /// All together are the whole, as far as that is known by now.
  void scale_in_place_times() {
    if (in_place_sum_s_ <= 0) return;
    const double all = whole_.seconds_of_program();
    for (UniqueOperator& unique : profile_.operators) {
      for (std::optional<double>* time : {&unique.in_place_s, &unique.expected_s})
        if (*time) **time *= all / in_place_sum_s_;
    }
    in_place_sum_s_ = all;
  }

  /// Of a node of a unique operator, which all have one.
  [[nodiscard]] std::size_t part_of(NodeId node) const { return *loaded_.part_of[node]; }

  [[nodiscard]] double expected_time(const UniqueOperator& unique) const {
    return unique.expected_s.value_or(0) * runs_of(profile_.tree, unique);
  }

  /// One half of the time for operators goes to all alike, the other one to those that take long.
  [[nodiscard]] double weight_of(const UniqueOperator& unique) const {
    return 1 / static_cast<double>(profile_.operators.size()) +
           expected_time(unique) / std::max(whole_.seconds(), 1e-9);
  }

  void measure_operators() {
    const std::vector<ReusablePart> parts = reuse_.operators(profile_, loaded_, *workloads_);
    reuse_.take(parts, wanted());
    profile_.insufficient_kinds = reuse_.insufficient_operators();
    const auto begin = clock_.now();
    std::vector<PartToMeasure> all;
    for (UniqueOperator& unique : profile_.operators) {
      if (unique.is_reused() || unwanted_.contains(unique.key)) continue;
      all.push_back({weight_of(unique), &unique.measured,
                     [&](Duration time) { return measure_operator(unique, plan_->part(time)); }});
    }
    // Others may have come since the whole was measured.
    look();
    measure_in_rounds("operators", all,
                      rules([this] { return plan_->left_for_operators(clock_.now()); }));
    add_all_energy();
    for (UniqueOperator& unique : profile_.operators)
      unique.out_of_time = !unique.measured && !unwanted_.contains(unique.key) && !target_reached();
    const auto measured = std::count_if(
        all.begin(), all.end(), [](const PartToMeasure& one) { return one.measured->has_value(); });
    budget_for_all_ =
        plan_->budget_for_all({begin - plan_->begin(), clock_.now() - begin, share_measured(),
                               all.size(), static_cast<std::size_t>(measured)});
    keep(parts);
  }

  [[nodiscard]] WantedPart wanted() const {
    WantedPart wanted;
    wanted.precision = options_.precision;
    wanted.least = plan_->least();
    wanted.above_idle = profile_.idle.has_value();
    if (whole_.energy()) wanted.summed = whole_.energy()->summed;
    return wanted;
  }

  void keep(const std::vector<ReusablePart>& parts) {
    const std::string failure = reuse_.keep(parts, whole_.speed());
    if (!failure.empty())
      profile_.tree.notes.push_back(fmt::format("new measurements were not kept: {}", failure));
  }

  /// Of the time that all operators deserve that are not known.
  [[nodiscard]] double share_measured() const {
    double all = 0;
    double measured = 0;
    for (const UniqueOperator& unique : profile_.operators) {
      if (unique.is_reused()) continue;
      all += weight_of(unique);
      if (unique.measured) measured += weight_of(unique);
    }
    return all > 0 ? measured / all : 0;
  }

  void look() { plan_->took(Duration(0), whole_.look()); }

  [[nodiscard]] RoundRules rules(std::function<Duration()> time_left) {
    RoundRules rules;
    rules.time_left = std::move(time_left);
    rules.is_enough = [this] { return target_reached(); };
    rules.look = [this] { look(); };
    rules.speed = [this] { return whole_.speed(); };
    rules.keep = [this](Measured& kept) { add_energy_later(kept); };
    rules.miss = [this](const std::string& failure) {
      profile_.tree.notes.push_back(fmt::format("a part could not be measured again: {}", failure));
    };
    rules.progress = progress_;
    return rules;
  }

  void add_energy_later(Measured& measured) {
    if (std::find(without_energy_.begin(), without_energy_.end(), &measured) ==
        without_energy_.end())
      without_energy_.push_back(&measured);
    add_settled_energy();
  }

  /// Of workloads that ended long enough ago, so that nobody waits.
  void add_settled_energy() {
    while (!without_energy_.empty() && meter_.is_settled(*without_energy_.front())) {
      meter_.add_energy(*without_energy_.front());
      without_energy_.pop_front();
    }
  }

  void add_all_energy() {
    for (Measured* measured : without_energy_) meter_.add_energy(*measured);
    without_energy_.clear();
  }

  Measured measure_operator(const UniqueOperator& unique, const TrialPlan& plan) {
    std::vector<engines::PartNodes> places;
    for (const NodeId node : unique.nodes) places.push_back({part_of(node)});
    return measure_part(places, unique.expected_s.value_or(kUsualCallS), plan);
  }

  Measured measure_part(const std::vector<engines::PartNodes>& places, double seconds,
                        const TrialPlan& plan) {
    try {
      return measure(workloads_->make(places, seconds, plan), plan);
    } catch (const Error& error) {
      Measured measured;
      measured.failure = error.what();
      return measured;
    }
  }

  Measured measure(const Workload& workload, const TrialPlan& plan) {
    const auto begin = clock_.now();
    Measured measured = meter_.measure(workload, plan);
    plan_->took(measured.trials.end - measured.trials.begin, clock_.now() - begin);
    // A worker that was lost took the prepared model with it.
    if (!measured.good()) whole_.forget();
    return measured;
  }

  [[nodiscard]] bool target_reached() const {
    if (!options_.target) return false;
    double sum = 0;
    for (const UniqueOperator& unique : profile_.operators) {
      if (unique.measured && unique.measured->good())
        sum += unique.measured->seconds() * runs_of(profile_.tree, unique);
    }
    const double caller = whole_.seconds() - whole_.seconds_of_program();
    return sum + caller >= *options_.target * whole_.seconds();
  }

  /// Modules of the same operators are measured once.
  void measure_modules() {
    const auto key_of = [&](std::size_t part) { return loaded_.parts[part].key; };
    std::vector<UniqueModule> unique = unique_modules(
        profile_.tree.root, [&](const Node& node) { return loaded_.part_of[node.id]; }, key_of);
    // What stands for many iterations would run only once.
    unique.erase(std::remove_if(unique.begin(), unique.end(),
                                [&](const UniqueModule& one) {
                                  return holds_loops(profile_.tree, *one.modules[0]);
                                }),
                 unique.end());
    take_single_operators(profile_.operators, key_of, unique);
    const std::vector<ReusablePart> parts =
        reuse_.modules(unique, *workloads_, !engine_.caller().empty());
    reuse_.take(parts, wanted());
    const std::vector<double> seconds = seconds_of_parts();
    std::vector<PartToMeasure> all;
    all.reserve(unique.size());
    for (UniqueModule& one : unique) {
      if (!one.is_measured_apart() || one.measured) continue;
      double expected = 0;
      for (const std::size_t part : one.places[0]) expected += seconds[part];
      all.push_back({1, &one.measured, [this, &one, expected](Duration time) {
                       return measure_part(one.places, expected, plan_->part(time));
                     }});
    }
    measure_in_rounds("modules", all,
                      rules([this] { return plan_->left_for_modules(clock_.now()); }));
    add_all_energy();
    keep(parts);
    for (const UniqueModule& one : unique) {
      if (!one.measured) continue;
      for (const TreeNode* module : one.modules) profile_.modules[module->scope] = *one.measured;
    }
  }

  /// Roughly, of every node in the file.
  [[nodiscard]] std::vector<double> seconds_of_parts() const {
    std::vector<double> seconds(loaded_.parts.size(), 0);
    for (const UniqueOperator& unique : profile_.operators) {
      const bool alone = unique.measured && unique.measured->good();
      const double each =
          unique.expected_s.value_or(alone ? unique.measured->seconds() : kUsualCallS);
      for (const NodeId node : unique.nodes) seconds[part_of(node)] = each;
    }
    return seconds;
  }

  engines::Engine& engine_;
  const engines::ModelToLoad& model_;
  const ProfileOptions& options_;
  EnergySource& energy_;
  const ProfileProgress& progress_;
  const Clock& clock_;
  WorkloadMeter meter_;
  engines::LoadedModel loaded_;  ///< Without its tree, which is the profile's.
  std::optional<TimePlan> plan_;
  std::optional<PartWorkloads> workloads_;
  Duration budget_for_all_{};
  double in_place_sum_s_ = 0;  ///< Of the times in place as they are now.
  std::deque<Measured*> without_energy_;
  std::set<std::string> unwanted_;  ///< Keys of operators that nobody wants to be measured.
  OthersWatch others_;
  PartReuse reuse_;
  WholeModel whole_;
  Profile profile_;
};

}  // namespace

Profile profile_model(engines::Engine& engine, const engines::ModelToLoad& model,
                      const ProfileOptions& options, EnergySource& energy,
                      const ProfileProgress& progress, const Clock& clock) {
  return Profiler(engine, model, options, energy, progress, clock).run();
}

}  // namespace jouletree::measure
