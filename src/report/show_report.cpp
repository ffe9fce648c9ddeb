#include "report/show_report.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"
#include "base/text_table.hpp"
#include "base/wrapped_text.hpp"
#include "report/metric_text.hpp"
#include "report/score_report.hpp"
#include "report/si_text.hpp"

namespace jouletree::report {
namespace {

void print_latencies(const store::Latencies& latencies, std::ostream& out) {
  out << fmt::format("Latency: {} on average, median {}, at most {}, {}\n",
                     si_text(latencies.mean_s, "s"), si_text(latencies.median_s, "s"),
                     si_text(latencies.longest_s, "s"), number_of(latencies.count, "time"));
}

std::string name_in(const std::filesystem::path& parent, const std::filesystem::path& folder) {
  return parent.empty() ? folder.string() : folder.lexically_relative(parent).string();
}

/// What could not be read, and what the totals may lack, each once.
std::vector<std::string> notes_of(const store::Recording& recording) {
  std::vector<std::string> notes = recording.notes;
  for (const StoredRun& run : recording.runs.runs) {
    if (run.total.missing.empty()) continue;
    // Notes of a run that has a summary are about the machine.
    const std::vector<std::string> lacks = {fmt::format(
        "run {} may lack the energy of {}", run.number, fmt::join(run.total.missing, ", "))};
    for (const std::string& note : run.complete ? lacks : run.notes)
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }
  return notes;
}

/// Runs whose summary had to be made from their lines.
void print_made_from_lines(const StoredRuns& runs, std::ostream& out) {
  std::vector<int> numbers;
  for (const StoredRun& run : runs.runs)
    if (!run.complete) numbers.push_back(run.number);
  if (numbers.empty()) return;
  out << fmt::format("Note: {} {} {} no summary; {} figures come from the recorded lines\n",
                     agreeing(numbers.size(), "run", "runs"), fmt::join(numbers, ", "),
                     agreeing(numbers.size(), "has", "have"),
                     agreeing(numbers.size(), "its", "their"));
}

std::vector<tree::MetricResult> of_plugins(const store::FolderProfile& profile) {
  std::vector<tree::MetricResult> results = profile.profile.view.metrics;
  std::erase_if(results, [](const tree::MetricResult& one) { return one.entry.plugin.empty(); });
  return results;
}

}  // namespace

void print_recording(const store::Recording& recording, const DeriveLines& derive,
                     std::ostream& out) {
  const WrappedText wrapped(out);
  if (recording.runs.runs.size() == 1) print_run(recording.runs.runs[0], derive, out);
  print_runs_total(recording.runs, derive, out);
  if (recording.latencies) print_latencies(*recording.latencies, out);
  print_made_from_lines(recording.runs, out);
  const bool alone = recording.runs.runs.size() == 1;  // print_run tells the notes of its run
  for (const std::string& note : alone ? recording.notes : notes_of(recording))
    out << "Note: " << printable(note) << '\n';
}

void print_recordings(const std::filesystem::path& parent,
                      const std::vector<store::Recording>& recordings, const DeriveLines& derive,
                      std::ostream& out) {
  const WrappedText wrapped(out);
  TextTable table({{"folder", TextTable::Align::Left},
                   {"runs", TextTable::Align::Right, TextTable::Fit::Whole, 3},
                   {"duration", TextTable::Align::Right, TextTable::Fit::Whole, 1},
                   {"energy"},
                   {"mean", TextTable::Align::Right, TextTable::Fit::Whole, 4},
                   {"how", TextTable::Align::Left, TextTable::Fit::Whole},
                   {"latency", TextTable::Align::Right, TextTable::Fit::Whole, 2}});
  StoredRuns all;
  for (const store::Recording& recording : recordings) {
    const RunsTotal total = total_of(recording.runs);
    table.add_row({name_in(parent, recording.folder), std::to_string(total.runs),
                   total.time_s ? duration_text(*total.time_s) : "unknown",
                   (total.is_lower_bound() ? "≥ " : "") + si_text(total.energy_j.value, "J"),
                   total.power_w ? si_text(*total.power_w, "W") : "", total.provenance,
                   recording.latencies ? si_text(recording.latencies->mean_s, "s") : ""});
    all.runs.insert(all.runs.end(), recording.runs.runs.begin(), recording.runs.runs.end());
  }
  table.print(out);
  const RunsTotal total = total_of(all);
  out << fmt::format("\nAll: {} in {}, {}\n", energy_text(total),
                     total.time_s ? duration_text(*total.time_s) : "unknown", total.provenance);
  if (derive) {
    for (const SummaryLine& line : derive(shown_energy(total), total.provenance))
      out << fmt::format("{}: {}\n", line.title, line.text);
  }
  for (const store::Recording& recording : recordings) {
    const std::string name = printable(name_in(parent, recording.folder));
    for (const std::string& note : notes_of(recording))
      out << fmt::format("Note: {}: {}\n", name, printable(note));
  }
}

void print_profiles(const std::filesystem::path& parent,
                    const std::vector<store::FolderProfile>& profiles, std::ostream& out) {
  const WrappedText wrapped(out);
  std::vector<TextTable::Column> columns = {
      {"profile", TextTable::Align::Left},
      {"model", TextTable::Align::Left, TextTable::Fit::Shorten, 1},
      {"engine", TextTable::Align::Left, TextTable::Fit::Shorten, 2},
      {"time"},
      {"energy"},
      {"how", TextTable::Align::Left, TextTable::Fit::Whole}};
  const bool any_score = std::any_of(
      profiles.begin(), profiles.end(),
      [](const store::FolderProfile& one) { return one.profile.view.score.has_value(); });
  if (any_score) columns.push_back({"score", TextTable::Align::Left});
  if (!profiles.empty()) {
    for (const tree::MetricResult& result : of_plugins(profiles[0]))
      columns.push_back({std::string(result.entry.metric.friendly_name)});
  }
  TextTable table(std::move(columns));
  for (const store::FolderProfile& profile : profiles) {
    const store::ProfileView& view = profile.profile.view;
    std::vector<std::string> row = {name_in(parent, profile.folder),
                                    view.model,
                                    view.engine,
                                    si_text(view.time.figure.value, "s"),
                                    si_text(view.energy.figure.value, "J"),
                                    view.energy.provenance};
    if (any_score) row.push_back(view.score ? primary_text(*view.score) : "");
    for (const tree::MetricResult& result : of_plugins(profile))
      row.push_back(short_metric_text(result.entry.metric, result.value));
    table.add_row(std::move(row));
  }
  table.print(out);
  if (!profiles.empty()) print_plugin_notes(profiles[0].profile.view.metrics, out);
}

}  // namespace jouletree::report
