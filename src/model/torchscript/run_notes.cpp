#include "model/torchscript/run_notes.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "model/operators/table.hpp"
#include "model/reads.hpp"

namespace jouletree::model::torchscript {
namespace {

bool is_parameter(const GraphValue& value) {
  return value.stored_as == StoredAs::Parameter || value.stored_as == StoredAs::FrozenParameter;
}

std::vector<std::int64_t> count_reads(const Graph& graph) {
  std::vector<std::int64_t> reads(graph.values.size(), 0);
  for (const Node& node : graph.main.nodes) for_each_read(node, [&](ValueId id) { ++reads[id]; });
  for (const ValueId id : graph.main.outputs) ++reads[id];
  return reads;
}

/// The outermost module around `name` that holds none of the names in use.
std::string idle_module(const std::string& name, const std::set<std::string>& in_use) {
  for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
    const std::string prefix = name.substr(0, dot + 1);
    const auto next = in_use.lower_bound(prefix);
    const bool used = next != in_use.end() && next->rfind(prefix, 0) == 0;
    if (!used) return name.substr(0, dot);
  }
  return name;
}

/// `not_used` goes on with the sentence: "in this run".
void note_idle(const Graph& graph, const std::vector<std::int64_t>& reads,
               std::string_view not_used, std::vector<std::string>& notes) {
  std::set<std::string> in_use;
  for (std::size_t i = 0; i < graph.values.size(); ++i)
    if (is_parameter(graph.values[i]) && reads[i] > 0) in_use.emplace(graph.values[i].name);
  std::int64_t idle = 0;
  std::set<std::string> modules;
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    if (!is_parameter(graph.values[i]) || reads[i] > 0) continue;
    idle += graph.values[i].constant->elements().value_or(0);
    modules.insert(idle_module(std::string(graph.values[i].name), in_use));
  }
  if (idle == 0) return;
  constexpr std::size_t kNamed = 6;
  const std::size_t more = modules.size() > kNamed ? modules.size() - kNamed : 0;
  std::vector<std::string> named(
      modules.begin(),
      std::next(modules.begin(), static_cast<std::ptrdiff_t>(modules.size() - more)));
  notes.push_back(fmt::format("{} of the parameters are not used {}: {}{}", with_separators(idle),
                              not_used, fmt::join(named, ", "),
                              more > 0 ? fmt::format(" and {} more", more) : ""));
}

/// Exporters turn a convolution and the normalisation behind it into one convolution with a bias.
void note_foldable_norms(const Graph& graph, const std::vector<std::int64_t>& reads,
                         std::vector<std::string>& notes) {
  std::vector<const Node*> producer(graph.values.size(), nullptr);
  std::int64_t norms = 0;
  std::int64_t fewer = 0;
  for (const Node& node : graph.main.nodes) {
    for (const ValueId id : node.outputs) producer[id] = &node;
    const OperatorRow* const row = find_operator(node.domain, node.op);
    if (row == nullptr || row->constants.statistics == 0 || node.inputs.size() < 3) continue;
    const auto [x, scale, bias] = std::tuple(node.inputs[0], node.inputs[1], node.inputs[2]);
    if (x == kNoValue || scale == kNoValue || bias == kNoValue || reads[x] != 1) continue;
    const Node* before = producer[x];
    if (before == nullptr || facts_of(before->domain, before->op).work != WorkKind::Convolution)
      continue;
    const std::int64_t channels = graph.values[scale].declared.elements().value_or(0);
    const bool has_bias = before->inputs.size() > 2 && before->inputs[2] != kNoValue;
    ++norms;
    fewer += has_bias ? 2 * channels : channels;
  }
  if (norms == 0) return;
  notes.push_back(
      fmt::format("{} directly {} a convolution; an exporter that folds {} leaves {} fewer",
                  number_of(norms, "normalisation"), agreeing(norms, "follows", "follow"),
                  agreeing(norms, "it", "them"), number_of(fewer, "parameter")));
}

void note_guessed_types(const runtime::RecordedRun& run, const InputSettings& settings,
                        std::vector<std::string>& notes) {
  std::vector<std::string> guessed;
  for (const runtime::RecordedInput& input : run.inputs) {
    if (input.value.is_tensor() && settings.types.count(input.name) == 0)
      guessed.push_back(fmt::format("{} as {}", input.name, name_of(input.value.tensor.type)));
  }
  if (guessed.empty()) return;
  notes.push_back(
      fmt::format("the file does not say of what type its inputs are; taken: {} (say "
                  "NAME=SHAPE:TYPE to --input "
                  "for another)",
                  fmt::join(guessed, ", ")));
}

}  // namespace

std::vector<std::string> notes_on(const runtime::RecordedRun& run, const Graph& graph,
                                  const InputSettings& settings) {
  std::vector<std::string> notes{
      fmt::format("counted from the calls of one run in {} with made-up inputs", run.engine)};
  const std::vector<std::int64_t> reads = count_reads(graph);
  note_guessed_types(run, settings, notes);
  note_idle(graph, reads, "in this run and would be missing from an ONNX export", notes);
  note_foldable_norms(graph, reads, notes);
  return notes;
}

std::vector<std::string> notes_on_live_run(const runtime::RecordedRun& run, const Graph& graph) {
  std::vector<std::string> notes = run.notes;
  // What runs inside such a call is not recorded, and may use any parameter.
  const auto hides_calls = [](const runtime::RecordedCall& call) {
    return call.op.starts_with("higher_order::");
  };
  if (std::any_of(run.calls.begin(), run.calls.end(), hides_calls)) {
    notes.emplace_back(
        "what runs inside branches and loops such as torch.cond is not known here; it is counted "
        "in "
        "the file that torch.export.save() writes of the model");
  } else {
    note_idle(graph, count_reads(graph), "in this run", notes);
  }
  return notes;
}

void note_idle_parameters(const Graph& graph, std::vector<std::string>& notes) {
  note_idle(graph, count_reads(graph), "by the program", notes);
}

}  // namespace jouletree::model::torchscript
