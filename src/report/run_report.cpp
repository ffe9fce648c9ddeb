#include "report/run_report.hpp"

#include <algorithm>
#include <cstring>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_format.hpp"
#include "base/text_table.hpp"
#include "jouletree/meter.hpp"
#include "report/si_text.hpp"
#include "store/run_above_idle.hpp"

namespace jouletree::report {
namespace {

using Lines = std::vector<SummaryLine>;

/// Below this share of the CPU time, most of the energy is that of other programs.
constexpr double kMostlyOwn = 0.5;

std::string bytes_text(double bytes) { return shortened_bytes(bytes); }

/// As it could be typed, cut where it gets long.
std::string command_text(const std::vector<std::string>& words) {
  constexpr std::size_t kLongest = 72;
  std::string text;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$*?<>|&;()[]{}") == word.npos;
    text += (text.empty() ? "" : " ") + (plain ? word : "'" + word + "'");
  }
  if (text.size() <= kLongest) return text;
  // Not in the middle of a character.
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

std::string end_text(const StoredRun& run) {
  if (run.signal) {
    return fmt::format("by signal {} ({})", *run.signal, ::strsignal(*run.signal));
  }  // NOLINT(concurrency-mt-unsafe)
  if (run.exit_code) return fmt::format("exit code {}", *run.exit_code);
  return "not recorded";
}

std::string peak_text(const std::optional<double>& power_w, const std::optional<double>& over_s) {
  if (!power_w) return "unknown";
  if (!over_s || *over_s <= 0) return si_text(*power_w, "W");
  return fmt::format("{} over {}", si_text(*power_w, "W"), si_text(*over_s, "s"));
}

/// Whether a time is less than the whole, by more than rounding.
bool is_part(const std::optional<double>& time_s, const std::optional<double>& whole_s) {
  constexpr double kRounding = 1e-6;
  return time_s && whole_s && *time_s < *whole_s * (1 - kRounding);
}

std::string mean_text(const StoredRun& run) {
  const StoredTotal& total = run.total;
  if (!total.power_w || !is_part(total.covered_s, run.time_s)) return si_text(total.power_w, "W");
  return fmt::format("{} over the {} for which {} known", si_text(*total.power_w, "W"),
                     duration_text(*total.covered_s),
                     total.summed.size() > 1 ? "all parts are" : "it is");
}

/// The share of the CPU time says whose the energy of the CPUs is, and nothing of graphics cards.
/// Begins the sentence about it; nothing if the total has no energy of CPUs.
std::optional<std::string> subject_of_cpu_share(const StoredRun& run) {
  bool cards = false;
  bool cpus = false;
  bool machine = false;  // with all that is in it, be it CPUs or not
  for (const StoredDomain& domain : run.domains) {
    const auto& summed = run.total.summed;
    if (std::find(summed.begin(), summed.end(), domain.name) == summed.end()) continue;
    const auto is = [&](Level level) { return domain.level == name_of(level); };
    if (is(Level::Gpu)) {
      cards = true;
    } else if (is(Level::Package) || is(Level::Core) || is(Level::Uncore) || is(Level::Dram)) {
      cpus = true;
    } else {
      machine = true;
    }
  }
  if (cards && !cpus && !machine) return std::nullopt;
  return cards || machine ? "what its CPUs used is " : "";
}

/// What is missing would come on top, so that the value is the least.
Figure least_of(Figure energy_j) {
  if (!energy_j.low) energy_j.low = energy_j.value;
  energy_j.high.reset();
  return energy_j;
}

Figure shown_energy(const StoredTotal& total) {
  return total.missing.empty() ? total.energy_j : least_of(total.energy_j);
}

void add_energy(const StoredRun& run, Lines& lines) {
  const StoredTotal& total = run.total;
  std::string text = energy_text(shown_energy(total));
  if (total.energy_j.value) text += " for all programs on the machine";
  // What is not known was not obtained in any way.
  if (total.energy_j.value) text += ", " + total.provenance;
  if (total.energy_j.value && !total.rule.empty()) text += ": " + total.rule;
  if (!total.missing.empty()) text += fmt::format("; may lack {}", fmt::join(total.missing, ", "));
  lines.push_back({"Energy", std::move(text)});
  // Who measures a command that sleeps must not take the machine's energy for its own.
  if (total.energy_j.value && run.cpu_share && *run.cpu_share < kMostlyOwn) {
    if (const auto subject = subject_of_cpu_share(run)) {
      lines.push_back({"", fmt::format("{}mostly not the command's own: it had {} of the CPU time "
                                       "that all programs used",
                                       *subject, percent(*run.cpu_share))});
    }
  }
  // What may be nothing at all is no number to show.
  if (const std::string why = store::why_not_above_idle(run); !why.empty()) {
    lines.push_back({"Above idle", "unknown: " + why});
  } else if (total.above_idle_j.value) {
    std::string above = energy_text(total.above_idle_j);
    if (run.baseline_s) above += ", idle measured for " + duration_text(*run.baseline_s);
    lines.push_back({"Above idle", std::move(above)});
  }
  lines.push_back({"Mean power", mean_text(run)});
  if (total.peak_power_w)
    lines.push_back({"Peak power", peak_text(total.peak_power_w, total.peak_over_s)});
}

void add_cpu(const StoredRun& run, Lines& lines) {
  std::vector<std::string> parts;
  if (run.cpu_time_s) parts.push_back(duration_text(*run.cpu_time_s) + " of CPU time");
  if (run.busy_cpus) parts.push_back(fmt::format("{:.2f} CPUs busy on average", *run.busy_cpus));
  if (run.cpu_share)
    parts.push_back(fmt::format("{} of what all programs used", percent(*run.cpu_share)));
  if (!parts.empty()) lines.push_back({"CPU", fmt::format("{}", fmt::join(parts, ", "))});
  parts.clear();
  if (run.peak_pss_bytes)
    parts.push_back(bytes_text(*run.peak_pss_bytes) + " at most for all processes (PSS)");
  if (run.peak_rss_bytes)
    parts.push_back(bytes_text(*run.peak_rss_bytes) + " for the largest (RSS)");
  if (!parts.empty()) lines.push_back({"Memory", fmt::format("{}", fmt::join(parts, ", "))});
}

void add_gpu(const StoredGpu& gpu, Lines& lines) {
  std::vector<std::string> parts;
  if (!gpu.model.empty()) parts.push_back(gpu.model);
  if (gpu.utilisation) parts.push_back(percent(*gpu.utilisation) + " busy on average");
  if (gpu.sm_share)
    parts.push_back(percent(*gpu.sm_share) + " of the multiprocessors by the command");
  if (gpu.peak_memory_bytes)
    parts.push_back(bytes_text(*gpu.peak_memory_bytes) + " of memory at most");
  if (gpu.peak_temperature_c) parts.push_back(fmt::format("{:.0f} °C", *gpu.peak_temperature_c));
  if (!gpu.throttle_reasons.empty())
    parts.push_back(fmt::format("throttled by {}", fmt::join(gpu.throttle_reasons, ", ")));
  lines.push_back({gpu.device, fmt::format("{}", fmt::join(parts, ", "))});
}

void print_lines(const Lines& lines, std::ostream& out) {
  TextTable table({{"", TextTable::Align::Left}, {"", TextTable::Align::Left}});
  for (const SummaryLine& line : lines) table.add_row({line.title, line.text});
  table.print(out);
}

void print_domains(const StoredRun& run, std::ostream& out) {
  if (run.domains.empty()) return;
  // Recordings of power alone have no bounds.
  const bool bounds = std::any_of(run.domains.begin(), run.domains.end(), [](const auto& domain) {
    return domain.energy_j.low || domain.energy_j.high;
  });
  const auto number = [](const char* title, int spare) {
    return TextTable::Column{title, TextTable::Align::Right, TextTable::Fit::Whole, spare};
  };
  std::vector<TextTable::Column> columns = {
      {"domain", TextTable::Align::Left},
      {"level", TextTable::Align::Left, TextTable::Fit::Whole, 4},
      {"energy"}};
  if (bounds) columns.insert(columns.end(), {number("from", 2), number("to", 2)});
  columns.insert(columns.end(),
                 {number("mean", 1), number("peak", 3), {"how", TextTable::Align::Left}});
  TextTable table(std::move(columns));
  const auto bound = [](const std::optional<double>& energy_j) {
    return energy_j ? si_text(*energy_j, "J") : std::string("?");
  };
  for (const StoredDomain& domain : run.domains) {
    const std::string kind = domain.kind.empty() ? "" : ", " + domain.kind;
    // Where there are bounds, the one that is missing says so.
    const bool least = domain.energy_j.value && !domain.energy_j.low && !domain.energy_j.high &&
                       is_part(domain.covered_s, run.time_s);
    std::vector<std::string> cells = {domain.name, domain.level,
                                      (least ? "≥ " : "") + si_text(domain.energy_j.value, "J")};
    if (bounds)
      cells.insert(cells.end(), {bound(domain.energy_j.low), bound(domain.energy_j.high)});
    cells.insert(cells.end(), {si_text(domain.power_w, "W"), si_text(domain.peak_power_w, "W"),
                               domain.provenance + kind});
    table.add_row(std::move(cells));
  }
  out << '\n';
  table.print(out);
}

std::string why_text(const StoredGap& gap) {
  if (gap.meter.starts_with("external:") && gap.reason == name_of(GapReason::Late)) {
    return "its file has no line from then; see whether the meter's program still writes it, and "
           "whether its clock is this machine's (--external-offset)";
  }
  if (gap.meter.starts_with("external:") && gap.reason == name_of(GapReason::Failed)) {
    return "its file has lines from then, but none with a number of watts; see what the meter's "
           "program writes in their place";
  }
  for (const GapReason reason :
       {GapReason::Wraps, GapReason::Reset, GapReason::Suspended, GapReason::Vanished,
        GapReason::Denied, GapReason::Failed, GapReason::Late})
    if (gap.reason == name_of(reason)) return std::string(describe(reason));
  return gap.reason;
}

void print_gaps(const StoredRun& run, std::ostream& out) {
  for (const StoredGap& gap : run.gaps) {
    out << fmt::format("Gap: {} tells nothing from {} to {}: {}\n", gap.meter,
                       duration_text(gap.begin_s), duration_text(gap.end_s), why_text(gap));
  }
}

void add_derived(const DeriveLines& derive, const Figure& energy_j, const std::string& provenance,
                 Lines& lines) {
  if (!derive) return;
  for (SummaryLine& line : derive(energy_j, provenance)) lines.push_back(std::move(line));
}

}  // namespace

std::string energy_text(const Figure& energy_j) {
  if (!energy_j.value) return "unknown";
  std::string value = si_text(*energy_j.value, "J");
  if (energy_j.low && energy_j.high) {
    const std::string low = si_text(*energy_j.low, "J");
    const std::string high = si_text(*energy_j.high, "J");
    return low == value && high == value ? value : fmt::format("{} ({} to {})", value, low, high);
  }
  if (energy_j.low) return fmt::format("at least {}", si_text(*energy_j.low, "J"));
  return value;
}

std::string energy_text(const RunsTotal& total) {
  const std::string text = energy_text(total.energy_j);
  const bool says_so = !total.energy_j.value || text.starts_with("at least");
  return total.is_lower_bound() && !says_so ? "at least " + text : text;
}

Figure shown_energy(const RunsTotal& total) {
  return total.is_lower_bound() ? least_of(total.energy_j) : total.energy_j;
}

void print_run(const StoredRun& run, const DeriveLines& derive, std::ostream& out) {
  Lines lines;
  if (!run.command.empty()) lines.push_back({"Command", command_text(run.command)});
  lines.push_back({"Ended", end_text(run)});
  lines.push_back({"Duration", run.time_s ? duration_text(*run.time_s) : "unknown"});
  add_energy(run, lines);
  add_derived(derive, shown_energy(run.total), run.total.provenance, lines);
  add_cpu(run, lines);
  for (const StoredGpu& gpu : run.gpus) add_gpu(gpu, lines);
  print_lines(lines, out);
  print_domains(run, out);
  print_gaps(run, out);
  for (const std::string& note : run.notes) out << "Note: " << printable(note) << '\n';
}

void print_runs_total(const StoredRuns& runs, const DeriveLines& derive, std::ostream& out) {
  if (runs.runs.size() < 2) return;
  TextTable table({{"run"},
                   {"begin", TextTable::Align::Left},
                   {"duration"},
                   {"energy"},
                   {"mean"},
                   {"how", TextTable::Align::Left},
                   {"command", TextTable::Align::Left}});
  for (const StoredRun& run : runs.runs) {
    table.add_row(
        {std::to_string(run.number), run.begin.substr(0, sizeof("2024-12-31 23:59:59") - 1),
         run.time_s ? duration_text(*run.time_s) : "unknown",
         (run.total.missing.empty() ? "" : "≥ ") + si_text(run.total.energy_j.value, "J"),
         si_text(run.total.power_w, "W"), run.total.provenance, command_text(run.command)});
  }
  table.print(out);
  const RunsTotal total = total_of(runs);
  Lines lines;
  lines.push_back({"All runs", total.time_s ? duration_text(*total.time_s) : "unknown"});
  lines.push_back({"Energy", total.energy_j.value
                                 ? fmt::format("{}, {}", energy_text(total), total.provenance)
                                 : energy_text(total)});
  add_derived(derive, shown_energy(total), total.provenance, lines);
  out << '\n';
  print_lines(lines, out);
}

}  // namespace jouletree::report
