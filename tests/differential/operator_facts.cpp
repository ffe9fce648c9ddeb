#include "operator_facts.hpp"

#include <algorithm>
#include <iostream>
#include <optional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compare.hpp"
#include "engine_run.hpp"
#include "memory_watch.hpp"
#include "model/operators/table.hpp"
#include "operator_models.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::test {
namespace {

constexpr int kNewestOpset = 21;
constexpr std::size_t kMostPlainInputs = 3;

/// ONNX Runtime 1.30 gives these memory of their own on the CPU, although they could share it with
/// an input. A TreeEnsembleRegressor shares it if it has as many targets as features.
constexpr std::string_view kExceptions[] = {
    "Abs",       "Add",        "Div",  "Dropout", "Erf",
    "Exp",       "Gelu",       "Log",  "Mul",     "Neg",
    "QuickGelu", "Reciprocal", "Sqrt", "Sub",     "TreeEnsembleRegressor"};

using Positions = std::vector<std::size_t>;

std::optional<Positions> below_output(const OperatorModel& model) {
  const TempFolder temp;
  const auto path = temp.write("model.onnx", model.bytes());
  return inputs_below_output(model.bytes(), random_inputs(path, model.request()));
}

/// The operator of a model without the engine.
struct Counted {
  Positions alike_inputs;  ///< Of the shape and type of the first output.
  Count macs = Count::unknown();
};

Counted count(const OperatorModel& model) {
  const TempFolder temp;
  const auto path = temp.write("model.onnx", model.bytes());
  const Graph graph = read_onnx(path);
  const Inference inference =
      infer(graph, settings_for(random_inputs(path, model.request()), model.request().values,
                                Knowledge::Contents));
  Counted counted;
  for (const Node& node : graph.main.nodes) {
    if (node.op != model.op() || node.domain != model.domain()) continue;
    counted.macs = inference.nodes[node.id].work.macs;
    if (node.outputs[0] == kNoValue) continue;
    const ValueType& output = inference.values[node.outputs[0]];
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i] == kNoValue || graph.values[node.inputs[i]].constant) continue;
      const ValueType& input = inference.values[node.inputs[i]];
      if (input.type == output.type && input.dims == output.dims) counted.alike_inputs.push_back(i);
    }
  }
  return counted;
}

/// Some operators are replaced by others before the run.
bool is_run(const OperatorModel& model) {
  const TempFolder temp;
  const auto path = temp.write("model.onnx", model.bytes());
  const auto kernels = run_profiled(path, random_inputs(path, model.request()));
  return std::any_of(kernels.begin(), kernels.end(),
                     [&](const KernelRun& run) { return run.op == model.op(); });
}

std::optional<std::string> memory_difference(const model::OperatorFacts& facts,
                                             const Positions& found, const Counted& counted) {
  const auto is_known = [&](std::size_t input) {
    return (facts.view && input == 0) || model::has_slot(facts.overwrites, input);
  };
  if (!std::all_of(found.begin(), found.end(), is_known))
    return fmt::format("the result lies in the memory of the inputs {}", fmt::join(found, ", "));
  if (!found.empty()) return std::nullopt;
  const Positions possible = facts.view ? Positions{0} : counted.alike_inputs;
  if (std::any_of(possible.begin(), possible.end(), is_known))
    return "the result has memory of its own";
  return std::nullopt;
}

/// Nothing where all is as the table says. What needs no engine is counted from the direct form.
std::optional<std::string> difference(const OperatorModel& watched, const OperatorModel& direct) {
  if (!is_run(direct)) throw std::runtime_error("the engine replaced it");
  const model::OperatorFacts& facts = model::facts_of(direct.domain(), direct.op());
  const Counted counted = count(direct);
  if (counted.macs.known() && counted.macs.value() > 0 && !model::is_product_kind(facts.work))
    return fmt::format("{} MACs do not fit its kind of work", counted.macs.value());
  const bool is_exception = std::find(std::begin(kExceptions), std::end(kExceptions),
                                      direct.op()) != std::end(kExceptions);
  const auto found = below_output(watched);
  if (!found || is_exception) return std::nullopt;
  return memory_difference(facts, *found, counted);
}

OperatorModel plain_model(const model::OperatorRow& row, std::size_t inputs, DataType type,
                          Feeding feeding) {
  OperatorModel model(row.domain, row.op, row.domain.empty() ? kNewestOpset : 1, "plain", feeding);
  for (std::size_t i = 0; i < inputs; ++i) model.input({2, 3, 4}, type);
  model.output(type).node();
  return model;
}

/// Of the first plain model that the engine accepts; nothing where there is none.
std::optional<std::string> plain_difference(const model::OperatorRow& row,
                                            std::set<std::string>& tried) {
  for (const DataType type : {DataType::Float32, DataType::Bool, DataType::Int32}) {
    for (std::size_t inputs = 1; inputs <= kMostPlainInputs; ++inputs) {
      try {
        auto found = difference(plain_model(row, inputs, type, Feeding::Watched),
                                plain_model(row, inputs, type, Feeding::Direct));
        tried.emplace(row.op);
        return found;
      } catch (const std::exception&) {
        continue;  // another form, then
      }
    }
  }
  return std::nullopt;
}

}  // namespace

bool operator_facts_hold(std::string_view title) {
  std::set<std::string> compared;
  std::int64_t differences = 0;
  const auto tell = [&](const std::string& name, const std::optional<std::string>& problem) {
    if (!problem) return;
    ++differences;
    std::cout << fmt::format("{}: {}\n", name, *problem);
  };
  const OperatorModels watched = operator_models(Feeding::Watched);
  const OperatorModels direct = operator_models(Feeding::Direct);
  for (std::size_t i = 0; i < direct.all().size(); ++i) {
    const OperatorModel& model = direct.all()[i];
    if (model.title().find(title) == std::string::npos) continue;
    try {
      tell(model.title(), difference(watched.all()[i], model));
      compared.insert(model.op());
    } catch (const std::exception& error) {
      std::cerr << fmt::format("not run: {}: {}\n", model.title(), error.what());
    }
  }
  for (const model::OperatorRow& row : model::operator_rows()) {
    const bool is_wanted =
        row.op.find(title) != std::string_view::npos && row.domain != model::kTorch;
    if (is_wanted && !compared.contains(std::string(row.op)))
      tell(std::string(row.op), plain_difference(row, compared));
  }
  std::cout << fmt::format("{} operators compared, {} differences\n", compared.size(), differences);
  return differences == 0 && !compared.empty();
}

}  // namespace jouletree::test
