#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace jouletree::report {

/// What became of a page.
struct MadePage {
  std::shared_ptr<const std::string> html;  ///< As the command writes it; null: there is none.
  std::string problem;                      ///< Why there is none.
};

/// Makes pages by `jouletree report` in processes of their own: a file that changes
/// under its reader, or is too large for this machine, costs one page and not the server. The last
/// ones are kept. Thread-safe.
class MadePages {
 public:
  /// Of this program, unless a test has another.
  explicit MadePages(std::filesystem::path program = "/proc/self/exe")
      : program_(std::move(program)) {}
  MadePages(const MadePages&) = delete;
  MadePages& operator=(const MadePages&) = delete;
  ~MadePages();

  /// The page of what `jouletree report` is given, in the state of that mark.
  [[nodiscard]] MadePage page_of(const std::string& given, std::uint64_t mark);
  /// Ends what is being made, and makes no more.
  void stop();

 private:
  struct Kept {
    std::string given;
    std::uint64_t mark = 0;
    MadePage page;
    std::chrono::steady_clock::time_point made{};
  };

  [[nodiscard]] const MadePage* find(const std::string& given, std::uint64_t mark);
  void keep(const std::string& given, std::uint64_t mark, const MadePage& page);
  [[nodiscard]] MadePage make(const std::string& given);

  std::filesystem::path program_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Kept> kept_;  ///< Used last comes first.
  std::set<std::string> in_the_making_;
  std::set<int> children_;
  bool stopped_ = false;
};

}  // namespace jouletree::report
