#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "store/stored_run.hpp"

namespace jouletree::report {

/// One line of a summary, for people.
struct SummaryLine {
  std::string title;
  std::string text;
};
/// Lines that others derive from energy and want beside it, such as grams and money. Called for
/// each run and for the sum. Its twin for JSON is DeriveMetrics.
using DeriveLines =
    std::function<std::vector<SummaryLine>(const Figure& energy_j, const std::string& provenance)>;

/// What one run used.
void print_run(const StoredRun& run, const DeriveLines& derive, std::ostream& out);
/// The sum of several runs, one line each before it. Nothing for a single run.
void print_runs_total(const StoredRuns& runs, const DeriveLines& derive, std::ostream& out);

/// "433.2 J (432.9 to 433.6 J)", "at least 12 J", "unknown".
[[nodiscard]] std::string energy_text(const Figure& energy_j);
[[nodiscard]] std::string energy_text(const RunsTotal& total);
/// As it is shown, and as others derive from it: what is missing would come on top, so that the
/// value is the least.
[[nodiscard]] Figure shown_energy(const RunsTotal& total);

}  // namespace jouletree::report
