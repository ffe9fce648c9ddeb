#include "predict/fitted.hpp"

namespace jouletree {

std::string_view name_of(FeatureSet features) {
  switch (features) {
    case FeatureSet::All: return "all";
    case FeatureSet::Leaves: return "leaves";
    case FeatureSet::Specs: return "specs";
  }
  return "";
}

namespace predict {

std::string_view name_of(Target target) { return target == Target::Energy ? "energy" : "time"; }

const std::optional<double>& truth(const RunNode& node, Target target) {
  return target == Target::Energy ? node.energy_j : node.time_s;
}

void spread_to_parents(const TreeRun& run, std::vector<char>& marks) {
  for (std::size_t i = run.nodes.size(); i-- > 1;)
    if (marks[i]) marks[run.nodes[i].parent] = 1;
}

}  // namespace predict
}  // namespace jouletree
