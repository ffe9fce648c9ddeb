#include "predict/operator_samples.hpp"

#include <unordered_map>

namespace jouletree::predict {
namespace {

std::string key_of(std::size_t run, const OperatorSample& sample) {
  const OperatorLoad& work = sample.work;
  const double numbers[] = {static_cast<double>(run),
                            work.mflops,
                            work.mebibytes,
                            work.batches,
                            work.rows,
                            work.columns,
                            work.depth,
                            work.vectors,
                            sample.time_s.value_or(-1),
                            sample.gpu_energy_j.value_or(-1),
                            sample.energy_j.value_or(-1)};
  return work.group + std::string(reinterpret_cast<const char*>(numbers), sizeof numbers);
}

}  // namespace

std::vector<OperatorSample> operator_samples(const std::vector<TreeRun>& runs) {
  std::vector<OperatorSample> samples;
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (const RunNode& node : runs[r].nodes) {
      if (node.level != NodeLevel::Operator) continue;
      OperatorSample sample{
          r, &node, 1, load_of(runs[r], node), node.time_s, node.gpu_energy_j, node.energy_j};
      if (!sample.work.known) continue;
      const auto [place, is_new] = places.emplace(key_of(r, sample), samples.size());
      if (is_new) {
        samples.push_back(std::move(sample));
      } else {
        samples[place->second].weight += 1;
      }
    }
  }
  return samples;
}

std::vector<double> summed_up(const TreeRun& run, std::vector<double> operators) {
  for (std::size_t i = run.nodes.size(); i-- > 0;) {
    if (!run.nodes[i].children.empty()) {
      operators[i] = 0;
      for (const std::size_t child : run.nodes[i].children) operators[i] += operators[child];
    }
  }
  return operators;
}

}  // namespace jouletree::predict
