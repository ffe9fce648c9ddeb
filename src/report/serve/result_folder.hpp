#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "report/serve/found_result.hpp"

namespace jouletree::report {

/// A result below the folder that is served.
struct FoundResult {
  std::filesystem::path path;  ///< As seen from the folder; "." for itself.
  ResultKind kind = ResultKind::Profile;
  ResultState state;
  ResultProgress progress;
  std::string summary;
};

struct FoundResults {
  std::vector<FoundResult> results;   ///< Newest first.
  std::vector<std::string> problems;  ///< What could not be looked at, one sentence each.
  /// Folders that would be results, but for a link in them that leads out of the folder.
  std::vector<std::filesystem::path> led_out{};
  std::uint64_t mark = 0;  ///< Changes whenever something of it does.
  [[nodiscard]] bool is_going_on() const;
};

/// Finds what is in a folder, for many readers and without disturbing what is measured meanwhile:
/// at most once per second, less often in large folders, and only what has changed is read again.
/// Thread-safe.
class ResultFolder {
 public:
  explicit ResultFolder(std::filesystem::path canonical) : root_(std::move(canonical)) {}

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] std::shared_ptr<const FoundResults> results();

 private:
  using Clock = std::chrono::steady_clock;
  /// What was read of a path when it was in this state.
  struct Known {
    std::uint64_t mark = 0;
    std::optional<ResultKind> kind;
    std::string summary;
    bool is_summed_up = false;
  };

  void look_into(const std::filesystem::path& folder, int depth, FoundResults& found);
  void look_at_file(const std::filesystem::path& file, FoundResults& found);
  void add(const std::filesystem::path& path, ResultKind kind, FoundResults& found);

  std::filesystem::path root_;
  std::mutex mutex_;
  std::shared_ptr<const FoundResults> last_;
  Clock::time_point look_again_{};
  std::map<std::filesystem::path, Known> known_;
  std::size_t entries_left_ = 0;
};

}  // namespace jouletree::report
