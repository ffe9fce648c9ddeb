#include "measure/profile.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include <fmt/format.h>

#include "measure/data/fitting_sizes.hpp"
#include "measure/data/input_files.hpp"
#include "measure/data/input_ranges.hpp"
#include "measure/engine_graph.hpp"
#include "measure/ledger.hpp"
#include "measure/opened_bodies.hpp"
#include "measure/original_scopes.hpp"
#include "measure/part_workloads.hpp"
#include "measure/profile_environment.hpp"
#include "measure/rounds.hpp"
#include "measure/runs_of.hpp"
#include "measure/scratch_file.hpp"
#include "measure/time_plan.hpp"
#include "measure/unique_modules.hpp"
#include "measure/whole_model.hpp"
#include "measure/workload_meter.hpp"
#include "model/named_constants.hpp"
#include "model/onnx/inlined_data.hpp"
#include "tree/counted_tree.hpp"

namespace jouletree {
namespace {

using Duration = std::chrono::duration<double>;

constexpr int kWatchedRuns = 7;
/// Of an operator that was not seen inside the model.
constexpr double kUsualCallS = 1e-4;

/// Weights above this do not fit into a model file together with the rest.
constexpr std::int64_t kLargeModel = std::int64_t{1} << 30U;

Duration slowest_update(const Session& session) {
  Duration slowest(0.01);
  for (const MeterInfo& meter : session.meters())
    slowest = std::max(slowest, Duration(meter.update_period));
  return slowest;
}

class Profiler {
 public:
  Profiler(const std::filesystem::path& model, const InputSettings& inputs,
           const ProfileOptions& options, Session& session, const ProfileProgress& progress)
      : model_(model),
        inputs_(inputs),
        options_(options),
        session_(session),
        progress_(progress),
        worker_(options.engine),
        meter_(worker_, session, options.gpus, options.root),
        whole_(meter_, model, options.level) {
    profile_.engine = "ONNX Runtime " + worker_.version();
    profile_.precision = options.precision;
    profile_.begin = Time(std::chrono::steady_clock::now().time_since_epoch());
    profile_.environment = environment_of(model_, options_, session_, profile_.engine);
  }

  Profile run() {
    try {
      load();
    } catch (const runtime::WorkerLost& lost) {
      throw Error(ErrorKind::BadInput, fmt::format("{}: ONNX Runtime could not load the model: {}",
                                                   model_.string(), lost.what()));
    }
    measure_idle();
    plan_.emplace(options_.precision, slowest_update(session_), options_.budget,
                  options_.modules && !options_.target, TimePlan::Clock::now());
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
    if (const SamplerCost cost = session_.cost(); cost.elapsed.count() > 0)
      profile_.own_share = Duration(cost.cpu_time) / Duration(cost.elapsed);
    profile_.end = Time(std::chrono::steady_clock::now().time_since_epoch());
    return std::move(profile_);
  }

 private:
  [[nodiscard]] std::filesystem::path scratch(const std::string& name) const {
    return options_.scratch / name;
  }

  /// Lets the engine write the graph that it runs, and runs that once to know all values.
  void load() {
    progress_("loading", 0, 1);
    Graph original = read_onnx(model_);
    fold_named_constants(original);
    const InputFiles files = open_input_files(options_.data, original, inputs_, options_.scratch);
    Inference inference = infer(original, inputs_);
    const auto optimised = scratch("optimised.onnx");
    runtime::OptimiseRequest request{std::filesystem::absolute(model_), options_.level, optimised,
                                     ""};
    std::int64_t bytes = original.file_bytes;
    for (const auto& [file, size] : original.external_files) bytes += size;
    if (bytes > kLargeModel) request.data_file = "optimised.data";
    worker_.optimise(request);
    // The engine leaves small weights in the data files of the model, and others in its own.
    if (const auto inlined = onnx::with_inlined_data(optimised, model_.parent_path()))
      write_file(optimised, *inlined);
    OpenedBodies bodies;
    runtime::SeenValues recorded;
    inference = fitting_sizes(original, inputs_, std::move(inference), [&](const Inference& sizes) {
      worker_.fill(input_tensors(original, sizes, inputs_, files), options_.seed);
      engine_graph_.reset();
      bodies = open_bodies(worker_, optimised, options_.scratch);
      engine_graph_.emplace(bodies.model);
      write_file(scratch("all.onnx"), parts().whole(onnx::ModelParts::Outputs::Every));
      recorded = worker_.record_for_good(scratch("all.onnx"));
    });
    engine_graph_->take_recorded(recorded);
    write_watched_model(optimised, bodies);
    workloads_.emplace(*engine_graph_, options_.cache, profile_.environment, options_.scratch);
    auto graph = std::make_shared<Graph>(read_onnx(bodies.model));
    graph->path = model_;
    remove_nodes_aside(bodies, engine_graph_->types(), *graph);
    std::vector<std::string> notes = take_bodies(original, bodies, inference);
    take_original_scopes(original, inference, *graph);
    profile_.tree = counted_tree(graph, with_runs_of_loops(infer(*graph, inputs_), bodies, *graph));
    profile_.tree.inference.inputs = std::move(inference.inputs);
    for (std::string& note : inference.size_notes) notes.push_back(std::move(note));
    add_notes(std::move(notes));
  }

  /// The model as it is, with names by which its kernels are known again: positions, or the stored
  /// names where the nodes of bodies stand elsewhere in the flat model.
  void write_watched_model(const std::filesystem::path& optimised, const OpenedBodies& bodies) {
    using Names = onnx::ModelParts::NodeNames;
    constexpr auto kDeclared = onnx::ModelParts::Outputs::Declared;
    if (!bodies.any()) {
      write_file(scratch("run.onnx"), parts().whole(kDeclared, Names::Positions));
      return;
    }
    write_file(scratch("run.onnx"), EngineGraph(optimised).parts().whole(kDeclared));
    for (std::size_t part = 0; part < parts().nodes().size(); ++part)
      part_of_name_.emplace(parts().nodes()[part].name, part);
  }

  [[nodiscard]] std::optional<std::size_t> part_of_kernel(const std::string& name) const {
    if (const auto part = parts().position_of(name)) return part;
    const auto found = part_of_name_.find(name);
    return found == part_of_name_.end() ? std::nullopt : std::optional(found->second);
  }

  /// In front, each once.
  void add_notes(std::vector<std::string> added) {
    std::vector<std::string>& notes = profile_.tree.notes;
    for (std::string& note : notes) {
      if (std::find(added.begin(), added.end(), note) == added.end())
        added.push_back(std::move(note));
    }
    notes = std::move(added);
  }

  void measure_idle() {
    if (options_.baseline.count() <= 0) return;
    progress_("idle power", 0, 1);
    profile_.idle = session_.measure_baseline(
        std::chrono::duration_cast<std::chrono::nanoseconds>(options_.baseline));
  }

  [[nodiscard]] const onnx::ModelParts& parts() const { return engine_graph_->parts(); }

  void find_operators() {
    std::unordered_map<std::string, std::size_t> by_key;
    const Graph& graph = *profile_.tree.graph;
    part_of_.assign(graph.node_count, 0);
    for (const Node& node : graph.main.nodes) {
      const auto part = engine_graph_->part_of(graph, node);
      if (!part) continue;
      part_of_[node.id] = *part;
      std::string key = engine_graph_->key_of(*part);
      const auto [entry, added] = by_key.try_emplace(key, profile_.operators.size());
      if (added) profile_.operators.emplace_back().key = std::move(key);
      profile_.operators[entry->second].nodes.push_back(node.id);
    }
  }

  void measure_whole() {
    progress_("the whole model", 0, 1);
    whole_.measure(plan_->whole());
    profile_.latencies_s = whole_.take_latencies();
  }

  void finish_whole() {
    profile_.whole = whole_.take_measured();
    for (std::string& note : whole_.take_notes()) profile_.tree.notes.push_back(std::move(note));
  }

  /// Times of kernels inside the model tell which operators matter, before any is cut out.
  void measure_in_place() {
    runtime::KernelTimes times;
    try {
      times = worker_.kernels(scratch("run.onnx"), kWatchedRuns, options_.scratch);
    } catch (const runtime::WorkerLost& lost) {
      profile_.tree.notes.push_back(
          fmt::format("kernels were not timed in place: {}", lost.what()));
      whole_.forget();
      return;
    }
    take_timeline(times);
    take_in_place_times(times);
    std::sort(profile_.operators.begin(), profile_.operators.end(),
              [this](const UniqueOperator& a, const UniqueOperator& b) {
                return expected_time(a) > expected_time(b);
              });
  }

  void take_timeline(const runtime::KernelTimes& times) {
    std::vector<std::optional<NodeId>> nodes(parts().nodes().size());
    for (const UniqueOperator& unique : profile_.operators)
      for (const NodeId node : unique.nodes) nodes[part_of_[node]] = node;
    for (const runtime::KernelTimes::Slice& slice : times.last_run) {
      KernelSlice kernel{slice.node, slice.begin, slice.duration, slice.op, std::nullopt};
      if (const auto part = part_of_kernel(kernel.name)) {
        kernel.name = parts().nodes()[*part].name;
        kernel.node = nodes[*part];
      }
      if (kernel.name.empty()) kernel.name = kernel.op;
      profile_.timeline.push_back(std::move(kernel));
    }
  }

  void take_in_place_times(const runtime::KernelTimes& times) {
    double sum = 0;
    std::vector<std::optional<double>> by_part(parts().nodes().size());
    for (const auto& [name, spent] : times.medians)
      if (const auto part = part_of_kernel(name)) by_part[*part] = Duration(spent).count();
    for (UniqueOperator& unique : profile_.operators) {
      double total = 0;
      double known = 0;
      for (const NodeId node : unique.nodes) {
        const auto& time = by_part[part_of_[node]];
        if (!time) continue;
        const double runs = runs_of(profile_.tree, node);
        known += runs;
        total += *time * runs;
      }
      sum += total;
      if (known > 0) unique.in_place_s = total / known;
    }
    if (sum <= 0) return;
    for (UniqueOperator& unique : profile_.operators)
      if (unique.in_place_s) *unique.in_place_s *= whole_.seconds() / sum;
  }

  [[nodiscard]] double expected_time(const UniqueOperator& unique) const {
    return unique.in_place_s.value_or(0) * runs_of(profile_.tree, unique);
  }

  /// One half of the time for operators goes to all alike, the other one to those that take long.
  [[nodiscard]] double weight_of(const UniqueOperator& unique) const {
    return 1 / static_cast<double>(profile_.operators.size()) +
           expected_time(unique) / std::max(whole_.seconds(), 1e-9);
  }

  void measure_operators() {
    const auto begin = TimePlan::Clock::now();
    std::vector<PartToMeasure> all;
    for (UniqueOperator& unique : profile_.operators) {
      all.push_back({weight_of(unique), &unique.measured,
                     [&](Duration time) { return measure_operator(unique, plan_->part(time)); }});
    }
    measure_in_rounds("operators", all,
                      rules([this] { return plan_->left_for_operators(TimePlan::Clock::now()); }));
    add_all_energy();
    for (UniqueOperator& unique : profile_.operators)
      unique.out_of_time = !unique.measured && !target_reached();
    budget_for_all_ = plan_->budget_for_all({begin - plan_->begin(), TimePlan::Clock::now() - begin,
                                             share_measured(), profile_.operators.size()});
  }

  /// Of the time that all operators deserve.
  [[nodiscard]] double share_measured() const {
    double all = 0;
    double measured = 0;
    for (const UniqueOperator& unique : profile_.operators) {
      all += weight_of(unique);
      if (unique.measured) measured += weight_of(unique);
    }
    return all > 0 ? measured / all : 0;
  }

  [[nodiscard]] RoundRules rules(std::function<Duration()> time_left) {
    RoundRules rules;
    rules.time_left = std::move(time_left);
    rules.is_enough = [this] { return target_reached(); };
    rules.look = [this] { plan_->took(Duration(0), whole_.look()); };
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
    std::vector<PartNodes> places;
    for (const NodeId node : unique.nodes) places.push_back({part_of_[node]});
    return measure_part(places, unique.in_place_s.value_or(kUsualCallS), plan);
  }

  Measured measure_part(const std::vector<PartNodes>& places, double seconds,
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
    const auto begin = TimePlan::Clock::now();
    Measured measured = meter_.measure(workload, plan);
    plan_->took(measured.trials.end - measured.trials.begin, TimePlan::Clock::now() - begin);
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
    return sum >= *options_.target * whole_.seconds();
  }

  /// Modules of the same operators are measured once.
  void measure_modules() {
    const auto key_of = [&](std::size_t part) { return engine_graph_->key_of(part); };
    std::vector<UniqueModule> unique = unique_modules(
        profile_.tree.root,
        [&](const Node& node) { return engine_graph_->part_of(*profile_.tree.graph, node); },
        key_of);
    // What stands for many iterations would run only once.
    unique.erase(std::remove_if(unique.begin(), unique.end(),
                                [&](const UniqueModule& one) {
                                  return holds_loops(profile_.tree, *one.modules[0]);
                                }),
                 unique.end());
    take_single_operators(profile_.operators, key_of, unique);
    const std::vector<double> seconds = seconds_of_parts();
    std::vector<PartToMeasure> all;
    all.reserve(unique.size());
    for (UniqueModule& one : unique) {
      if (one.is_one_operator() || one.places[0].empty()) continue;
      double expected = 0;
      for (const std::size_t part : one.places[0]) expected += seconds[part];
      all.push_back({1, &one.measured, [this, &one, expected](Duration time) {
                       return measure_part(one.places, expected, plan_->part(time));
                     }});
    }
    measure_in_rounds("modules", all,
                      rules([this] { return plan_->left_for_modules(TimePlan::Clock::now()); }));
    add_all_energy();
    for (const UniqueModule& one : unique) {
      if (!one.measured) continue;
      for (const TreeNode* module : one.modules) profile_.modules[module->scope] = *one.measured;
    }
  }

  /// Roughly, of every node in the file.
  [[nodiscard]] std::vector<double> seconds_of_parts() const {
    std::vector<double> seconds(parts().nodes().size(), 0);
    for (const UniqueOperator& unique : profile_.operators) {
      const bool alone = unique.measured && unique.measured->good();
      const double each =
          unique.in_place_s.value_or(alone ? unique.measured->seconds() : kUsualCallS);
      for (const NodeId node : unique.nodes) seconds[part_of_[node]] = each;
    }
    return seconds;
  }

  const std::filesystem::path& model_;
  InputSettings inputs_;  ///< With the shapes of data files.
  const ProfileOptions& options_;
  Session& session_;
  const ProfileProgress& progress_;
  runtime::OnnxRuntimeWorker worker_;
  WorkloadMeter meter_;
  std::optional<TimePlan> plan_;
  std::optional<EngineGraph> engine_graph_;
  std::optional<PartWorkloads> workloads_;
  std::vector<std::size_t> part_of_;  ///< Position in the file by NodeId.
  /// Of the flat model; empty where kernels are known by their positions.
  std::unordered_map<std::string, std::size_t> part_of_name_;
  Duration budget_for_all_{};
  std::deque<Measured*> without_energy_;
  WholeModel whole_;
  Profile profile_;
};

}  // namespace

std::optional<double> Measured::joules() const {
  if (!energy || !energy->gross || trials.runs == 0) return std::nullopt;
  // Between the windows of a series the worker waits for a moment: power times time of the runs.
  const Duration span = trials.end - trials.begin;
  // Nothing takes no energy: a meter that saw none was asked for too short a time.
  if (span.count() <= 0 || energy->gross->value.value() <= 0) return std::nullopt;
  return energy->gross->value.value() / span.count() * seconds();
}

std::vector<const UniqueOperator*> Profile::by_node() const {
  std::vector<const UniqueOperator*> nodes(tree.graph->node_count, nullptr);
  for (const UniqueOperator& unique : operators)
    for (const NodeId node : unique.nodes) nodes[node] = &unique;
  return nodes;
}

std::string_view name_of(CacheMode mode) {
  switch (mode) {
    case CacheMode::Hot: return "hot";
    case CacheMode::Model: return "model";
    case CacheMode::Cold: return "cold";
  }
  return "?";
}

Profile profile_model(const std::filesystem::path& model, const InputSettings& inputs,
                      const ProfileOptions& options, Session& session,
                      const ProfileProgress& progress) {
  return Profiler(model, inputs, options, session, progress).run();
}

}  // namespace jouletree
