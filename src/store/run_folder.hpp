#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "store/stored_run.hpp"

namespace jouletree::store {

/// The folder that a run is recorded to. Lines are appended one by one, each with a single write,
/// so that whatever interrupts the run leaves whole lines; the summary is replaced as a whole.
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
  /// The runs before it, also those that were interrupted before they had a summary.
  [[nodiscard]] const StoredRuns& earlier() const { return earlier_; }

  /// A line that cannot be written leaves nothing behind, and is counted.
  void add(std::string_view line);
  /// Marks the end of the run, as AIPowerMeter does. Lines that could not be marked so, because the
  /// run was interrupted, get their mark from the next run.
  void end_run();
  /// What went wrong first; empty if nothing did.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] int lost_lines() const { return lost_lines_; }

  /// Throws Error(BadInput) if it cannot be written; then the summary of the earlier runs stays.
  void write_summary(std::string_view text) const;

 private:
  void read_earlier(const std::filesystem::path& lines);
  void finish_last_line();
  /// False if it could not be written, which is counted.
  bool write(std::string_view line);

  std::filesystem::path folder_;
  StoredRuns earlier_;
  int run_ = 1;
  int descriptor_ = -1;
  std::string problem_;
  int lost_lines_ = 0;
  bool segment_open_ = false;  ///< Lines are there, and no mark follows them yet.
};

}  // namespace jouletree::store
