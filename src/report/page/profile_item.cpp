#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/bounded_json.hpp"
#include "jouletree/tree_files.hpp"
#include "jouletree/units.hpp"
#include "report/page/page_columns.hpp"
#include "report/page/page_items.hpp"
#include "report/page/page_tree.hpp"
#include "store/json_member.hpp"

namespace jouletree::report {
namespace {

using Json = nlohmann::ordered_json;
using Cell = PageColumn::Cell;
using store::member;

std::optional<double> number_in(const Json& node, const char* key, double unit = 1) {
  const Json& found = member(node, key);
  return found.is_number() ? std::optional(found.get<double>() * unit) : std::nullopt;
}

/// What the tree file has beside the view: counts and bounds, by node.
class CountedNodes {
 public:
  explicit CountedNodes(std::string_view tree_line) : line_(parse_json_if_any<Json>(tree_line)) {
    add(member(line_, "frontend_tree"));
  }

  /// Of the node of this scope; null where the file has none.
  [[nodiscard]] const Json& of(const std::string& scope) const {
    static const Json nothing;
    const auto found = nodes_.find(scope.empty() ? "root" : "root." + scope);
    return found == nodes_.end() ? nothing : *found->second;
  }

 private:
  void add(const Json& node) {
    const Json& scope = member(node, "scope");
    if (!scope.is_string()) return;
    nodes_.emplace(scope.get<std::string>(), &node);
    const Json& children = member(node, "child_nodes_obj");
    if (children.is_array())
      for (const Json& child : children) add(child);
  }

  Json line_;
  std::map<std::string, const Json*> nodes_;
};

/// A count of a node as it stands in a tree file.
struct FileCount {
  PageColumnKind column;
  const char* key;
  double unit;
};
constexpr std::array<FileCount, 4> kFileCounts = {{{kMacsColumn, "macs", 1},
                                                   {kFlopsColumn, "flops", kFlopsInFiles},
                                                   {kBytesColumn, "mem_bytes", kMebibyte},
                                                   {kParamsColumn, "num_parameters", 1}}};

std::vector<PageColumn> count_columns() {
  std::vector<PageColumn> columns;
  columns.reserve(kFileCounts.size());
  for (const FileCount& count : kFileCounts) columns.emplace_back(count.column);
  return columns;
}

Cell counted_cell(const Json& node, const FileCount& count) {
  const Json& bound = member(node, "lower_bound");
  return {number_in(node, count.key, count.unit),
          std::string(name_of(Provenance::Counted)),
          {},
          {},
          bound.is_boolean() && bound.get<bool>()};
}

std::string time_word(bool in_place) {
  return std::string(in_place ? kMeasuredInPlace : name_of(Provenance::Measured));
}

/// Bounds of a module that is a sum belong to what ran alone.
Cell time_cell(const ProfileNode& node, const Json& counted) {
  return {node.time_s, time_word(node.is_in_place()),
          node.alone ? number_in(counted, "time_low_s") : std::nullopt,
          node.alone ? number_in(counted, "time_high_s") : std::nullopt,
          !node.alone && node.unknown > 0};
}

Cell energy_cell(const ProfileNode& node, const Json& counted, const std::string& provenance) {
  return {node.energy_j, provenance, node.alone ? number_in(counted, "energy_low_j") : std::nullopt,
          node.alone ? number_in(counted, "energy_high_j") : std::nullopt,
          !node.alone && node.unknown > 0};
}

/// Every phase that any node has, in the order of a step.
Json phases_of(const store::ProfileView& view) {
  std::vector<std::string> names;
  for (const ProfileNode& node : view.tree) {
    for (const ProfilePhase& phase : node.phases) {
      if (std::find(names.begin(), names.end(), phase.name) == names.end())
        names.push_back(phase.name);
    }
  }
  Json phases = Json::array();
  for (const std::string& name : names) {
    Json time = Json::array();
    Json energy = Json::array();
    for (const ProfileNode& node : view.tree) {
      const auto found =
          std::find_if(node.phases.begin(), node.phases.end(),
                       [&](const ProfilePhase& phase) { return phase.name == name; });
      const bool has = found != node.phases.end();
      time.push_back(page_number(has ? found->time_s : std::nullopt));
      energy.push_back(page_number(has ? found->energy_j : std::nullopt));
    }
    phases.push_back({{"name", name}, {"time", std::move(time)}, {"energy", std::move(energy)}});
  }
  return phases;
}

Json tree_of(const store::ProfileView& view, const CountedNodes& counted) {
  PageTree tree;
  PageColumn time(kTimeColumn);
  PageColumn energy(kEnergyColumn);
  std::vector<PageColumn> counts = count_columns();
  std::vector<int> above;  ///< The last row of each level.
  for (std::size_t i = 0; i < view.tree.size(); ++i) {
    const ProfileNode& node = view.tree[i];
    above.resize(static_cast<std::size_t>(node.level) + 1);
    above.back() = static_cast<int>(i);
    // In a damaged profile the first row need not be the model.
    const bool is_root = i == 0 || node.level == 0;
    const int parent = is_root ? PageTree::kRoot : above[above.size() - 2];
    tree.add_node(parent, page_kind_of(node.kind), node.name.empty() ? view.model : node.name,
                  node.type);
    const Json& file_node = counted.of(node.scope);
    time.add(time_cell(node, file_node));
    energy.add(energy_cell(node, file_node, view.energy.provenance));
    for (std::size_t k = 0; k < counts.size(); ++k)
      counts[k].add(counted_cell(file_node, kFileCounts[k]));
  }
  tree.add_column(time);
  tree.add_column(energy);
  for (const PageColumn& column : counts) tree.add_column(column);
  Json json = tree.json();
  if (Json phases = phases_of(view); !phases.empty()) json["phases"] = std::move(phases);
  return json;
}

Json operators_of(const store::ProfileView& view, const CountedNodes& counted) {
  PageTexts texts;
  Json types = Json::array();
  Json firsts = Json::array();
  Json numbers = Json::array();
  Json notes = Json::array();
  PageColumn time(kTimeColumn);
  PageColumn energy(kEnergyColumn);
  std::vector<PageColumn> counts = count_columns();
  for (const ProfileOperator& row : view.operators) {
    types.push_back(texts.place_or_none(row.type));
    firsts.push_back(texts.place_of(row.name));
    numbers.push_back(row.count);
    notes.push_back(texts.place_or_none(row.failure));
    time.add({row.each_s(), time_word(row.is_in_place()), row.time_s.low, row.time_s.high});
    energy.add({row.energy_j.value, view.energy.provenance, row.energy_j.low, row.energy_j.high});
    for (std::size_t k = 0; k < counts.size(); ++k)
      counts[k].add(counted_cell(counted.of(row.name), kFileCounts[k]));
  }
  Json columns = Json::array();
  const auto add = [&](const PageColumn& column) {
    if (!column.is_empty()) columns.push_back(column.json());
  };
  add(time);
  add(energy);
  for (const PageColumn& column : counts) add(column);
  return {{"texts", texts.json()}, {"type", types}, {"first", firsts},
          {"count", numbers},      {"note", notes}, {"columns", columns}};
}

Json facts_of(const store::ProfileView& view) {
  Json facts = Json::array();
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) facts.push_back({name, value});
  };
  add("model", view.model);
  add("engine", view.engine);
  add("date", view.date);
  add("CPU", view.cpu);
  if (view.cpus) add("CPUs", fmt::format("{}", *view.cpus));
  for (const InputShape& input : view.inputs) add("input " + input.name, to_string(input));
  add("energy covers", view.energy_covers);
  for (const auto& [name, value] : view.settings) add(name, value);
  return facts;
}

Json latency_of(const MeasuredLatency& latency) {
  return {{"runs", latency.runs},
          {"mean", page_number(latency.mean_s)},
          {"median", page_number(latency.median_s)},
          {"p90", page_number(latency.p90_s)},
          {"p99", page_number(latency.p99_s)},
          {"min", page_number(latency.min_s)},
          {"max", page_number(latency.max_s)}};
}

}  // namespace

Json profile_item(const store::ProfileView& view, std::string_view tree_line,
                  const std::string& label, const std::string& source) {
  const CountedNodes counted(tree_line);
  Json item = empty_item("profile", label, source);
  item["facts"] = facts_of(view);
  item["metrics"] = page_metrics(view.metrics);
  item["warnings"] = view.warnings;
  for (const std::string& failure : view.failures) item["notes"].push_back("failed: " + failure);
  for (const std::string& note : view.notes) {
    if (std::find(view.warnings.begin(), view.warnings.end(), note) == view.warnings.end())
      item["notes"].push_back(note);
  }
  if (view.latency) item["latency"] = latency_of(*view.latency);
  item["tree"] = tree_of(view, counted);
  item["operators"] = operators_of(view, counted);
  item["ledger"] = ledger_section(view);
  return item;
}

}  // namespace jouletree::report
