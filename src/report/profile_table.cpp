#include <algorithm>
#include <cmath>
#include <ostream>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/figure_sum.hpp"
#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "base/shares.hpp"
#include "base/text_table.hpp"
#include "base/wrapped_text.hpp"
#include "report/input_shapes.hpp"
#include "report/inspect_report.hpp"
#include "report/interval_text.hpp"
#include "report/metric_text.hpp"
#include "report/profile_ledger_table.hpp"
#include "report/profile_report.hpp"
#include "report/score_report.hpp"
#include "report/si_text.hpp"

namespace jouletree::report {
namespace {

using Align = TextTable::Align;
using Fit = TextTable::Fit;

constexpr std::size_t kTopOperators = 10;
constexpr std::string_view kAboveIdle = "energy_above_idle_j";

std::string percent_text(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f}", *share * 100) : "";
}

/// "1.23 ms", and nothing for what is not known: most cells of a row say enough.
std::string si_cell(const std::optional<double>& value, std::string_view unit) {
  return value ? si_text(*value, unit) : "?";
}

std::string bar(const std::optional<double>& share) {
  constexpr int kWidth = 10;
  constexpr int kSteps = 8;
  static constexpr const char* kParts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double shown = std::clamp(share.value_or(0), 0.0, 1.0);
  const auto eighths = std::lround(shown * kWidth * kSteps);
  std::string text;
  for (long i = 0; i < eighths / kSteps; ++i) text += "█";
  return text + kParts[eighths % kSteps];
}

/// Behind the value of a time.
std::string windows_text(const store::ProfileView& view) {
  std::string windows = "median of " + number_of(view.windows, "window");
  if (view.precise) return windows;
  if (!view.asked_precision) return windows + ", not as precise as asked";
  return fmt::format("{}, not as precise as asked (± {:.4g} %)", windows,
                     100 * *view.asked_precision);
}

/// Marks a time that is not, or not only, that of something that ran alone.
std::string marked(bool in_place, const std::string& text) { return in_place ? "~ " + text : text; }

/// Marks what was measured for an earlier profile.
std::string dated(const std::string& reused_from, const std::string& text) {
  return reused_from.empty() ? text : "* " + text;
}

bool has_reused(const store::ProfileView& view) {
  return std::any_of(view.tree.begin(), view.tree.end(),
                     [](const ProfileNode& node) { return !node.reused_from.empty(); });
}

std::string energy_detail(const store::ProfileView& view) {
  if (view.energy.figure.value) return printable(view.energy_covers);
  return view.energy_covers.empty() ? "no meter" : "the meters saw nothing in so short a time";
}

/// What is measured is one of these.
std::string title_of(const store::ProfileView& view) {
  const auto mode = view.settings.find("mode");
  const bool trains = mode != view.settings.end() && mode->second == "train";
  return trains ? "one training step" : "one inference";
}

/// Why a metric of a plug-in is unknown, where that can be told.
std::string plugin_detail(const tree::MetricResult& result) {
  if (!result.failure.empty()) return printable(result.failure);
  const bool needs_model = !result.entry.from_profile;
  if (result.value.value || !needs_model) return "";
  return result.entry.metric.of_file ? "known of the model's file only"
                                     : "not in this profile; profile the model with the plug-in";
}

/// What else there is to say about a number of the summary.
std::string detail_of(const tree::MetricResult& result, const store::ProfileView& view) {
  const std::string_view name = result.entry.metric.name;
  if (!result.entry.plugin.empty()) return plugin_detail(result);
  if (name == "time_s") return windows_text(view);
  if (name == "latency_mean_s" && view.latency)
    return fmt::format("of {} single runs", with_separators(view.latency->runs));
  if (name == "throughput_per_s") return "one after the other";
  if (name == "energy_j") return energy_detail(view);
  if (result.entry.metric.of_score && view.score) return score_detail(result, *view.score);
  return name == kAboveIdle ? view.energy_above_idle_doubt : "";
}

/// Counts of the engine's graph are in the files and in JSON: next to times, people would take them
/// for those of the model. What is unknown is shown where there is a reason to tell.
bool belongs_to_summary(const tree::MetricResult& result, const std::string& detail) {
  if (!result.entry.plugin.empty()) return true;
  const std::string_view name = result.entry.metric.name;
  const bool is_in_ledger = name == "attribution_time" || name == "attribution_energy";
  if (is_in_ledger) return false;
  return tree::is_only_measured(result.entry) && (result.value.value || !detail.empty());
}

void print_summary(const store::ProfileView& view, const FootprintFactors& factors,
                   std::ostream& out) {
  TextTable table({{title_of(view), Align::Left, Fit::Whole},
                   {"value", Align::Right},
                   {"interval", Align::Right, Fit::Whole, 1},
                   {"how", Align::Left, Fit::Whole},
                   {"", Align::Left, Fit::Wrap, 2}});
  std::string_view above;
  for (const tree::MetricResult& result : view.metrics) {
    const std::string detail = detail_of(result, view);
    if (!belongs_to_summary(result, detail)) continue;
    const Metric& metric = result.entry.metric;
    const MetricValue& value = result.value;
    // What may be nothing at all is no number to show.
    const bool doubtful = metric.name == kAboveIdle && !detail.empty();
    const MetricValue shown = doubtful ? MetricValue() : value;
    const std::string text =
        shown.lower_bound ? short_metric_text(metric, shown) : metric_text(metric, shown);
    table.add_row({title_below(metric.friendly_name, above), text,
                   interval_text({shown.value, shown.low, shown.high}),
                   std::string(shown.value ? name_of(tree::provenance_of(result)) : ""), detail});
    above = metric.friendly_name;
  }
  table.print(out);
  for (const FootprintLine& line : footprint_lines(footprint_energy(view), factors))
    out << fmt::format("{}  {}\n", line.title, printable(line.text));
  print_plugin_notes(view.metrics, out);
}

int depth_to_show(const store::ProfileView& view, std::optional<int> depth) {
  if (depth) return *depth;
  std::vector<std::int64_t> lines;
  for (const ProfileNode& node : view.tree) {
    const auto level = static_cast<std::size_t>(node.level);
    if (lines.size() <= level) lines.resize(level + 1, 0);
    ++lines[level];
  }
  return readable_depth(lines);
}

/// Whether a row takes clearly longer than the module around it; rows come in the order of the
/// tree.
class LargerThanParent {
 public:
  bool is(const ProfileNode& node) {
    constexpr double kClearly = 1.05;
    const auto level = static_cast<std::size_t>(node.level);
    times_.resize(level + 1);
    times_[level] = node.time_s;
    if (level == 0 || !node.time_s || !times_[level - 1]) return false;
    return *node.time_s > kClearly * *times_[level - 1];
  }

 private:
  std::vector<std::optional<double>> times_;  ///< Of the row and of those around it.
};

void print_tree(const store::ProfileView& view, std::optional<int> depth, std::ostream& out) {
  TextTable table({{"module", Align::Left},
                   {"type", Align::Left, Fit::Shorten, 2},
                   {"time", Align::Right},
                   {"%", Align::Right},
                   {"", Align::Left, Fit::Drop},
                   {"energy", Align::Right},
                   {"%", Align::Right, Fit::Whole, 1},
                   {"", Align::Left, Fit::Drop},
                   {"in place", Align::Right, Fit::Whole, 3},
                   {"Σ operators", Align::Right, Fit::Whole, 4}});
  const int shown = depth_to_show(view, depth);
  int deepest = 0;
  LargerThanParent larger;
  bool any_larger = false;
  for (const ProfileNode& node : view.tree) {
    deepest = std::max(deepest, node.level);
    if (node.level > shown) continue;
    const bool is_larger = larger.is(node);
    any_larger = any_larger || is_larger;
    const auto time = share(node.time_s, view.ledger.whole_s);
    const auto energy = share(node.energy_j, view.ledger.whole_j);
    const bool inner = node.kind != "operator";
    const auto sum_text = [&](double seconds) {
      return marked(node.in_place > 0,
                    (node.is_sum_lower_bound() ? "≥ " : "") + si_text(seconds, "s"));
    };
    std::string own = "?";
    if (node.time_s) {
      own =
          node.alone ? dated(node.reused_from, si_text(*node.time_s, "s")) : sum_text(*node.time_s);
    }
    table.add_row({std::string(static_cast<std::size_t>(node.level) * 2, ' ') + node.name,
                   node.type, own, (is_larger ? "! " : "") + percent_text(time), bar(time),
                   si_cell(node.energy_j, "J"), percent_text(energy), bar(energy),
                   si_cell(node.in_place_s, "s"),
                   inner && node.operators_s ? sum_text(*node.operators_s) : ""});
  }
  table.print(out);
  if (any_larger) {
    out << "! takes longer alone than the module around it: the machine was not as fast for both, "
           "or the part is slower alone\n";
  }
  if (shown < deepest)
    out << fmt::format("(levels 0 to {} of {}; --depth {} shows all)\n", shown, deepest, deepest);
}

/// Which phases a training step has, in their order.
std::vector<std::string> phases_of(const store::ProfileView& view) {
  std::vector<std::string> names;
  if (!view.tree.empty())
    for (const ProfilePhase& phase : view.tree[0].phases) names.push_back(phase.name);
  return names;
}

std::string phase_time(const ProfilePhase& phase) {
  if (!phase.time_s) return "?";
  return marked(phase.in_place > 0, (phase.unknown > 0 ? "≥ " : "") + si_text(*phase.time_s, "s"));
}

/// Of a training step: what the operators of every module take forward, backward and in the
/// optimiser.
void print_phases(const store::ProfileView& view, std::optional<int> depth, std::ostream& out) {
  const std::vector<std::string> names = phases_of(view);
  if (names.empty()) return;
  std::vector<TextTable::Column> columns{{"module", Align::Left}};
  for (const std::string& name : names) {
    columns.push_back({name, Align::Right});
    columns.push_back({"energy", Align::Right, Fit::Whole, 1});
  }
  TextTable table(columns);
  const int shown = depth_to_show(view, depth);
  for (const ProfileNode& node : view.tree) {
    if (node.level > shown || node.kind == "operator") continue;
    std::vector<std::string> cells{std::string(static_cast<std::size_t>(node.level) * 2, ' ') +
                                   node.name};
    for (const std::string& name : names) {
      const auto phase = std::find_if(node.phases.begin(), node.phases.end(),
                                      [&](const ProfilePhase& one) { return one.name == name; });
      const bool has_it = phase != node.phases.end();
      cells.push_back(has_it ? phase_time(*phase) : "");
      cells.push_back(has_it ? si_cell(phase->energy_j, "J") : "");
    }
    table.add_row(std::move(cells));
  }
  out << "\nPhases of the step: sums of the operators\n";
  table.print(out);
}

/// One row for those that have none, so that the rows add up to what the ledger says.
void add_others(std::span<const ProfileOperator* const> others, bool in_place,
                const ProfileLedger& ledger, TextTable& table) {
  std::int64_t kinds = 0;
  std::int64_t count = 0;
  FigureSum seconds;
  FigureSum joules;
  for (const ProfileOperator* row : others) {
    if (row->is_in_place() != in_place) continue;
    ++kinds;
    count += row->count;
    seconds.add({row->each_s(), {}, {}}, static_cast<double>(row->count));
    joules.add({row->energy_j.value, {}, {}}, static_cast<double>(row->count));
  }
  if (kinds == 0) return;
  const auto total_s = seconds.total().value;
  const auto total_j = joules.total().value;
  table.add_row({number_of(kinds, "other kind"), "", with_separators(count), "", "", "",
                 marked(in_place, si_cell(total_s, "s")),
                 percent_text(share(total_s, ledger.whole_s)), si_cell(total_j, "J"),
                 percent_text(share(total_j, ledger.whole_j))});
}

/// With the mark of its row.
std::string time_text(const ProfileOperator& row, const std::optional<double>& seconds) {
  return dated(row.reused_from, marked(row.is_in_place(), si_cell(seconds, "s")));
}

void print_top(const store::ProfileView& view, std::ostream& out) {
  TextTable table({{"operator", Align::Left},
                   {"type", Align::Left, Fit::Shorten, 3},
                   {"count", Align::Right, Fit::Whole, 1},
                   {"each", Align::Right, Fit::Whole, 4},
                   {"±", Align::Right, Fit::Whole, 5},
                   {"in place", Align::Right, Fit::Whole, 6},
                   {"total", Align::Right},
                   {"%", Align::Right},
                   {"energy", Align::Right},
                   {"%", Align::Right, Fit::Whole, 2}});
  std::vector<const ProfileOperator*> all;
  for (const ProfileOperator& row : view.operators)
    if (row.each_s()) all.push_back(&row);
  std::stable_sort(all.begin(), all.end(), [](const ProfileOperator* a, const ProfileOperator* b) {
    return a->total_s() > b->total_s();
  });
  const auto top = std::span(all).first(std::min(all.size(), kTopOperators));
  for (const ProfileOperator* row : top) {
    table.add_row(
        {row->name, row->type, with_separators(row->count), time_text(*row, row->each_s()),
         uncertainty_text(row->time_s), si_cell(row->in_place_s, "s"),
         time_text(*row, row->total_s()), percent_text(share(row->total_s(), view.ledger.whole_s)),
         si_cell(row->total_j(), "J"), percent_text(share(row->total_j(), view.ledger.whole_j))});
  }
  for (const bool in_place : {false, true})
    add_others(std::span(all).subspan(top.size()), in_place, view.ledger, table);
  out << fmt::format("Top operators: {} of {}, by their time in the model\n", top.size(),
                     number_of(all.size(), "kind"));
  table.print(out);
}

void print_head(const store::ProfileView& view, std::ostream& out) {
  out << printable(fmt::format("{} in {}", view.model, view.engine));
  if (!view.date.empty()) out << ", " << printable(view.date);
  out << '\n';
  print_inputs(view.inputs, out);
  if (!view.cpu.empty()) {
    out << printable(view.cpu);
    if (view.cpus) out << fmt::format(", {}", number_of(*view.cpus, "CPU"));
    out << '\n';
  }
  std::vector<std::string> settings;
  for (const auto& [name, value] : view.settings)
    settings.push_back(fmt::format("{}={}", name, value));
  if (!settings.empty()) out << printable(fmt::format("{}", fmt::join(settings, " "))) << '\n';
  if (!view.warnings.empty()) out << '\n';
  for (const std::string& warning : view.warnings)
    out << "Warning: " << printable(warning) << ".\n";
  out << '\n';
}

}  // namespace

FootprintEnergy footprint_energy(const store::ProfileView& view) {
  const Figure& energy = view.energy.figure;
  FootprintEnergy result;
  const auto joules = [](const std::optional<double>& value) {
    return value ? std::optional(Joules::from(*value)) : std::nullopt;
  };
  if (energy.value) {
    result.energy =
        EnergyRange{Joules::from(*energy.value), joules(energy.low), joules(energy.high)};
  }
  if (view.energy.provenance == name_of(Provenance::Estimated))
    result.provenance = Provenance::Estimated;
  return result;
}

void print_profile_table(const store::ProfileView& view, std::optional<int> depth,
                         const FootprintFactors& factors, std::ostream& out) {
  const WrappedText wrapped(out);
  print_head(view, out);
  print_summary(view, factors, out);
  out << '\n';
  if (view.ledger.in_place > 0) {
    out << "~ measured in place, by the engine's own profiler inside the running model, and not "
           "alone; energy is then unknown\n";
  }
  if (has_reused(view)) {
    out << "* measured for an earlier profile, under the same conditions; --fresh measures it "
           "again\n";
  }
  print_tree(view, depth, out);
  print_phases(view, depth, out);
  out << '\n';
  print_top(view, out);
  out << '\n';
  print_types(view, out);
  out << '\n';
  print_ledger(view, out);
}

}  // namespace jouletree::report
