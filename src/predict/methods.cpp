#include "predict/methods.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "jouletree/error.hpp"
#include "predict/forest.hpp"
#include "predict/irene.hpp"
#include "predict/ledger.hpp"
#include "predict/neuralpower.hpp"

namespace jouletree {
namespace predict {
namespace {

template <class Fit>
std::unique_ptr<Fitted> read_fit(Target target, const nlohmann::ordered_json& json) {
  return Fit::from_json(target, json);
}

constexpr Method kMethods[] = {
    {"ledger", make_ledger_trainer, read_fit<LedgerFit>, true, true},
    {"irene", make_irene_trainer, read_fit<Irene>},
    {"neuralpower", make_neuralpower_trainer, read_fit<NeuralPower>},
    {"forest", make_forest_trainer, read_fit<Forest>},
};

}  // namespace

std::span<const Method> methods() { return kMethods; }

const Method* find_method(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kMethods), std::end(kMethods),
                                         [&](const Method& method) { return method.name == name; });
  return found == std::end(kMethods) ? nullptr : found;
}

const Method& method_named(std::string_view name) {
  if (const Method* const method = find_method(name)) return *method;
  throw Error(ErrorKind::BadInput, fmt::format("there is no method '{}'; there are {}", name,
                                               fmt::join(prediction_methods(), ", ")));
}

std::unique_ptr<Trainer> make_trainer(const std::vector<TreeRun>& runs, Target target,
                                      const TrainOptions& options) {
  return method_named(options.method).trainer(runs, target, options);
}

std::unique_ptr<Fitted> fitted_from_json(std::string_view method, Target target,
                                         const nlohmann::ordered_json& json) {
  return method_named(method).reader(target, json);
}

}  // namespace predict

bool learns_wholes(const TrainOptions& options) {
  const predict::Method* const method = predict::find_method(options.method);
  return method != nullptr && method->learns_wholes;
}

std::vector<std::string_view> prediction_methods() {
  std::vector<std::string_view> names;
  for (const predict::Method& method : predict::kMethods) names.push_back(method.name);
  return names;
}

}  // namespace jouletree
