#include "report/type_differences.hpp"

#include <algorithm>

#include "report/groups.hpp"

namespace jouletree::report {
namespace {

bool alike(const TypeUse& a, const TypeUse& b) {
  return a.calls == b.calls && a.totals.params == b.totals.params &&
         a.totals.macs.value() == b.totals.macs.value() &&
         a.totals.flops.value() == b.totals.flops.value() &&
         a.totals.bytes_moved().value() == b.totals.bytes_moved().value();
}

double spread(const TypeDifference& difference) {
  const auto flops = [](const TypeUse& use) { return use.totals.flops.known(); };
  std::int64_t least = flops(difference.uses.front());
  std::int64_t most = least;
  for (const TypeUse& use : difference.uses) {
    least = std::min(least, flops(use));
    most = std::max(most, flops(use));
  }
  return static_cast<double>(most) - static_cast<double>(least);
}

}  // namespace

std::map<std::string, TypeUse> type_uses(const ModelTree& tree) {
  std::map<std::string, TypeUse> uses;
  for (const Group& group : groups_of(tree, {Grouping::Type, SortKey::Order}))
    uses[std::string(group.type)] = {group.calls, group.totals};
  return uses;
}

TypeDifferences type_differences(const std::vector<std::map<std::string, TypeUse>>& models) {
  std::map<std::string, std::vector<TypeUse>> uses;
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (const auto& [type, use] : models[i]) {
      std::vector<TypeUse>& of_type = uses[type];
      of_type.resize(models.size());
      of_type[i] = use;
    }
  }
  TypeDifferences result;
  for (auto& [type, of_type] : uses) {
    const bool same = std::all_of(
        of_type.begin(), of_type.end(),
        [&of_type = of_type](const TypeUse& use) { return alike(use, of_type.front()); });
    if (same) {
      ++result.same;
    } else {
      result.different.push_back({type, std::move(of_type)});
    }
  }
  std::stable_sort(
      result.different.begin(), result.different.end(),
      [](const TypeDifference& a, const TypeDifference& b) { return spread(a) > spread(b); });
  return result;
}

}  // namespace jouletree::report
