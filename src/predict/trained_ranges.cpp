#include "predict/trained_ranges.hpp"

#include <algorithm>

#include "predict/fitted.hpp"
#include "predict/operator_work.hpp"

namespace jouletree::predict {
namespace {

using Json = nlohmann::ordered_json;

/// A little beyond the training data is no news.
constexpr double kMargin = 1.05;

bool is_within(double value, const Range& range) {
  return value >= range.low / kMargin && value <= range.high * kMargin;
}

void widen(Range& range, const Range& by) {
  range.low = std::min(range.low, by.low);
  range.high = std::max(range.high, by.high);
}

Json range_json(const Range& range) { return Json::array({range.low, range.high}); }
Range read_range(const Json& json) { return {json.at(0), json.at(1)}; }

bool is_operator(const RunNode& node) {
  return node.level == NodeLevel::Operator && node.children.empty();
}

}  // namespace

TrainedRanges::TrainedRanges(const std::vector<TreeRun>& runs) {
  for (const TreeRun& run : runs) {
    for (const RunNode& node : run.nodes) {
      if (!is_operator(node) || (!node.energy_j && !node.time_s)) continue;
      const OperatorWork work = work_of(run, node);
      const Sizes own{{work.mflops, work.mflops}, {work.mebibytes, work.mebibytes}};
      const auto [place, is_new] = groups_.emplace(work.group, own);
      if (is_new) continue;
      widen(place->second.mflops, own.mflops);
      widen(place->second.mebibytes, own.mebibytes);
    }
  }
}

std::vector<char> TrainedRanges::beyond(const TreeRun& run, bool sizes) const {
  std::vector<char> marks(run.nodes.size(), 0);
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    if (!is_operator(run.nodes[i])) continue;
    const OperatorWork work = work_of(run, run.nodes[i]);
    const auto range = groups_.find(work.group);
    const bool is_known =
        range != groups_.end() && (!sizes || (is_within(work.mflops, range->second.mflops) &&
                                              is_within(work.mebibytes, range->second.mebibytes)));
    marks[i] = is_known ? 0 : 1;
  }
  spread_to_parents(run, marks);
  return marks;
}

void TrainedRanges::add(const TrainedRanges& other) {
  for (const auto& [group, sizes] : other.groups_) {
    const auto [place, is_new] = groups_.emplace(group, sizes);
    if (is_new) continue;
    widen(place->second.mflops, sizes.mflops);
    widen(place->second.mebibytes, sizes.mebibytes);
  }
}

std::vector<FeatureRange> TrainedRanges::list() const {
  std::vector<FeatureRange> all;
  for (const auto& [group, sizes] : groups_) {
    all.push_back({group, "arithmetic", "MFLOP", sizes.mflops});
    all.push_back({group, "bytes", "MiB", sizes.mebibytes});
  }
  return all;
}

Json TrainedRanges::to_json() const {
  Json json = Json::object();
  for (const auto& [group, sizes] : groups_) {
    json[group] = {{"mflops", range_json(sizes.mflops)},
                   {"mebibytes", range_json(sizes.mebibytes)}};
  }
  return json;
}

TrainedRanges TrainedRanges::from_json(const Json& json) {
  TrainedRanges ranges;
  for (const auto& [group, sizes] : json.items()) {
    ranges.groups_.emplace(
        group, Sizes{read_range(sizes.at("mflops")), read_range(sizes.at("mebibytes"))});
  }
  return ranges;
}

}  // namespace jouletree::predict
