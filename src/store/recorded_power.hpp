#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/clock.hpp"
#include "store/stored_run.hpp"

namespace jouletree::store {

struct RowDomain {
  std::string name;
  std::string level;       ///< name_of(Level).
  std::string provenance;  ///< name_of(Provenance).
  std::optional<double> power_w;
  std::optional<double> energy_j;  ///< Only where JouleTree wrote it.
};

/// A part of the machine that a line names without a number that can be used.
struct SilentPart {
  std::string name;
  std::string level;  ///< name_of(Level).
};

/// One line of power_metrics.json, of JouleTree or AIPowerMeter.
struct PowerRow {
  WallTime at;
  int run = 0;                       ///< Runs of JouleTree, segments of AIPowerMeter, from 1.
  std::optional<double> duration_s;  ///< The time before `at` that it is about.
  std::optional<double> total_w;
  std::optional<double> total_j;
  std::string provenance;
  std::vector<std::string> summed;  ///< Names of the domains in the total.
  /// Those of them that told nothing for some of the time; only where JouleTree wrote it.
  std::vector<std::string> missing;
  std::vector<RowDomain> domains;
  std::optional<double> cpu_share;
  std::optional<double> busy_cpus;
  std::optional<double> pss_bytes;
  std::optional<double> uss_bytes;
  /// By the number of the card: what the command uses of it, and what everybody does.
  std::map<std::string, double> gpu_memory_bytes;
  std::map<std::string, double> gpu_sm_share;
  std::map<std::string, double> card_memory_bytes;
  std::map<std::string, double> card_utilisation;  ///< 0 to 1.
  bool ours = false;       ///< JouleTree wrote it, with energy that it counted.
  bool has_cards = false;  ///< It tells something of graphics cards, be it their power or not.
  /// Entries that look like power or energy and are not in the total.
  std::vector<std::string> not_understood;
  /// Parts that belong into the total and are not in it; of lines that are not ours.
  std::vector<SilentPart> silent;
  /// So much time passed since the line before that nobody recorded it.
  bool after_hole = false;
};

struct RecordedPower {
  std::vector<PowerRow> rows;
  int unreadable_lines = 0;
  int first_unreadable = 0;   ///< Its number, from 1.
  bool segment_open = false;  ///< Lines follow the last mark of an end of a segment.
};

inline constexpr std::string_view kPowerFile = "power_metrics.json";
inline constexpr std::string_view kSummaryFile = "summary.json";

/// Lines that cannot be understood, as the last one of a run that was killed, are counted and left
/// out. Throws Error(BadInput) if the file cannot be read.
[[nodiscard]] RecordedPower read_power_file(const std::filesystem::path& file);

/// One line: nothing if it is no JSON object with a date and metrics. Its run is 0 if it names
/// none.
[[nodiscard]] std::optional<PowerRow> parse_power_line(std::string_view line);
/// The line that AIPowerMeter writes behind each segment, without its line feed. Its parser takes
/// time between lines for recorded time unless this stands between them.
inline constexpr std::string_view kSegmentEnd = "\"END OF RECORDING SEGMENT\"";
[[nodiscard]] bool ends_segment(std::string_view line);

/// The domain of cards that are in the sum of all cards, but not in the list of cards.
inline constexpr std::string_view kOtherCards = "gpu-others";

/// Summaries of runs that left nothing but their lines. Where no line says what it counted, power
/// is integrated over time.
[[nodiscard]] StoredRuns runs_of_rows(const std::vector<PowerRow>& rows);

}  // namespace jouletree::store
