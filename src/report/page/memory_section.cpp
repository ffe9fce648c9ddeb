#include <algorithm>
#include <map>

#include "jouletree/liveness.hpp"
#include "report/page/page_columns.hpp"
#include "report/page/page_items.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;

/// More would be narrower than a pixel.
constexpr std::size_t kMostSteps = 1500;
constexpr std::size_t kMostTensors = 40;

struct Step {
  std::size_t at = 0;
  std::int64_t bytes = 0;
};

/// The largest of each stretch, so that no peak is lost.
std::vector<Step> thinned(const std::vector<std::int64_t>& bytes) {
  std::vector<Step> steps;
  const std::size_t count = std::min(kMostSteps, bytes.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(i * bytes.size() / count);
    const auto last = bytes.begin() + static_cast<std::ptrdiff_t>((i + 1) * bytes.size() / count);
    const auto largest = std::max_element(first, last);
    steps.push_back({static_cast<std::size_t>(largest - bytes.begin()), *largest});
  }
  return steps;
}

/// Paths of operators, as the tree calls them.
class OperatorPaths {
 public:
  explicit OperatorPaths(const TreeNode& root) { add(root); }

  [[nodiscard]] std::string of(const Node& node) const {
    const auto found = paths_.find(node.id);
    return found == paths_.end() ? std::string(node.name) : found->second;
  }

 private:
  void add(const TreeNode& node) {
    if (node.operation != nullptr) paths_.emplace(node.operation->id, node.scope);
    for (const TreeNode& child : node.children) add(child);
  }

  std::map<NodeId, std::string> paths_;
};

/// Which operator wrote a value; none for inputs.
const Node* maker_of(ValueId id, const Block& block) {
  for (const Node& node : block.nodes)
    if (std::find(node.outputs.begin(), node.outputs.end(), id) != node.outputs.end()) return &node;
  return nullptr;
}

std::string type_text(const ValueType& type) {
  return std::string(name_of(type.type)) + " " + (type.dims ? to_string(*type.dims) : "?");
}

void add_tensors(const ModelTree& tree, const MemoryTimeline& timeline, const OperatorPaths& paths,
                 Json& json) {
  json["peak_tensors"] = Json::array();
  std::int64_t other_bytes = 0;
  std::size_t others = 0;
  for (const ValueId id : timeline.at_peak) {
    const ValueType& type = tree.inference.values[id];
    const std::int64_t bytes = type.bytes().value_or(0);
    if (json["peak_tensors"].size() == kMostTensors) {
      ++others;
      other_bytes += bytes;
      continue;
    }
    const Node* const maker = maker_of(id, tree.graph->main);
    json["peak_tensors"].push_back({{"name", std::string(tree.graph->values[id].name)},
                                    {"type", type_text(type)},
                                    {"bytes", bytes},
                                    {"made_by", maker == nullptr ? "input" : paths.of(*maker)}});
  }
  json["other_tensors"] = {{"count", others}, {"bytes", other_bytes}};
}

}  // namespace

Json memory_section(const ModelTree& tree) {
  const MemoryTimeline timeline = memory_timeline(*tree.graph, tree.inference);
  if (timeline.bytes.empty()) return nullptr;
  const OperatorPaths paths(tree.root);
  const std::string counted(name_of(Provenance::Counted));
  const Node& at_peak = tree.graph->main.nodes[timeline.peak_step];
  Json json = {{"operators", timeline.bytes.size()},
               {"steps", Json::array()},
               {"alive", Json::array()},
               {"complete", timeline.complete}};
  for (const Step& step : thinned(timeline.bytes)) {
    json["steps"].push_back(step.at);
    json["alive"].push_back(step.bytes);
  }
  const auto bytes = [&](std::int64_t value, bool is_bound) {
    return page_quantity({static_cast<double>(value), counted, {}, {}, is_bound}, "B");
  };
  json["weights"] = bytes(tree.root.totals.weight_bytes, false);
  json["peak"] = bytes(timeline.bytes[timeline.peak_step], !timeline.complete);
  json["peak_operator"] = {
      {"name", paths.of(at_peak)}, {"type", std::string(at_peak.op)}, {"step", timeline.peak_step}};
  add_tensors(tree, timeline, paths, json);
  return json;
}

}  // namespace jouletree::report
