#include "predict/whole.hpp"

#include <cmath>

namespace jouletree::predict {
namespace {

/// Sums of counts in files carry rounding errors.
constexpr double kSumRounding = 1e-6;

}  // namespace

const std::array<GlueDescription, kWholeTerms>& whole_terms() {
  static constexpr std::array<GlueDescription, kWholeTerms> kTerms = {
      {{"operators below", "1"}, {"operators", "call"}, {"bytes moved inside", "MiB"}}};
  return kTerms;
}

bool is_complete(const TreeRun& run) {
  for (const RunNode& node : run.nodes) {
    if (node.children.empty() || !node.mebibytes) continue;
    double below = 0;
    for (const std::size_t child : node.children) below += run.nodes[child].mebibytes.value_or(0);
    if (std::abs(*node.mebibytes - below) > kSumRounding * *node.mebibytes) return false;
  }
  return true;
}

std::vector<WholeValues> whole_values(const TreeRun& run, const std::vector<double>& costs) {
  std::vector<WholeValues> values(run.nodes.size(), WholeValues{});
  // Children stand behind their parents.
  for (std::size_t i = run.nodes.size(); i-- > 0;) {
    const RunNode& node = run.nodes[i];
    if (node.children.empty() && node.level == NodeLevel::Operator)
      values[i] = {costs[i], 1, node.mebibytes.value_or(0)};
    if (node.parent == kNoParent) continue;
    for (std::size_t term = 0; term < kWholeTerms; ++term)
      values[node.parent][term] += values[i][term];
  }
  return values;
}

}  // namespace jouletree::predict
