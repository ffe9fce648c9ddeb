#include "store/missing_parts.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"
#include "store/calendar.hpp"
#include "store/row_energy.hpp"

namespace jouletree::store {
namespace {

using LineRows = std::vector<const PowerRow*>;

constexpr std::size_t kToTheSecond = sizeof("2024-12-31 23:59:59") - 1;
constexpr const char* kGraphicsCards = "graphics cards";

bool is_among(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void add_new(const std::string& name, std::vector<std::string>& names) {
  if (!is_among(name, names)) names.push_back(name);
}

bool has_level(const StoredRun& run, Level level) {
  return std::any_of(run.domains.begin(), run.domains.end(),
                     [&](const StoredDomain& domain) { return domain.level == name_of(level); });
}

bool sums_level(const PowerRow& row, Level level) {
  return std::any_of(row.domains.begin(), row.domains.end(), [&](const RowDomain& domain) {
    return domain.level == name_of(level) && is_among(domain.name, row.summed);
  });
}

bool mentions_cards_without_power(const PowerRow& row, const StoredRun& run) {
  return !row.ours && row.has_cards && !has_level(run, Level::Gpu);
}

bool lacks(const PowerRow& row, const std::string& name, const StoredRun& run) {
  return !tells(row, name, level_of_domain(run, name)) || is_among(name, row.missing);
}

/// Where other lines tell the part, or the same part under another name, lines without it are
/// counted.
bool is_told_elsewhere(const SilentPart& part, const StoredRun& run) {
  if (is_among(part.name, run.total.summed)) return true;
  if (part.level == name_of(Level::Gpu)) return false;
  return std::any_of(
      run.total.summed.begin(), run.total.summed.end(),
      [&](const std::string& name) { return level_of_domain(run, name) == part.level; });
}

std::string hole_text(double hole_s) { return fmt::format("{:.4g} s without lines", hole_s); }

void note_unknown_names(const LineRows& rows, StoredRun& run) {
  std::vector<std::string>& missing = run.total.missing;
  for (const PowerRow* row : rows)
    for (const std::string& name : row->not_understood) add_new(name, missing);
  if (missing.empty()) return;
  run.notes.push_back(
      fmt::format("{} in the lines {} like power or energy, but JouleTree does not know {}; "
                  "the total may lack it",
                  fmt::join(missing, ", "), agreeing(missing.size(), "looks", "look"),
                  agreeing(missing.size(), "this name", "these names")));
}

void note_parts_of_some_lines(const LineRows& rows, StoredRun& run) {
  for (const std::string& name : run.total.summed) {
    const auto count = std::count_if(rows.begin(), rows.end(),
                                     [&](const PowerRow* row) { return lacks(*row, name, run); });
    if (count == 0) continue;
    run.total.missing.push_back(name);
    run.notes.push_back(fmt::format(
        "{} of {} lines {} the power of {}; nothing is counted for it {}", count, rows.size(),
        agreeing(count, "lacks", "lack"), name,
        rows.front()->duration_s ? "there" : "between two lines of which one lacks it"));
  }
}

void note_parts_of_no_line(const LineRows& rows, StoredRun& run) {
  std::vector<std::string> parts;
  for (const PowerRow* row : rows) {
    for (const SilentPart& part : row->silent)
      if (!is_told_elsewhere(part, run)) add_new(part.name, parts);
  }
  if (parts.empty()) return;
  for (const std::string& part : parts) add_new(part, run.total.missing);
  run.notes.push_back(
      fmt::format("no line has a number that can be used for {}; the total lacks {}",
                  fmt::join(parts, ", "), agreeing(parts.size(), "it", "them")));
}

void note_cores_for_packages(const LineRows& rows, StoredRun& run) {
  const auto is_package = [](const SilentPart& part) {
    return part.level == name_of(Level::Package);
  };
  const bool named =
      has_level(run, Level::Package) || std::any_of(rows.begin(), rows.end(), [&](const auto* row) {
        return std::any_of(row->silent.begin(), row->silent.end(), is_package);
      });
  const auto count = std::count_if(rows.begin(), rows.end(), [](const PowerRow* row) {
    return !row->ours && sums_level(*row, Level::Core);
  });
  if (!named || count == 0) return;
  run.notes.push_back(
      fmt::format("{} of {} lines {} the power of the cores and not that of the packages; there "
                  "the cores are counted, which are a part of the packages",
                  count, rows.size(), agreeing(count, "tells", "tell")));
}

void note_cards_without_power(const LineRows& rows, StoredRun& run) {
  if (std::none_of(rows.begin(), rows.end(),
                   [&](const PowerRow* row) { return mentions_cards_without_power(*row, run); }))
    return;
  run.total.missing.emplace_back(kGraphicsCards);
  run.notes.emplace_back(
      "the lines mention graphics cards but not their power, so the total lacks it");
}

void note_holes(const LineRows& rows, StoredRun& run) {
  double all_s = 0;
  int holes = 0;
  std::string first;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (!rows[i]->after_hole) continue;
    all_s += time_of(*rows[i], rows[i - 1]).value_or(0);
    if (++holes == 1) first = date_text(rows[i - 1]->at).substr(0, kToTheSecond);
  }
  if (holes == 0) return;
  run.total.missing.push_back(hole_text(all_s));
  run.notes.push_back(fmt::format(
      "the lines are usually {:.4g} s apart, but there is none for {:.4g} s{} after {}; nothing is "
      "counted for that time",
      run.interval_s.value_or(0), all_s,
      holes > 1 ? fmt::format(" in {} holes, the first", holes) : "", first));
}

}  // namespace

std::string level_of_domain(const StoredRun& run, const std::string& domain) {
  const auto found = std::find_if(run.domains.begin(), run.domains.end(),
                                  [&](const StoredDomain& one) { return one.name == domain; });
  return found == run.domains.end() ? "" : found->level;
}

std::vector<std::string> missing_in(const PowerRow& row, const PowerRow* before,
                                    const StoredRun& run) {
  std::vector<std::string> missing = row.not_understood;
  for (const std::string& name : row.ours ? row.summed : run.total.summed)
    if (lacks(row, name, run)) add_new(name, missing);
  for (const SilentPart& part : row.silent) add_new(part.name, missing);
  if (mentions_cards_without_power(row, run)) missing.emplace_back(kGraphicsCards);
  if (row.after_hole) missing.push_back(hole_text(time_of(row, before).value_or(0)));
  return missing;
}

void add_missing_parts(const LineRows& rows, StoredRun& run) {
  note_unknown_names(rows, run);
  note_parts_of_some_lines(rows, run);
  note_parts_of_no_line(rows, run);
  note_cores_for_packages(rows, run);
  note_cards_without_power(rows, run);
  note_holes(rows, run);
}

}  // namespace jouletree::store
