#include "tree/run_checks.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "jouletree/error.hpp"

namespace jouletree::tree {
namespace {

/// No count, size, time or energy of a model comes near it, and products of a few such numbers are
/// still finite.
constexpr double kMost = 1e18;

struct Bound {
  const char* key;
  const std::optional<double>& value;
  bool above_zero = false;
  bool may_be_negative = false;
};

std::string problem_of(const Bound& bound) {
  if (!bound.value) return "";
  if (!std::isfinite(*bound.value)) return fmt::format("{} is not finite", bound.key);
  if (*bound.value < 0 && !bound.may_be_negative)
    return fmt::format("{} is negative: {}", bound.key, *bound.value);
  if (std::abs(*bound.value) > kMost)
    return fmt::format("{} is too large to be true: {}", bound.key, *bound.value);
  if (bound.above_zero && *bound.value == 0)
    return fmt::format("{} is 0; write null where it was not measured", bound.key);
  return "";
}

std::string problem_of(const char* key, const std::vector<std::vector<double>>& shapes) {
  for (const std::vector<double>& shape : shapes) {
    for (const double size : shape) {
      const std::optional<double> value = size;
      if (std::string problem = problem_of(Bound{key, value}); !problem.empty()) return problem;
    }
  }
  return "";
}

/// Modules and models without operators below them have nothing to be predicted from.
std::size_t empty_modules(const TreeRun& run) {
  std::size_t count = 0;
  for (const RunNode& node : run.nodes)
    if (node.level != NodeLevel::Operator && node.children.empty()) ++count;
  return count;
}

}  // namespace

std::string problem_of(const RunNode& node) {
  const Utilization& seen = node.utilization;
  const Bound bounds[] = {{"num_parameters", node.params},
                          {"flops", node.mflops},
                          {"mem_bytes", node.mebibytes},
                          {"macs", node.macs},
                          {"weight_bytes", node.weight_mebibytes},
                          {"written_bytes", node.written_mebibytes},
                          {"times_mean", node.time_s, true},
                          {"gpu_energy_mean", node.gpu_energy_j},
                          {"ground_truth_energy", node.energy_j, true},
                          {"predicted_energy", node.predicted_energy_j, false, true},
                          {"cpu", seen.cpu},
                          {"mem", seen.memory},
                          {"gpu", seen.gpu},
                          {"gpu_mem", seen.gpu_memory},
                          {"gpu_clk", seen.gpu_clock_mhz},
                          {"gpu_mem_clk", seen.gpu_memory_clock_mhz}};
  for (const Bound& bound : bounds)
    if (std::string problem = problem_of(bound); !problem.empty()) return problem;
  if (std::string problem = problem_of("input_shapes", node.input_shapes); !problem.empty())
    return problem;
  return problem_of("output_shapes", node.output_shapes);
}

std::string problem_of_sizes(const TreeRun& run) {
  const std::string problem = problem_of(Bound{"batch_size", run.batch});
  return problem.empty() ? problem_of(Bound{"seq_len", run.sequence}) : problem;
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
