#include "report/show_report.hpp"

#include <ostream>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "base/text_table.hpp"
#include "report/si_text.hpp"

namespace jouletree {
namespace {

void print_latencies(const Latencies& latencies, std::ostream& out) {
  out << fmt::format("Latency: {} on average, median {}, at most {}, {}\n",
                     si_text(latencies.mean_s, "s"), si_text(latencies.median_s, "s"),
                     si_text(latencies.longest_s, "s"), number_of(latencies.count, "time"));
}

/// Runs whose summary had to be made from their lines.
void print_made_from_lines(const StoredRuns& runs, std::ostream& out) {
  std::string numbers;
  for (const StoredRun& run : runs.runs)
    if (!run.complete) numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", run.number);
  if (!numbers.empty()) {
    out << fmt::format("Note: no summary of run {}; its figures follow from the recorded lines\n",
                       numbers);
  }
}

}  // namespace

void print_recording(const Recording& recording, const DeriveLines& derive, std::ostream& out) {
  if (recording.runs.runs.size() == 1) print_run(recording.runs.runs[0], derive, out);
  print_runs_total(recording.runs, derive, out);
  if (recording.latencies) print_latencies(*recording.latencies, out);
  print_made_from_lines(recording.runs, out);
  for (const std::string& note : recording.notes) out << "Note: " << printable(note) << '\n';
}

void print_recordings(const std::filesystem::path& parent, const std::vector<Recording>& recordings,
                      std::ostream& out) {
  TextTable table({{"folder", TextTable::Align::Left},
                   {"runs"},
                   {"duration"},
                   {"energy"},
                   {"mean"},
                   {"how", TextTable::Align::Left},
                   {"latency"}});
  StoredRuns all;
  for (const Recording& recording : recordings) {
    const RunsTotal total = total_of(recording.runs);
    std::string mean;
    if (total.energy_j.value && total.time_s > 0)
      mean = si_text(*total.energy_j.value / *total.time_s, "W");
    table.add_row({recording.folder.lexically_relative(parent).string(), std::to_string(total.runs),
                   total.time_s ? duration_text(*total.time_s) : "unknown",
                   si_text(total.energy_j.value, "J"), mean, total.provenance,
                   recording.latencies ? si_text(recording.latencies->mean_s, "s") : ""});
    all.runs.insert(all.runs.end(), recording.runs.runs.begin(), recording.runs.runs.end());
  }
  table.print(out);
  const RunsTotal total = total_of(all);
  out << fmt::format("\nAll: {} in {}, {}\n", energy_text(total.energy_j),
                     total.time_s ? duration_text(*total.time_s) : "unknown", total.provenance);
  for (const Recording& recording : recordings) {
    for (const std::string& note : recording.notes) {
      out << fmt::format("Note: {}: {}\n",
                         printable(recording.folder.lexically_relative(parent).string()),
                         printable(note));
    }
  }
}

}  // namespace jouletree
