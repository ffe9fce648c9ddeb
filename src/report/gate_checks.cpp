#include "report/gate_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/many_tests.hpp"
#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "report/measured_differences.hpp"
#include "report/metric_text.hpp"
#include "report/si_text.hpp"
#include "tree/metric_set.hpp"

namespace jouletree::report {
namespace {

constexpr std::size_t kMostParts = 5;
/// Settings by which measurements of the same thing may differ.
constexpr std::array<std::string_view, 6> kHarmless = {"precision", "budget_s", "target",
                                                       "seed",      "data",     "engine"};

const Metric& metric_named(const std::string& name) {
  const auto all = metric_catalogue();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Metric& one) { return one.name == name; });
  if (found == all.end()) throw Error(ErrorKind::BadInput, name + ": no such metric");
  return *found;
}

GateCheck check_of(const GateLimit& limit) {
  const Metric& metric = metric_named(limit.metric);
  GateCheck check;
  check.limit = limit;
  check.title = metric.friendly_name;
  check.unit = metric.unit;
  check.provenance = name_of(metric.provenance);
  return check;
}

void add_counts(const MetricValue& baseline, const MetricValue& now, GateCheck& check) {
  const Metric& metric = metric_named(check.limit.metric);
  check.baseline = baseline.value;
  check.now = now.value;
  check.baseline_text = short_metric_text(metric, baseline);
  check.now_text = short_metric_text(metric, now);
  if (!baseline.value || !now.value) {
    check.untested = "not known of both";
  } else if (baseline.lower_bound || now.lower_bound) {
    check.untested = "only a lower bound is known";
  } else if (*baseline.value > 0) {
    check.ratio.value = *now.value / *baseline.value;
  } else if (*now.value <= 0) {
    check.ratio.value = 1;
  } else {
    check.untested = "the baseline has none";
  }
}

MetricValue counted_in(const store::ProfileView& view, const std::string& metric) {
  for (const tree::MetricResult& result : view.metrics)
    if (result.entry.metric.name == metric) return result.value;
  return {};
}

MetricValue counted_in(const ModelTree& tree, const std::string& metric) {
  const Metric& row = metric_named(metric);
  return row.from_tree == nullptr ? MetricValue{} : row.from_tree(tree);
}

void add_measured(const Differences& differences, GateCheck& check) {
  const auto row =
      std::find_if(differences.rows.begin(), differences.rows.end(), [&](const Difference& one) {
        return one.level == DifferenceLevel::Model && one.metric == check.limit.metric;
      });
  if (row == differences.rows.end()) {
    check.untested = "not known of either";
    return;
  }
  check.baseline = row->first;
  check.now = row->second;
  check.baseline_text = si_text(row->first, row->unit);
  check.now_text = si_text(row->second, row->unit);
  check.provenance = row->provenance;
  check.ratio = row->ratio;
  check.p = row->p;
  check.test = row->test;
  check.untested = row->untested;
}

std::string shape_text(const InputShape& input) {
  if (!input.dims) return "?";
  std::string text;
  for (const InputDim& dim : *input.dims)
    text += (text.empty() ? "" : "x") + std::to_string(dim.size);
  return text.empty() ? "1" : text;
}

/// Their names may change from one export to the next, and so may their order.
std::vector<std::string> sizes_of(const std::vector<InputShape>& inputs) {
  std::vector<std::string> sizes;
  sizes.reserve(inputs.size());
  for (const InputShape& input : inputs) sizes.push_back(shape_text(input));
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

void refuse_other_sizes(const std::vector<InputShape>& baseline, const std::vector<InputShape>& now,
                        const std::string& baseline_name, const std::string& now_name) {
  const std::vector<std::string> one = sizes_of(baseline);
  const std::vector<std::string> other = sizes_of(now);
  if (one.empty() || other.empty() || one == other) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: has inputs of {}, but {} of {}; measure both with the same sizes "
                          "(--input, --dim)",
                          now_name, fmt::join(other, ", "), baseline_name, fmt::join(one, ", ")));
}

/// Of measurements that have nothing to do with each other: one sentence each.
std::vector<std::string> mismatches(const store::ProfileView& baseline,
                                    const store::ProfileView& now) {
  std::vector<std::string> found;
  const auto compare = [&](const std::string& what, const std::string& one,
                           const std::string& other) {
    if (one != other) {
      found.push_back(fmt::format("{} (baseline: {}, now: {})", what, one.empty() ? "unknown" : one,
                                  other.empty() ? "unknown" : other));
    }
  };
  compare("the CPU", baseline.cpu, now.cpu);
  const auto cpus = [](const store::ProfileView& view) {
    return view.cpus ? std::to_string(*view.cpus) : std::string();
  };
  compare("the number of CPUs", cpus(baseline), cpus(now));
  compare("the engine", baseline.engine, now.engine);
  std::set<std::string> keys;
  for (const store::ProfileView* const view : {&baseline, &now})
    for (const auto& [key, value] : view->settings) keys.insert(key);
  for (const std::string& key : keys) {
    if (std::find(kHarmless.begin(), kHarmless.end(), key) != kHarmless.end()) continue;
    const auto value_in = [&](const store::ProfileView& view) {
      const auto place = view.settings.find(key);
      return place == view.settings.end() ? std::string("not set") : place->second;
    };
    compare("the setting " + key, value_in(baseline), value_in(now));
  }
  if (baseline.energy.figure.value && now.energy.figure.value)
    compare("how energy was obtained", baseline.energy.provenance, now.energy.provenance);
  return found;
}

void refuse_mismatches(const ComparedProfile& baseline, const ComparedProfile& now,
                       const std::vector<GateLimit>& limits, bool other_machine, GateResult& gate) {
  refuse_other_sizes(baseline.view.inputs, now.view.inputs, baseline.model.file, now.model.file);
  const std::vector<std::string> found = mismatches(baseline.view, now.view);
  if (found.empty()) return;
  const bool measured = std::any_of(limits.begin(), limits.end(), [](const GateLimit& limit) {
    return is_measured_metric(limit.metric);
  });
  if (!measured && other_machine) {
    for (const std::string& one_of_them : found)
      gate.notes.push_back("the baseline differs in " + one_of_them);
    return;
  }
  throw Error(
      ErrorKind::BadInput,
      fmt::format(
          "{}: differs from its baseline {} in {}{}; {}", now.model.file, baseline.model.file,
          found.front(),
          found.size() == 1 ? std::string()
                            : fmt::format(" and {} more", number_of(found.size() - 1, "point")),
          measured ? "times and energies can only be compared on the same machine, with the "
                     "same engine and settings: measure the baseline here, or leave "
                     "--max-time and --max-energy out"
                   : "say --allow-other-machine if the counts may be compared"));
}

void add_parts(const Differences& differences, GateResult& gate) {
  for (const Difference& row : differences.rows) {
    if (row.level == DifferenceLevel::Model || !row.significant() || row.change().value_or(0) <= 0)
      continue;
    if (gate.parts.size() < kMostParts) gate.parts.push_back(row);
  }
}

GateCheck paired_check(const GateLimit& limit, const measure::PairedRuns& runs) {
  GateCheck check = check_of(limit);
  const bool is_energy = limit.metric == "energy_j";
  std::vector<double> ratios;
  std::vector<int> loads;
  for (const measure::PairedRound& round : runs.rounds) {
    const auto ratio = is_energy ? round.energy_ratio : std::optional(round.time_ratio);
    if (!ratio || *ratio <= 0 || !std::isfinite(*ratio)) continue;
    ratios.push_back(*ratio);
    loads.push_back(round.load);
  }
  if (is_energy) check.provenance = runs.energy_provenance;
  if (ratios.empty()) {
    check.untested = "no meter told about it";
    return check;
  }
  check.baseline = is_energy ? runs.first_j : std::optional(runs.first_s);
  check.now = is_energy ? runs.second_j : std::optional(runs.second_s);
  check.baseline_text = si_text(check.baseline, check.unit);
  check.now_text = si_text(check.now, check.unit);
  const measure::PairedTest tested = measure::test_pairs(ratios, loads);
  check.ratio = tested.ratio;
  check.p = tested.p;
  check.test = "Wilcoxon on rounds, and Student on loads";
  return check;
}

void correct(std::vector<GateCheck>& checks) {
  std::vector<double> p_values;
  for (const GateCheck& check : checks)
    if (check.p) p_values.push_back(*check.p);
  const std::vector<double> corrected = corrected_for_many(p_values);
  std::size_t next = 0;
  for (GateCheck& check : checks)
    if (check.p) check.p = corrected[next++];
}

}  // namespace

bool is_measured_metric(const std::string& metric) {
  return metric == "time_s" || metric == "energy_j";
}

GateResult gate_of_profiles(const ComparedProfile& baseline, const ComparedProfile& now,
                            const std::vector<GateLimit>& limits, bool other_machine) {
  GateResult gate;
  gate.baseline = baseline.model.label;
  gate.now = now.model.label;
  gate.how = "trials of two profiles";
  refuse_mismatches(baseline, now, limits, other_machine, gate);
  const Differences differences = difference_between(baseline, now);
  for (const GateLimit& limit : limits) {
    GateCheck check = check_of(limit);
    if (is_measured_metric(limit.metric)) {
      add_measured(differences, check);
    } else {
      add_counts(counted_in(baseline.view, limit.metric), counted_in(now.view, limit.metric),
                 check);
    }
    gate.checks.push_back(std::move(check));
  }
  add_parts(differences, gate);
  if (!differences.doubt.empty()) {
    gate.notes.push_back(
        differences.doubt +
        "; 'jouletree gate MODEL --against MODEL' runs both by turns, which a busy "
        "machine disturbs less");
  }
  return gate;
}

GateResult gate_of_pairs(const measure::PairedRuns& runs, const std::string& baseline,
                         const std::string& now, const std::vector<GateLimit>& limits) {
  refuse_other_sizes(runs.first_tree.inference.inputs, runs.second_tree.inference.inputs, baseline,
                     now);
  GateResult gate;
  gate.baseline = baseline;
  gate.now = now;
  const int loads = runs.rounds.empty() ? 0 : runs.rounds.back().load + 1;
  gate.how = fmt::format("{} in which both ran by turns in {}, loaded {} times",
                         number_of(runs.rounds.size(), "round"), runs.engine, loads);
  for (const GateLimit& limit : limits) {
    if (is_measured_metric(limit.metric)) {
      gate.checks.push_back(paired_check(limit, runs));
      continue;
    }
    GateCheck check = check_of(limit);
    add_counts(counted_in(runs.first_tree, limit.metric),
               counted_in(runs.second_tree, limit.metric), check);
    gate.checks.push_back(std::move(check));
  }
  correct(gate.checks);
  return gate;
}

}  // namespace jouletree::report
