#include "support/synthetic_runs.hpp"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace jouletree::test {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr double kLaunchS = 5e-6;
constexpr double kSecondsPerMflop = 2e-7;
constexpr double kSecondsPerMebibyte = 6e-6;
constexpr double kGpuWatt = 150;
constexpr double kOtherWatt = 80;

class RunMaker {
 public:
  RunMaker(const std::string& model, int batch, int sequence, double noise, double width)
      : noise_(noise),
        width_(width),
        batch_(batch),
        length_(sequence),
        state_(static_cast<std::uint64_t>(batch) * 1000003U +
               static_cast<std::uint64_t>(sequence)) {
    run_.model = model;
    run_.batch = batch;
    run_.sequence = sequence;
    run_.line = 1;
    for (const char letter : model) state_ = state_ * 31 + static_cast<unsigned char>(letter);
  }

  std::size_t add(const std::string& name, const std::string& type, NodeLevel level,
                  std::size_t parent) {
    RunNode node;
    node.scope = parent == kNoParent ? name : run_.nodes[parent].scope + "." + name;
    node.id = fmt::format("{}|{}|{}|{}", run_.model, batch_, length_, node.scope);
    node.type = type;
    node.level = level;
    node.parent = parent;
    node.params = 0;
    node.mflops = 0;
    node.mebibytes = 0;
    const std::size_t index = run_.nodes.size();
    run_.nodes.push_back(node);
    if (parent != kNoParent) run_.nodes[parent].children.push_back(index);
    return index;
  }

  void linear(const std::string& name, std::size_t parent, double inputs, double outputs) {
    RunNode& node = run_.nodes[add(name, "Linear", NodeLevel::Operator, parent)];
    const double rows = batch_ * length_;
    node.params = outputs * (inputs + 1);
    node.mflops = rows * outputs * (2 * inputs + 1) / 1e6;
    node.mebibytes = 4 * (rows * inputs + inputs * outputs + rows * outputs) / kMebibyte;
    cost(node, kLaunchS + kSecondsPerMflop * *node.mflops);
  }

  void moving(const std::string& name, const std::string& type, std::size_t parent, double bytes) {
    RunNode& node = run_.nodes[add(name, type, NodeLevel::Operator, parent)];
    node.mebibytes = bytes / kMebibyte;
    node.mflops = bytes / 4 / 1e6;
    cost(node, kLaunchS + kSecondsPerMebibyte * *node.mebibytes);
  }

  /// The sum of the children, and of `extra` bytes that belong to none of them.
  void sum_up(std::size_t index, double extra_bytes) {
    RunNode& node = run_.nodes[index];
    double seconds = kSecondsPerMebibyte * extra_bytes / kMebibyte;
    node.mebibytes = extra_bytes / kMebibyte;
    for (const std::size_t child : node.children) {
      seconds += *run_.nodes[child].time_s;
      *node.mebibytes += *run_.nodes[child].mebibytes;
      *node.mflops += *run_.nodes[child].mflops;
      *node.params += *run_.nodes[child].params;
    }
    cost(node, seconds);
  }

  void layer(std::size_t parent, int number) {
    const std::size_t index = add(std::to_string(number), "Layer", NodeLevel::Module, parent);
    const double activations = 4 * batch_ * length_ * width_;
    const std::size_t attention = add("attention", "Attention", NodeLevel::Module, index);
    linear("query", attention, width_, width_);
    linear("key", attention, width_, width_);
    moving("norm", "LayerNorm", attention, 2 * activations);
    sum_up(attention, activations);
    const std::size_t dense = add("dense", "Dense", NodeLevel::Module, index);
    linear("up", dense, width_, 4 * width_);
    linear("down", dense, 4 * width_, width_);
    sum_up(dense, 8 * activations);
    sum_up(index, 0);
  }

  TreeRun take() { return std::move(run_); }

 private:
  double shake() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return 1 + noise_ * (2 * static_cast<double>(state_ >> 33U) / 2147483648.0 - 1);
  }

  void cost(RunNode& node, double seconds) {
    node.time_s = seconds * shake();
    node.gpu_energy_j = *node.time_s * kGpuWatt;
    node.energy_j = *node.gpu_energy_j + *node.time_s * kOtherWatt * shake();
    node.utilization = {8, 12, 90, 30, 1900, 3800};
  }

  TreeRun run_;
  double noise_;
  double width_;
  double batch_;
  double length_;
  std::uint64_t state_;
};

nlohmann::ordered_json node_json(const TreeRun& run, std::size_t index) {
  const RunNode& node = run.nodes[index];
  nlohmann::ordered_json json = {{"id", node.id},
                                 {"scope", node.scope},
                                 {"instance_type", node.type},
                                 {"type", name_of(node.level)},
                                 {"num_parameters", *node.params},
                                 {"flops", *node.mflops},
                                 {"mem_bytes", *node.mebibytes},
                                 {"cpu", *node.utilization.cpu},
                                 {"mem", *node.utilization.memory},
                                 {"gpu", *node.utilization.gpu},
                                 {"gpu_mem", *node.utilization.gpu_memory},
                                 {"gpu_clk", *node.utilization.gpu_clock_mhz},
                                 {"gpu_mem_clk", *node.utilization.gpu_memory_clock_mhz},
                                 {"times_mean", *node.time_s},
                                 {"gpu_energy_mean", *node.gpu_energy_j},
                                 {"ground_truth_energy", *node.energy_j},
                                 {"child_nodes_obj", nlohmann::ordered_json::array()}};
  for (const std::size_t child : node.children)
    json["child_nodes_obj"].push_back(node_json(run, child));
  return json;
}

}  // namespace

TreeRun synthetic_run(const std::string& model, int batch, int sequence, int layers, double noise,
                      double width) {
  RunMaker maker(model, batch, sequence, noise, width);
  const std::size_t root = maker.add("root", "Model", NodeLevel::Model, kNoParent);
  for (int i = 0; i < layers; ++i) maker.layer(root, i);
  maker.sum_up(root, 0);
  return maker.take();
}

std::vector<TreeRun> synthetic_runs() {
  std::vector<TreeRun> runs;
  int number = 0;
  for (const char* model : {"bert-a", "bert-b", "bert-c", "gpt-a", "gpt-b", "gpt-c"}) {
    const double width = 128 + 64 * (number % 3);
    const int layers = 2 + number % 3;
    ++number;
    for (const int batch : {4, 16}) {
      for (const int sequence : {32, 128}) {
        runs.push_back(synthetic_run(model, batch, sequence, layers, 0.01, width));
        runs.back().line = runs.size();
      }
    }
  }
  return runs;
}

std::string tree_lines(const std::vector<TreeRun>& runs) {
  std::string text;
  for (const TreeRun& run : runs) {
    nlohmann::ordered_json line = {{"model_name", run.model},
                                   {"batch_size", *run.batch},
                                   {"seq_len", *run.sequence},
                                   {"frontend_tree", node_json(run, 0)}};
    text += line.dump() + "\n";
  }
  return text;
}

}  // namespace jouletree::test
