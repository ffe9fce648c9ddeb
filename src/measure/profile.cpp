#include "measure/profile.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "measure/engine_client.hpp"
#include "measure/input_files.hpp"
#include "measure/input_ranges.hpp"
#include "measure/original_scopes.hpp"
#include "model/onnx/model_parts.hpp"

namespace jouletree {
namespace {

using Json = nlohmann::json;
using Duration = std::chrono::duration<double>;

constexpr std::chrono::minutes kTimeToLoad{10};
constexpr std::chrono::minutes kTimeForAWindow{5};
/// So long should one run of a cut-out model last: far longer than the call of the engine takes.
constexpr double kLongRunS = 4e-4;
constexpr int kMostCopies = 64;

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) throw Error(ErrorKind::Failed, fmt::format("cannot write {}", path.string()));
}

Time time_at(const Json& nanoseconds) {
  return Time(std::chrono::nanoseconds(nanoseconds.get<std::int64_t>()));
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
        client_(options.engine) {}

  Profile run() {
    load();
    find_operators();
    measure_whole();
    measure_in_place();
    measure_operators();
    measure_modules();
    balance();
    profile_.engine = "ONNX Runtime " + client_.version();
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
    const InputFiles files = open_input_files(options_.data, original, inputs_, options_.scratch);
    const Inference inference = infer(original, inputs_);
    const auto optimised = scratch("optimised.onnx");
    client_.ask({{"do", "optimise"},
                 {"model", std::filesystem::absolute(model_).string()},
                 {"level", options_.level},
                 {"optimised", optimised.string()}},
                kTimeToLoad);
    client_.ask_for_good({{"do", "fill"},
                          {"inputs", input_descriptions(original, inference, inputs_, files)},
                          {"seed", options_.seed}},
                         kTimeToLoad);
    file_ = std::make_unique<MappedFile>(optimised);
    parts_.emplace(file_->bytes());
    using Outputs = onnx::ModelParts::Outputs;
    write_file(scratch("all.onnx"), parts_->whole(Outputs::Every));
    write_file(scratch("run.onnx"), parts_->whole(Outputs::Declared));
    const Json recorded = client_.ask_for_good(
        {{"do", "record"}, {"model", scratch("all.onnx").string()}}, kTimeToLoad);
    for (const auto& [name, value] : recorded.at("values").items()) {
      ValueType type;
      type.type = data_type_from_number(value.at("type").get<std::int64_t>());
      if (!value.at("dims").is_null()) type.dims = value.at("dims").get<Dims>();
      types_[name] = std::move(type);
    }
    auto graph = std::make_shared<Graph>(read_onnx(optimised));
    graph->path = model_;
    take_original_scopes(original, *graph);
    profile_.tree = build_tree(graph, inputs_);
  }

  /// All that the cost of a node depends on, as text.
  [[nodiscard]] std::string key_of(const onnx::ModelParts::Part& part) const {
    std::string key = fmt::format("{}:{}", part.domain, part.op);
    for (const std::string_view name : part.inputs) {
      if (parts_->is_weight(name)) {
        key += fmt::format(" w:{}", weight_type(name));
      } else if (const auto type = types_.find(name); type != types_.end()) {
        key += fmt::format(" {}:{}", name_of(type->second.type),
                           type->second.dims ? to_string(*type->second.dims) : "?");
      } else {
        key += " -";
      }
    }
    key += fmt::format(" #{:x}", std::hash<std::string>()(part.attributes));
    return key;
  }

  [[nodiscard]] std::string weight_type(std::string_view name) const {
    for (const GraphValue& value : profile_.tree.graph->values) {
      if (value.name == name && value.constant)
        return fmt::format("{}:{}", name_of(value.constant->type), to_string(value.constant->dims));
    }
    return "?";
  }

  void find_operators() {
    std::unordered_map<std::string_view, std::size_t> by_output;
    for (std::size_t i = 0; i < parts_->nodes().size(); ++i)
      for (const std::string_view output : parts_->nodes()[i].outputs)
        if (!output.empty()) by_output.emplace(output, i);
    std::unordered_map<std::string, std::size_t> by_key;
    const Graph& graph = *profile_.tree.graph;
    part_of_.assign(graph.node_count, 0);
    for (const Node& node : graph.main.nodes) {
      const auto output = std::find_if(node.outputs.begin(), node.outputs.end(),
                                       [](ValueId id) { return id != kNoValue; });
      if (output == node.outputs.end()) continue;
      const auto part = by_output.find(graph.values[*output].name);
      if (part == by_output.end()) continue;
      part_of_[node.id] = part->second;
      std::string key = key_of(parts_->nodes()[part->second]);
      const auto [entry, added] = by_key.try_emplace(key, profile_.operators.size());
      if (added) profile_.operators.push_back({std::move(key), {}, 1, {}, {}});
      profile_.operators[entry->second].nodes.push_back(node.id);
    }
  }

  [[nodiscard]] Window ask_window(std::int64_t runs) {
    const Json answer = client_.ask({{"do", "window"}, {"runs", runs}}, kTimeForAWindow);
    return {time_at(answer.at("begin_ns")), time_at(answer.at("end_ns")), runs};
  }

  /// `copies` runs of the workload are in one run of the model.
  Measured measure(const std::filesystem::path& model, const std::string& level, int copies,
                   const TrialPlan& plan) {
    Measured measured;
    try {
      const Json prepared = client_.ask(
          {{"do", "prepare"}, {"model", model.string()}, {"level", level}}, kTimeToLoad);
      const Duration run_time(prepared.at("run_ns").get<double>() * 1e-9);
      measured.trials =
          run_trials(plan, run_time, [&](std::int64_t runs) { return ask_window(runs); });
      for (double& seconds : measured.trials.seconds) seconds /= copies;
      measured.trials.time = summarize(measured.trials.seconds);
      measured.trials.runs *= copies;
      measured.energy = session_.between(measured.trials.begin, measured.trials.end).total;
    } catch (const WorkerLost& lost) {
      measured.failure = lost.what();
    } catch (const Error& error) {
      measured.failure = error.what();
    }
    return measured;
  }

  [[nodiscard]] TrialPlan plan_for(double share) const {
    TrialPlan plan;
    plan.precision = options_.precision;
    Duration slowest(0.01);
    for (const MeterInfo& meter : session_.meters())
      slowest = std::max(slowest, Duration(meter.update_period));
    plan.least = 50 * slowest;
    plan.most = std::max(Duration(3), 2 * plan.least);
    if (options_.budget) {
      plan.most = std::max(Duration(0.05), *options_.budget * share);
      plan.least = std::min(plan.least, plan.most);
    }
    return plan;
  }

  void measure_whole() {
    progress_("the whole model", 0, 1);
    TrialPlan plan = plan_for(0.15);
    if (!options_.budget) plan.most = Duration(10);
    profile_.whole = measure(std::filesystem::absolute(model_), options_.level, 1, plan);
    if (!profile_.whole.good())
      throw Error(ErrorKind::BadInput, fmt::format("{}: ONNX Runtime could not run the model: {}",
                                                   model_.string(), profile_.whole.failure));
    const double seconds = profile_.whole.seconds();
    const auto runs = static_cast<std::int64_t>(
        std::clamp(plan.least.count() / std::max(seconds, 1e-6), 10.0, 2000.0));
    const Json each =
        client_.ask({{"do", "window"}, {"runs", runs}, {"each", true}}, kTimeForAWindow);
    for (const Json& nanoseconds : each.at("each_ns"))
      profile_.latencies_s.push_back(nanoseconds.get<double>() * 1e-9);
    std::sort(profile_.latencies_s.begin(), profile_.latencies_s.end());
  }

  /// Times of kernels inside the model tell which operators matter, before any is cut out.
  void measure_in_place() {
    const Json answer = client_.ask({{"do", "kernels"},
                                     {"model", scratch("run.onnx").string()},
                                     {"runs", 5},
                                     {"folder", options_.scratch.string()}},
                                    kTimeForAWindow);
    const Json& kernels = answer.at("kernels");
    double sum = 0;
    std::vector<std::optional<double>> by_part(parts_->nodes().size());
    for (std::size_t i = 0; i < by_part.size(); ++i) {
      const auto found = kernels.find(std::string(part_name(i)));
      if (found == kernels.end()) continue;
      by_part[i] = found->get<double>() * 1e-9;
      sum += *by_part[i];
    }
    const double scale = sum > 0 ? profile_.whole.seconds() / sum : 1;
    for (UniqueOperator& unique : profile_.operators) {
      double total = 0;
      bool known = false;
      for (const NodeId node : unique.nodes) {
        const auto& time = by_part[part_of_[node]];
        if (!time) continue;
        known = true;
        total += *time;
      }
      if (known) unique.in_place_s = total * scale / static_cast<double>(unique.nodes.size());
    }
    std::sort(profile_.operators.begin(), profile_.operators.end(),
              [](const UniqueOperator& a, const UniqueOperator& b) {
                return expected_time(a) > expected_time(b);
              });
  }

  static double expected_time(const UniqueOperator& unique) {
    return unique.in_place_s.value_or(0) * static_cast<double>(unique.nodes.size());
  }

  [[nodiscard]] std::string_view part_name(std::size_t part) const {
    return parts_->nodes()[part].name;
  }

  void measure_operators() {
    std::size_t done = 0;
    for (UniqueOperator& unique : profile_.operators) {
      progress_("operators", done++, profile_.operators.size());
      if (target_reached()) return;
      measure_operator(unique);
    }
  }

  void measure_operator(UniqueOperator& unique) {
    const std::size_t part = part_of_[unique.nodes[0]];
    const double guess = unique.in_place_s.value_or(kLongRunS);
    unique.copies = std::clamp(static_cast<int>(kLongRunS / std::max(guess, 1e-7)), 1, kMostCopies);
    const auto file = scratch("operator.onnx");
    const double share =
        0.6 * std::max(0.02, expected_time(unique) / std::max(profile_.whole.seconds(), 1e-9));
    try {
      write_file(file, parts_->repeated(part, unique.copies, types_));
    } catch (const Error& error) {
      unique.measured.emplace().failure = error.what();
      return;
    }
    unique.measured = measure(file, "none", unique.copies, plan_for(share));
  }

  [[nodiscard]] bool target_reached() const {
    if (!options_.target) return false;
    double sum = 0;
    for (const UniqueOperator& unique : profile_.operators)
      if (unique.measured && unique.measured->good())
        sum += unique.measured->seconds() * static_cast<double>(unique.nodes.size());
    return sum >= *options_.target * profile_.whole.seconds();
  }

  void collect_nodes(const TreeNode& node, std::vector<std::size_t>& parts) const {
    if (node.operation != nullptr) parts.push_back(part_of_[node.operation->id]);
    for (const TreeNode& child : node.children) collect_nodes(child, parts);
  }

  void list_modules(const TreeNode& node, std::vector<const TreeNode*>& modules) const {
    for (const TreeNode& child : node.children) {
      if (child.kind != TreeNodeKind::Module || child.operation != nullptr) continue;
      modules.push_back(&child);
      list_modules(child, modules);
    }
  }

  /// Modules of the same operators are measured once.
  void measure_modules() {
    if (options_.target) return;
    std::vector<const TreeNode*> modules;
    list_modules(profile_.tree.root, modules);
    std::map<std::string, std::string> first_with_key;
    std::size_t done = 0;
    for (const TreeNode* module : modules) {
      progress_("modules", done++, modules.size());
      std::vector<std::size_t> parts;
      collect_nodes(*module, parts);
      std::string key;
      for (const std::size_t part : parts) key += key_of(parts_->nodes()[part]) + "\n";
      const auto [entry, added] = first_with_key.try_emplace(key, module->scope);
      if (!added) {
        profile_.modules[module->scope] = profile_.modules[entry->second];
        continue;
      }
      const auto file = scratch("module.onnx");
      try {
        write_file(file, parts_->cut_out(parts, types_));
      } catch (const Error& error) {
        profile_.modules[module->scope].failure = error.what();
        continue;
      }
      const double share = 0.25 / static_cast<double>(modules.size());
      profile_.modules[module->scope] = measure(file, "none", 1, plan_for(share));
    }
  }

  void balance() {
    Ledger& ledger = profile_.ledger;
    ledger.operators_j = 0;
    for (const UniqueOperator& unique : profile_.operators) {
      const auto count = static_cast<double>(unique.nodes.size());
      if (!unique.measured) {
        ledger.left_out += unique.nodes.size();
        continue;
      }
      if (!unique.measured->good()) {
        ledger.failed += unique.nodes.size();
        continue;
      }
      ledger.operators_s += unique.measured->seconds() * count;
      const auto joules = unique.measured->joules();
      if (joules && ledger.operators_j) {
        *ledger.operators_j += *joules * count;
      } else {
        ledger.operators_j.reset();
      }
    }
    ledger.attribution_time = ledger.operators_s / profile_.whole.seconds();
    const auto whole = profile_.whole.joules();
    if (whole && *whole > 0 && ledger.operators_j)
      ledger.attribution_energy = *ledger.operators_j / *whole;
  }

  const std::filesystem::path& model_;
  InputSettings inputs_;  ///< With the shapes of data files.
  const ProfileOptions& options_;
  Session& session_;
  const ProfileProgress& progress_;
  EngineClient client_;
  std::unique_ptr<MappedFile> file_;
  std::optional<onnx::ModelParts> parts_;
  onnx::CutInputs types_;
  std::vector<std::size_t> part_of_;  ///< Position in the file by NodeId.
  Profile profile_;
};

}  // namespace

std::optional<double> Measured::joules() const {
  if (!energy || !energy->gross || trials.runs == 0) return std::nullopt;
  // Between the windows of a series the worker waits for a moment: power times time of the runs.
  const Duration span = trials.end - trials.begin;
  if (span.count() <= 0) return std::nullopt;
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
