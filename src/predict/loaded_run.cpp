#include "predict/loaded_run.hpp"

#include <unordered_map>

namespace jouletree::predict {
namespace {

bool are_of_one_kind(const OperatorLoad& a, const OperatorLoad& b) {
  return a.work_class == b.work_class && a.known == b.known && a.kernel.kernel == b.kernel.kernel &&
         a.kernel.pool == b.kernel.pool;
}

}  // namespace

LoadedRun::LoadedRun(const TreeRun& of)
    : run(of), loads(of.nodes.size()), kinds(of.nodes.size(), 0) {
  std::unordered_map<std::string_view, std::vector<std::size_t>> of_groups;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (of.nodes[i].level != NodeLevel::Operator) continue;
    loads[i] = load_of(of, of.nodes[i]);
    std::vector<std::size_t>& known = of_groups[loads[i].group];
    kinds[i] = examples.size();
    for (const std::size_t kind : known)
      if (are_of_one_kind(loads[examples[kind]], loads[i])) kinds[i] = kind;
    if (kinds[i] < examples.size()) continue;
    known.push_back(kinds[i]);
    examples.push_back(i);
  }
}

}  // namespace jouletree::predict
