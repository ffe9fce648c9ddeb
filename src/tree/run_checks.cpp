#include "tree/run_checks.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"

namespace jouletree::tree {
namespace {

struct Bound {
  const char* key;
  const std::optional<double>& value;
  bool above_zero;
};

/// Modules and models without operators below them have nothing to be predicted from.
std::size_t empty_modules(const TreeRun& run) {
  std::size_t count = 0;
  for (const RunNode& node : run.nodes)
    if (node.level != NodeLevel::Operator && node.children.empty()) ++count;
  return count;
}

}  // namespace

std::string problem_of(const RunNode& node) {
  const Bound bounds[] = {
      {"num_parameters", node.params, false},        {"flops", node.mflops, false},
      {"mem_bytes", node.mebibytes, false},          {"times_mean", node.time_s, true},
      {"gpu_energy_mean", node.gpu_energy_j, false}, {"ground_truth_energy", node.energy_j, true}};
  for (const Bound& bound : bounds) {
    if (!bound.value) continue;
    if (!std::isfinite(*bound.value)) return fmt::format("{} is not finite", bound.key);
    if (*bound.value < 0) return fmt::format("{} is negative: {}", bound.key, *bound.value);
    if (bound.above_zero && *bound.value == 0)
      return fmt::format("{} is 0; write null where it was not measured", bound.key);
  }
  return "";
}

void check_runs(TreeRuns& runs, const std::string& name) {
  std::map<std::string, std::size_t> seen;
  std::size_t empty = 0;
  for (const TreeRun& run : runs.runs) {
    const auto [place, is_new] = seen.emplace(run.device + "\n" + run.nodes.front().id, run.line);
    if (!is_new) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}: line {}: the id '{}' also stands in line {}", name, run.line,
                              run.nodes.front().id, place->second));
    }
    empty += empty_modules(run);
  }
  if (empty > 0) {
    runs.warnings.push_back(
        fmt::format("{}: {} no operators below {} and cannot be predicted from {} parts", name,
                    number_of(empty, "module has", "modules have"), agreeing(empty, "it", "them"),
                    agreeing(empty, "its", "their")));
  }
}

}  // namespace jouletree::tree
