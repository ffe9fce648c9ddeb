#include "campaign/expansion.hpp"
#include "campaign/plan.hpp"
#include "jouletree/error.hpp"
#include "memory_file.hpp"
#include "read_bytes.hpp"

namespace jouletree::test {
namespace {

using campaign::Plan;

template <class Value>
double combinations_of(const campaign::Choices<Value>& choices) {
  double count = 1;
  for (const auto& [name, values] : choices) count *= static_cast<double>(values.size());
  return count;
}

/// About how many items there will be.
double items_of(const Plan& plan) {
  double models = 0;
  for (const campaign::PlannedModel& model : plan.models)
    models += combinations_of(model.settings) * combinations_of(model.arguments) *
              combinations_of(model.inputs) * combinations_of(model.dims);
  models *= combinations_of(plan.inputs) * combinations_of(plan.dims);
  for (const campaign::RandomOperators& row : plan.random) models += static_cast<double>(row.count);
  for (const std::size_t count : {plan.devices.size(), plan.threads.size(), plan.modes.size(),
                                  plan.levels.size(), plan.caches.size()})
    models *= static_cast<double>(count);
  return models;
}

}  // namespace

void read_plan_bytes(std::string_view bytes) {
  constexpr double kMostItems = 50;
  try {
    const Plan plan = campaign::parse_plan(std::string(bytes), "/no/such/folder/plan.yml");
    // A million of them take their time, as asked for.
    if (items_of(plan) > kMostItems) return;
    for (const campaign::Item& item : campaign::expand(plan).items) {
      (void)item.label();
      require(!item.spec().empty());
    }
  } catch (const Error&) {
  }
}

std::vector<std::string> plan_seeds() {
  return {
      "name: all\nmodels: [{zoo: bert-l2-h128, set: {layers: [1, 2]}}, mobilenet-v2]\n"
      "dims: {batch: [1, {from: 4, to: 6, step: 2}]}\nthreads: [1, 2]\nmodes: inference\n"
      "levels: [all, none]\ncaches: [hot, model]\nprecision: 5%\nbudget: 60s\ntarget: 90%\n"
      "baseline: 0\nmodules: false\noperators: {include: [Conv, Relu]}\n",
      "models:\n  - python: package.module:function\n    arguments: {width: [8, 16], act: relu}\n"
      "    inputs: {x: [1x3x8x8, 2x3x8x8]}\n    training: {loss: cross_entropy, optimizer: adam, "
      "learning_rate: 0.1,\n      target: {shape: [batch], type: int64}}\n"
      "dims: {batch: [1, 2]}\nmodes: [inference, training]\ndevices: cpu\n",
      "random_operators:\n  - op: Conv\n    count: 3\n    seed: 2\n    draw: {channels: {from: 1, "
      "to: 64, times: 2}, kernel: [1, 3]}\n    inputs: [[1, channels, 8, 8]]\n    weights: "
      "[[4, channels, kernel, kernel]]\n    attributes: {pads: [1, 1, 1, 1]}\n",
      "a: &a {from: 1, to: 3}\ndims: {batch: *a, sequence: [*a, 8]}\nmodels: [\"bert-l2-h128\"]\n",
      "models:\n  resnet18:\n    done: true\n"};
}

}  // namespace jouletree::test
