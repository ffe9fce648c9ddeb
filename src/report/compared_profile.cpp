#include "report/compared_profile.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "jouletree/units.hpp"
#include "store/profile_folder.hpp"

namespace jouletree::report {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double kMillion = 1e6;

std::string tree_line_of(const fs::path& folder) {
  std::ifstream file(store::profile_file(folder, store::kTreeFile));
  return {std::istreambuf_iterator<char>(file), {}};
}

Json parse_tree(std::string_view text, const std::string& name) {
  const Json line = parse_json_if_any<Json>(text);
  const auto tree = line.is_object() ? line.find("frontend_tree") : line.end();
  if (!line.is_object() || tree == line.end() || !tree->is_object()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: cannot be read; profile the model again", name));
  }
  return *tree;
}

std::optional<double> number(const Json& node, const char* key, double unit = 1) {
  const auto found = node.find(key);
  if (found == node.end() || !found->is_number()) return std::nullopt;
  return found->get<double>() * unit;
}

std::optional<double> whole(const Json& node, const char* key, double unit) {
  const auto value = number(node, key, unit);
  return value ? std::optional(std::round(*value)) : std::nullopt;
}

/// The metrics that follow from the root of the tree: all that profiles of older programs hold.
std::vector<CountedMetric> counted_metrics(const Json& root) {
  const bool is_bound = root.value("lower_bound", false);
  const auto flops = whole(root, "flops", kMillion);
  const auto bytes = whole(root, "mem_bytes", kMebibyte);
  const auto operators = number(root, "operators");
  const auto without_rule = number(root, "operators_without_rule");
  std::vector<CountedMetric> values = {{"params", "", {number(root, "num_parameters")}},
                                       {"macs", "", {number(root, "macs"), is_bound}},
                                       {"flops", "", {flops, is_bound}},
                                       {"bytes_moved", "", {bytes, is_bound}},
                                       {"weight_bytes", "", {number(root, "weight_bytes")}},
                                       {"operators", "", {operators}}};
  if (flops && bytes && *bytes > 0 && !is_bound)
    values.push_back({"arithmetic_intensity", "", {*flops / *bytes}});
  if (operators && without_rule && *operators > 0)
    values.push_back({"coverage_nodes", "", {1 - *without_rule / *operators}});
  return values;
}

Count count_of_number(const std::optional<double>& number) {
  return number ? Count(std::llround(*number)) : Count::unknown();
}

void add_types(const Json& node, std::map<std::string, TypeUse>& types) {
  if (node.value("type", "") == "ml" && node.contains("instance_type") &&
      node["instance_type"].is_string()) {
    TypeUse& use = types[node["instance_type"].get<std::string>()];
    ++use.calls;
    use.totals.params += std::llround(number(node, "num_parameters").value_or(0));
    use.totals.macs.add(count_of_number(number(node, "macs")));
    use.totals.flops.add(count_of_number(whole(node, "flops", kMillion)));
    use.totals.read_bytes.add(count_of_number(number(node, "read_bytes")));
    use.totals.written_bytes.add(count_of_number(number(node, "written_bytes")));
  }
  const auto children = node.find("child_nodes_obj");
  if (children == node.end()) return;
  for (const Json& child : *children) add_types(child, types);
}

void add_nodes(const std::vector<store::NodeRecord>& nodes, std::map<std::string, TypeUse>& types) {
  for (const store::NodeRecord& node : nodes) {
    TypeUse& use = types[node.type];
    ++use.calls;
    use.totals.params += std::llround(node.params.value_or(0));
    use.totals.macs.add(count_of_number(node.macs));
    use.totals.flops.add(count_of_number(node.flops));
    use.totals.read_bytes.add(count_of_number(node.bytes));
  }
}

void complete_counts(const Json& root, store::ProfileView& view) {
  if (!view.counted.empty()) return;
  view.counted = counted_metrics(root);
  view.metrics = tree::MetricSet().compute(store::measured_model(view));
}

/// "a: X, b: Y" where not all say the same; empty where they do. Nothing: not asked.
std::string difference_in(const char* what, const std::vector<ComparedProfile>& profiles,
                          const std::vector<std::optional<std::string>>& values) {
  std::set<std::string> different;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    if (!values[i]) continue;
    different.insert(*values[i]);
    parts.push_back(fmt::format("{}: {}", profiles[i].model.label,
                                values[i]->empty() ? "unknown" : *values[i]));
  }
  if (different.size() < 2) return "";
  return fmt::format("profiles differ in {} ({})", what, fmt::join(parts, ", "));
}

/// Scores on other data are no matter of the model alone.
void add_score_difference(const std::vector<ComparedProfile>& profiles,
                          std::vector<std::string>& notes) {
  std::set<std::string> hashes;
  std::vector<std::string> parts;
  for (const ComparedProfile& profile : profiles) {
    if (!profile.view.score) continue;
    hashes.insert(profile.view.score->labels_hash);
    parts.push_back(fmt::format("{}: {}", profile.model.label,
                                number_of(profile.view.score->examples, "example")));
  }
  if (hashes.size() > 1) {
    notes.push_back(fmt::format(
        "scores are of other labels from profile to profile ({}): compare them with care",
        fmt::join(parts, ", ")));
  }
}

}  // namespace

ComparedProfile compared_profile(const fs::path& folder, const std::string& label) {
  ComparedProfile result = compared_profile(store::read_profile_folder(folder).view,
                                            tree_line_of(folder), folder.string(), label);
  result.trials = store::trials_in(folder);
  return result;
}

ComparedProfile compared_profile(const store::ProfileView& profile, std::string_view tree_line,
                                 const std::string& file, const std::string& label) {
  ComparedProfile result;
  result.view = profile;
  store::ProfileView& view = result.view;
  const Json root = parse_tree(tree_line, (fs::path(file) / store::kTreeFile).string());
  ComparedModel& model = result.model;
  model.label = label;
  model.file = file;
  const bool counted_as_given = !view.counted.empty();
  complete_counts(root, view);
  model.metrics = view.metrics;
  add_types(root, model.types);
  model.inputs = view.inputs;
  model.notes.push_back(fmt::format(
      "a profile of {} in {}: counts are of {}", view.model, view.engine,
      counted_as_given ? "the model as it was given" : "the graph that the engine ran"));
  for (const std::string& warning : view.warnings) model.notes.push_back(warning);
  return result;
}

ComparedProfile compared_profile(const store::KeptModel& kept, const std::string& label) {
  ComparedProfile result;
  if (kept.tree_line.empty()) {
    result.view = kept.view;
    result.model.label = label;
    result.model.file = kept.place;
    result.model.knows_types = kept.operators.has_value();
    if (kept.operators) add_nodes(*kept.operators, result.model.types);
  } else {
    result = compared_profile(kept.view, kept.tree_line, kept.place, label);
  }
  result.trials = kept.trials;
  result.model.notes.insert(result.model.notes.begin(), kept.notes.begin(), kept.notes.end());
  return result;
}

void complete_counts(const fs::path& folder, store::ProfileView& view) {
  if (!view.counted.empty()) return;
  complete_counts(parse_tree(tree_line_of(folder), (folder / store::kTreeFile).string()), view);
}

std::vector<std::string> differences_of(const std::vector<ComparedProfile>& profiles) {
  std::vector<std::string> notes;
  const auto add = [&](const char* what, const auto& value_of) {
    std::vector<std::optional<std::string>> values;
    values.reserve(profiles.size());
    for (const ComparedProfile& profile : profiles) values.push_back(value_of(profile));
    if (std::string note = difference_in(what, profiles, values); !note.empty())
      notes.push_back(std::move(note));
  };
  add("the CPU", [](const ComparedProfile& profile) { return profile.view.cpu; });
  add("the engine", [](const ComparedProfile& profile) { return profile.view.engine; });
  std::set<std::string> keys;
  for (const ComparedProfile& profile : profiles)
    for (const auto& [key, value] : profile.view.settings) keys.insert(key);
  for (const std::string& key : keys) {
    add(("the setting " + key).c_str(),
        [&](const ComparedProfile& profile) -> std::optional<std::string> {
          // Tables of others do not tell how they measured.
          if (profile.view.settings.empty()) return std::nullopt;
          const auto found = profile.view.settings.find(key);
          return found == profile.view.settings.end() ? std::string("not set") : found->second;
        });
  }
  add_score_difference(profiles, notes);
  add("how energy was obtained",
      [](const ComparedProfile& profile) { return profile.view.energy.provenance; });
  return notes;
}

}  // namespace jouletree::report
