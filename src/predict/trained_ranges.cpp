#include "predict/trained_ranges.hpp"

#include <algorithm>

#include "jouletree/predict.hpp"
#include "predict/fitted.hpp"
#include "predict/operator_names.hpp"
#include "predict/stored_fits.hpp"
#include "predict/work_family.hpp"

namespace jouletree::predict {
namespace {

using Json = nlohmann::ordered_json;

/// A little beyond the training data is no news.
constexpr double kMargin = 1.05;
/// As work_family and common_name have it.
constexpr const char* kProducts = "product";
constexpr const char* kLinear = "gemm";
/// A run of the same framework may hold a few operators that training has not seen.
constexpr double kMostNames = 0.8;

bool is_within(double value, const Range& range) {
  return value >= range.low / kMargin && value <= range.high * kMargin;
}

void widen(Range& range, const Range& by) {
  range.low = std::min(range.low, by.low);
  range.high = std::max(range.high, by.high);
}

Json range_json(const Range& range) { return Json::array({range.low, range.high}); }
Range read_range(const Json& json, std::string_view group) {
  const Range range{json.at(0), json.at(1)};
  check_stored(range, group);
  return range;
}

bool is_operator(const RunNode& node) {
  return node.level == NodeLevel::Operator && node.children.empty();
}

}  // namespace

void TrainedRanges::add(const std::string& group, const Sizes& sizes) {
  const auto [place, is_new] = groups_.emplace(group, sizes);
  families_.insert(sizes.family);
  learn_word(group, sizes);
  if (is_new) return;
  widen(place->second.mflops, sizes.mflops);
  widen(place->second.mebibytes, sizes.mebibytes);
}

void TrainedRanges::learn_word(const std::string& group, const Sizes& sizes) {
  const std::string type = group.substr(0, group.find('/'));
  // How a single operator was run stands behind a space; a model's file says nothing of that.
  if (type.find(' ') != std::string::npos) return;
  types_.insert(type);
  const bool is_linear =
      sizes.family == kProducts && sizes.work_class == WorkClass::WeightedProduct;
  const auto [place, is_new] = words_.emplace(is_linear ? kLinear : common_name(type), type);
  std::string& word = place->second;
  if (is_new || module_rank(word) < module_rank(type)) return;
  if (module_rank(word) > module_rank(type) || type < word) word = type;
}

std::optional<std::string> TrainedRanges::word_for(const TreeRun& run, const RunNode& node) const {
  const OperatorLoad work = load_of(run, node);
  if (types_.contains(work.group.substr(0, work.group.find('/')))) return node.type;
  const model::OperatorFacts* const facts = facts_of_type(node.type);
  const bool picks = facts != nullptr && (facts->picks || !facts->lookups.empty());
  if (picks && node.params.value_or(0) == 0) return std::nullopt;
  const bool is_linear =
      work.work_class == WorkClass::WeightedProduct && work_family(node.type) == kProducts;
  const auto found = words_.find(is_linear ? kLinear : common_name(node.type));
  return found == words_.end() ? std::nullopt : std::optional(found->second);
}

TrainedRanges::TrainedRanges(const std::vector<TreeRun>& runs) {
  for (const TreeRun& run : runs) {
    const bool is_whole = teaches_whole(run);
    for (const RunNode& node : run.nodes) {
      if (!is_operator(node) || (!is_whole && !node.energy_j && !node.time_s)) continue;
      const OperatorLoad work = load_of(run, node);
      add(work.group, {work.work_class,
                       work_family(node.type),
                       {work.mflops, work.mflops},
                       {work.mebibytes, work.mebibytes}});
    }
  }
}

bool TrainedRanges::is_known(const OperatorLoad& work, Likeness likeness) const {
  if (likeness == Likeness::Size) {
    // Less work than ever seen is no news here: a file writes out what a framework does at once.
    const auto own = groups_.find(work.group);
    if (own != groups_.end()) {
      return work.mflops <= own->second.mflops.high * kMargin &&
             work.mebibytes <= own->second.mebibytes.high * kMargin;
    }
    return std::any_of(groups_.begin(), groups_.end(), [&](const auto& group) {
      const Sizes& sizes = group.second;
      return sizes.work_class == work.work_class && work.mflops <= sizes.mflops.high * kMargin &&
             work.mebibytes <= sizes.mebibytes.high * kMargin;
    });
  }
  const auto range = groups_.find(work.group);
  if (range == groups_.end()) return false;
  return likeness == Likeness::Name || (is_within(work.mflops, range->second.mflops) &&
                                        is_within(work.mebibytes, range->second.mebibytes));
}

std::vector<char> TrainedRanges::beyond(const LoadedRun& loaded, Likeness likeness) const {
  const TreeRun& run = loaded.run;
  std::vector<char> marks(run.nodes.size(), 0);
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    if (is_operator(run.nodes[i]) && !is_known(loaded.loads[i], likeness)) marks[i] = 1;
  }
  spread_to_parents(run, marks);
  return marks;
}

std::vector<char> TrainedRanges::unseen(const LoadedRun& loaded) const {
  const TreeRun& run = loaded.run;
  std::vector<char> marks(run.nodes.size(), 0);
  for (std::size_t i = 0; i < run.nodes.size(); ++i) {
    const RunNode& node = run.nodes[i];
    if (is_operator(node) && !groups_.contains(loaded.loads[i].group) &&
        !families_.contains(work_family(node.type)))
      marks[i] = 1;
  }
  return marks;
}

bool TrainedRanges::knows_names(const TreeRun& run) const {
  std::size_t working = 0;
  std::size_t known = 0;
  for (const RunNode& node : run.nodes) {
    if (!is_operator(node)) continue;
    const OperatorLoad work = load_of(run, node);
    if (work.known && work.mflops == 0 && work.mebibytes == 0) continue;
    ++working;
    if (groups_.contains(work.group)) ++known;
  }
  return static_cast<double>(known) >= kMostNames * static_cast<double>(working);
}

void TrainedRanges::add(const TrainedRanges& other) {
  for (const auto& [group, sizes] : other.groups_) add(group, sizes);
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
    json[group] = {{"class", name_of(sizes.work_class)},
                   {"family", sizes.family},
                   {"mflops", range_json(sizes.mflops)},
                   {"mebibytes", range_json(sizes.mebibytes)}};
  }
  return json;
}

TrainedRanges TrainedRanges::from_json(const Json& json) {
  TrainedRanges ranges;
  for (const auto& [group, sizes] : json.items()) {
    ranges.add(group, Sizes{class_from_name(sizes.at("class").get<std::string>()),
                            sizes.value("family", work_family(group)),
                            read_range(sizes.at("mflops"), group),
                            read_range(sizes.at("mebibytes"), group)});
  }
  return ranges;
}

}  // namespace jouletree::predict
