#include "predict/row_members.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "predict/operator_load.hpp"
#include "predict/predictor_state.hpp"

namespace jouletree::predict {
namespace {

bool is_measured_operator(const RunNode& node, Target target) {
  return node.level == NodeLevel::Operator && node.children.empty() && truth(node, target);
}

/// Alike operators have one key.
std::string likeness_key(const RunNode& node) {
  std::string key = fmt::format("{} {} {}", type_key(node.type), node.mflops.value_or(-1),
                                node.mebibytes.value_or(-1));
  for (const auto& shape : node.input_shapes)
    for (const double size : shape) key += fmt::format(" {}", size);
  return key;
}

/// By run and node: the part that an operator belongs to; kMostMembers for what is never left out.
using RowParts = std::vector<std::vector<std::size_t>>;

RowParts row_parts(const std::vector<TreeRun>& runs, Target target, std::size_t& count) {
  std::map<std::string, std::size_t> places;
  RowParts parts;
  for (const TreeRun& run : runs) {
    std::vector<std::size_t>& of_run = parts.emplace_back(run.nodes.size(), kMostMembers);
    for (std::size_t i = 0; i < run.nodes.size(); ++i) {
      if (is_measured_operator(run.nodes[i], target))
        of_run[i] =
            places.emplace(likeness_key(run.nodes[i]), places.size()).first->second % kMostMembers;
    }
  }
  count = std::min(places.size(), kMostMembers);
  return parts;
}

std::vector<TreeRun> without_part(const std::vector<TreeRun>& runs, const RowParts& parts,
                                  std::size_t part) {
  std::vector<TreeRun> rest = runs;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::size_t i = 0; i < parts[r].size(); ++i) {
      if (parts[r][i] != part) continue;
      RunNode& node = rest[r].nodes[i];
      node.energy_j.reset();
      node.time_s.reset();
      node.gpu_energy_j.reset();
    }
  }
  return rest;
}

}  // namespace

void add_row_members(const std::vector<TreeRun>& runs, Target target, const TrainOptions& options,
                     Ensemble& ensemble) {
  std::size_t count = 0;
  const RowParts parts = row_parts(runs, target, count);
  if (count < 2) return;
  std::map<FeatureSet, std::vector<double>> residuals;
  for (std::size_t part = 0; part < count; ++part) {
    const std::vector<TreeRun> rest = without_part(runs, parts, part);
    if (!knows(rest, target)) continue;
    const auto trainer = make_trainer(rest, target, options);
    if (!trainer) continue;
    ensemble.members.push_back(trainer->fit(RunMask(rest.size(), 1)));
    ensemble.left_out.push_back(fmt::format("rows, part {} of {}", part + 1, count));
    for (const FeatureSet features : feature_sets_within(options.features)) {
      for (std::size_t r = 0; r < runs.size(); ++r) {
        const std::vector<double> predicted = ensemble.members.back()->predict(runs[r], features);
        for (std::size_t i = 0; i < predicted.size(); ++i) {
          if (parts[r][i] == part && predicted[i] > 0) {
            residuals[features].push_back(
                std::abs(std::log(*truth(runs[r].nodes[i], target) / predicted[i])));
          }
        }
      }
    }
  }
  for (auto& [features, values] : residuals) {
    if (values.empty()) continue;
    const double width = conformal_quantile(values, options.level);
    HalfWidths& widths = ensemble.half_widths[static_cast<std::size_t>(features)];
    widths[index_of(NodeLevel::Operator)] = width;
  }
}

}  // namespace jouletree::predict
