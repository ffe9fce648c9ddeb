#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "store/claimed_run.hpp"
#include "store/stored_run.hpp"

namespace jouletree::store {

/// The folder that a run is recorded to. Lines are appended one by one, each with a single write,
/// so that whatever interrupts the run leaves whole lines; the summary is replaced as a whole.
/// Several programs may record to one folder at a time, each its own run.
class RunFolder {
 public:
  enum class Mode { New, Append };

  /// Makes the folder. Throws Error(BadInput) if it cannot be written, and in mode New if it holds
  /// a recording already.
  RunFolder(std::filesystem::path folder, Mode mode);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();

  /// The number of this run.
  [[nodiscard]] int run() const { return run_; }
  /// The runs before it, also those that were interrupted before they had a summary. Runs that
  /// others are still recording are none of them.
  [[nodiscard]] const StoredRuns& earlier() const { return earlier_; }

  /// A line that cannot be written leaves nothing behind, and is counted.
  void add(std::string_view line);
  /// Writes the summary of all runs: the earlier ones, those that others have added meanwhile, and
  /// this one, `run`. Throws Error(BadInput) if it cannot be written; then the summary of the
  /// others stays.
  using SummaryText = std::function<std::string(const StoredRuns&)>;
  [[nodiscard]] StoredRuns finish(StoredRun run, const SummaryText& text);
  /// Marks the end of the run, as AIPowerMeter does; while others record, their lines belong to the
  /// same segment. Lines that could not be marked so, because the
  /// run was interrupted, get their mark from the next run.
  void end_run();
  /// What went wrong first; empty if nothing did.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] int lost_lines() const { return lost_lines_; }

 private:
  void read_earlier(const std::filesystem::path& lines);
  [[nodiscard]] StoredRuns summary() const;
  void finish_last_line();
  void mark_end();
  /// False if it could not be written, which is counted.
  bool write(std::string_view line);

  std::filesystem::path folder_;
  StoredRuns earlier_;
  std::optional<ClaimedRun> claim_;
  int run_ = 1;
  int descriptor_ = -1;
  std::string problem_;
  int lost_lines_ = 0;
  bool segment_open_ = false;  ///< Lines are there, and no mark follows them yet.
};

}  // namespace jouletree::store
