#include "support/priced_runs.hpp"

#include "jouletree/predict.hpp"
#include "zoo/named_model.hpp"

namespace jouletree::test {
namespace {

constexpr double kLaunch = 1e-6;
constexpr double kPerMflop = 2e-5;
constexpr double kPerMebibyte = 1e-4;
constexpr double kWatts = 30;

/// The same for the same model: up to 4 % more or less.
double oddness_of(const std::string& name) {
  unsigned sum = 0;
  for (const char letter : name) sum = 31 * sum + static_cast<unsigned char>(letter);
  return 0.96 + 0.01 * (sum % 9);
}

bool is_of_bytes(const std::string& type) {
  return type.find("Integer") != std::string::npos || type.find("QLinear") != std::string::npos ||
         type.find("DynamicQuantizeMatMul") != std::string::npos;
}

}  // namespace

TreeRun priced_run(ModelTree tree, double speed) {
  const std::string name = tree.name;
  TreeRun run = counted_run(expected_tree(std::move(tree), {}));
  run.model = name;
  const double odd = oddness_of(name) * speed;
  for (std::size_t i = run.nodes.size(); i-- > 0;) {
    RunNode& node = run.nodes[i];
    if (node.level == NodeLevel::Operator) {
      const double flops = node.mflops.value_or(0) * kPerMflop;
      node.time_s = kLaunch + odd * ((is_of_bytes(node.type) ? flops / 3 : flops) +
                                     node.mebibytes.value_or(0) * kPerMebibyte);
    } else {
      node.time_s = kLaunch;
      for (const std::size_t child : node.children)
        node.time_s = *node.time_s + *run.nodes[child].time_s;
    }
    node.energy_j = kWatts * *node.time_s;
  }
  return run;
}

std::vector<TreeRun> priced_runs(double speed) {
  std::vector<TreeRun> runs;
  for (const char* name : {"bert-l2-h128", "bert-l4-h128", "bert-l2-h256", "resnet-18 size=32",
                           "alexnet", "mobilenet-v2 size=32"}) {
    for (const Dim batch : {1, 8}) {
      InputSettings settings;
      settings.symbols["batch"] = batch;
      if (std::string_view(name).starts_with("bert")) settings.symbols["sequence"] = 16 * batch;
      ModelTree tree = build_tree(zoo::read_or_make(name, settings), settings);
      tree.name = name;
      runs.push_back(priced_run(std::move(tree), speed));
    }
  }
  return runs;
}

}  // namespace jouletree::test
