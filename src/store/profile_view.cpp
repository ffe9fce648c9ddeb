#include "store/profile_view.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include "base/shares.hpp"
#include "measure/phase_sums.hpp"
#include "measure/profile_notes.hpp"
#include "measure/profile_sums.hpp"
#include "measure/profile_warnings.hpp"
#include "measure/runs_of.hpp"
#include "store/above_idle.hpp"

namespace jouletree::store {
namespace {

using measure::Profile;

const std::string kMeasured(name_of(Provenance::Measured));

std::string kind_of(const TreeNode& node) {
  switch (node.kind) {
    case TreeNodeKind::Model: return "model";
    case TreeNodeKind::Module: return "module";
    case TreeNodeKind::Operator: return "operator";
  }
  return "";
}

ProfileNumber number(const Figure& figure, const std::string& provenance) {
  return {figure, figure.value ? provenance : ""};
}

void add_summary(const Profile& profile, ProfileView& view) {
  const measure::Measured& whole = profile.whole;
  const Figure time = measure::time_of(whole);
  const Figure energy = measure::energy_of(whole);
  const auto how = measure::energy_provenance_of(whole);
  const std::string provenance(how ? name_of(*how) : std::string_view());
  view.time = number(time, kMeasured);
  view.energy = number(energy, provenance);
  if (whole.energy && !whole.energy->summed.empty()) view.energy_covers = whole.energy->rule;
  view.energy_above_idle = number(measure::energy_above_idle_of(whole), provenance);
  if (measure::is_energy_above_idle_lost(whole)) view.energy_above_idle_doubt = kNotToldFromIdle;
  view.windows = static_cast<std::int64_t>(whole.trials.time.n);
  view.precise = whole.trials.precise;
  if (profile.precision > 0) view.asked_precision = profile.precision;
  const std::vector<double>& each = profile.latencies_s;
  if (each.empty()) return;
  view.latency = MeasuredLatency{
      std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(each.size()),
      quantile(each, 0.5),
      quantile(each, 0.9),
      quantile(each, 0.99),
      each.front(),
      each.back(),
      static_cast<std::int64_t>(each.size())};
}

std::string date_of_reused(const measure::Measured& measured) {
  return measured.reused ? measured.reused->date : "";
}

class TreeRows {
 public:
  explicit TreeRows(const Profile& profile)
      : profile_(profile),
        by_node_(profile.by_node()),
        sums_(profile),
        phases_(profile),
        figures_(measure::figures_of(profile)) {}

  void add(const TreeNode& node, int level, std::vector<ProfileNode>& rows) const {
    rows.push_back(row_of(node, level));
    for (const TreeNode& child : node.children) add(child, level + 1, rows);
  }

 private:
  [[nodiscard]] ProfileNode row_of(const TreeNode& node, int level) const {
    ProfileNode row;
    row.level = level;
    row.kind = kind_of(node);
    row.name = level == 0 ? profile_.tree.name : node.name;
    row.scope = node.scope;
    row.type = node.type;
    const measure::ProfileSums::Sum& sum = sums_.of(node);
    const NodeFigures figures = figures_(node);
    row.alone = figures.time_s && !figures.is_in_place;
    if (row.alone) row.reused_from = reused_from(node);
    row.unknown = sum.unknown;
    row.in_place = sum.in_place;
    row.in_place_s = sum.in_place_s;
    if (sum.known + sum.in_place > 0) row.operators_s = sum.seconds;
    row.time_s = row.alone ? figures.time_s : row.operators_s;
    row.energy_j = row.alone ? figures.energy_j : sum.joules;
    for (const auto& [phase, part] : phases_.of(node)) {
      const bool any = part.operators > part.unknown;
      row.phases.push_back({std::string(name_of(phase)),
                            any ? std::optional(part.seconds) : std::nullopt, part.joules,
                            part.in_place, part.unknown});
    }
    return row;
  }

  /// Of a node that was measured alone.
  [[nodiscard]] std::string reused_from(const TreeNode& node) const {
    if (node.kind == TreeNodeKind::Model) return "";
    return date_of_reused(node.operation != nullptr ? *by_node_[node.operation->id]->measured
                                                    : profile_.modules.at(node.scope));
  }

  const Profile& profile_;
  std::vector<const measure::UniqueOperator*> by_node_;
  measure::ProfileSums sums_;
  measure::PhaseSums phases_;
  FiguresOf figures_;
};

void add_operators(const Profile& profile, ProfileView& view) {
  const std::vector<const TreeNode*> nodes = measure::tree_nodes(profile);
  for (const measure::UniqueOperator& unique : profile.operators) {
    ProfileOperator row;
    const TreeNode* node = unique.nodes.empty() ? nullptr : nodes[unique.nodes[0]];
    row.name = node == nullptr ? unique.key : node->scope;
    row.type = node == nullptr ? "" : node->type;
    row.count = static_cast<std::int64_t>(measure::runs_of(profile.tree, unique));
    row.in_place_s = unique.in_place_s;
    if (unique.measured) {
      row.failure = unique.measured->failure;
      row.reused_from = date_of_reused(*unique.measured);
      row.time_s = measure::time_of(*unique.measured);
      if (unique.measured->good()) row.energy_j = measure::energy_of(*unique.measured);
    }
    view.operators.push_back(std::move(row));
  }
}

std::vector<ProfileType> types_of(const std::vector<ProfileOperator>& operators) {
  std::map<std::string, ProfileType> by_type;
  for (const ProfileOperator& row : operators) {
    ProfileType& type = by_type[row.type];
    const auto joules = row.total_j();
    if (const auto seconds = row.total_s()) type.time_s = type.time_s.value_or(0) + *seconds;
    if (row.is_in_place()) type.in_place += row.count;
    if (row.time_s.value) {
      if (type.measured == 0) {
        type.energy_j = joules;
      } else if (type.energy_j && joules) {
        *type.energy_j += *joules;
      } else {
        type.energy_j.reset();
      }
      type.measured += row.count;
    }
    type.type = row.type;
    type.count += row.count;
  }
  std::vector<ProfileType> types;
  types.reserve(by_type.size());
  for (auto& [name, type] : by_type) types.push_back(std::move(type));
  std::stable_sort(types.begin(), types.end(), [](const ProfileType& a, const ProfileType& b) {
    return a.time_s.value_or(-1) > b.time_s.value_or(-1);
  });
  return types;
}

ProfileLedger view_ledger_of(const Profile& profile) {
  const measure::Ledger& from = profile.ledger;
  ProfileLedger ledger;
  for (const measure::UniqueOperator& unique : profile.operators)
    ledger.operators += static_cast<std::int64_t>(measure::runs_of(profile.tree, unique));
  ledger.kinds = static_cast<std::int64_t>(profile.operators.size());
  ledger.failed = static_cast<std::int64_t>(from.failed);
  ledger.left_out = static_cast<std::int64_t>(from.left_out);
  ledger.out_of_time = static_cast<std::int64_t>(from.out_of_time);
  ledger.in_place = static_cast<std::int64_t>(from.in_place);
  ledger.raw_s = from.raw_s;
  ledger.raw_j = from.raw_j;
  ledger.adjusted_s = from.adjusted_s;
  ledger.adjusted_j = from.adjusted_j;
  ledger.speed_scatter = from.speed_scatter;
  if (from.caller_s.value) ledger.caller = profile.caller->name;
  ledger.caller_s = from.caller_s;
  ledger.caller_j = from.caller_j;
  if (from.in_place > 0) ledger.in_place_s = from.in_place_s;
  ledger.reused_kinds = static_cast<std::int64_t>(from.reused_kinds);
  if (from.reused_kinds > 0) ledger.reused_s = from.reused_s;
  if (from.budget_for_all) ledger.budget_for_all_s = from.budget_for_all->count();
  ledger.whole_s = measure::time_of(profile.whole).value;
  ledger.whole_j = profile.whole.joules();
  ledger.attribution_time = from.attribution_time;
  ledger.attribution_energy = from.attribution_energy;
  return ledger;
}

/// What operators take inside the model explains nothing, so only those count that ran alone.
ProfileTarget target_of(double asked, const ProfileView& view) {
  std::vector<ProfileOperator> alone;
  std::copy_if(view.operators.begin(), view.operators.end(), std::back_inserter(alone),
               [](const ProfileOperator& row) { return row.time_s.value.has_value(); });
  ProfileTarget target;
  target.asked = asked;
  double sum = view.ledger.caller_s.value.value_or(0);
  const double wanted = asked * view.ledger.whole_s.value_or(0);
  for (const ProfileType& type : types_of(alone)) {
    if (target.reached) continue;
    target.types.push_back(type.type);
    sum += *type.time_s;
    target.reached = sum >= wanted;
  }
  return target;
}

}  // namespace

ProfileView view_of(const Profile& profile, std::optional<double> target) {
  ProfileView view;
  view.model = profile.tree.name;
  view.engine = profile.engine;
  view.date = profile.environment.date;
  view.cpu = profile.environment.cpu;
  if (profile.environment.cpus > 0) view.cpus = profile.environment.cpus;
  view.settings = profile.environment.settings;
  view.inputs = profile.tree.inference.inputs;
  add_summary(profile, view);
  TreeRows(profile).add(profile.tree.root, 0, view.tree);
  add_operators(profile, view);
  view.types = types_of(view.operators);
  view.ledger = view_ledger_of(profile);
  if (target) view.target = target_of(*target, view);
  if (profile.others) {
    view.others = ProfileOthers{profile.others->cpus + profile.others->stolen,
                                static_cast<double>(profile.others->of_cpus)};
  }
  view.failures = measure::failures_of(profile);
  view.warnings = measure::warnings_of(profile);
  view.notes = notes_of(profile);
  const tree::MetricSet metrics;
  view.counted = tree::counted_metrics(metrics.compute(profile.given_tree()));
  view.metrics = metrics.compute(measured_model(view));
  return view;
}

}  // namespace jouletree::store
