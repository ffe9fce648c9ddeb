#pragma once

#include <filesystem>
#include <set>

namespace jouletree::store {

/// The number of a run that goes on, held in its folder so that no other program takes it: a locked
/// file, which is free again as soon as its program ends, however that happens. All of this is
/// called by who has locked the folder.
class ClaimedRun {
 public:
  ClaimedRun(const std::filesystem::path& folder, int number);
  ClaimedRun(const ClaimedRun&) = delete;
  ClaimedRun& operator=(const ClaimedRun&) = delete;
  ~ClaimedRun();

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

/// The numbers that others hold. Removes what ended programs left.
[[nodiscard]] std::set<int> claimed_runs(const std::filesystem::path& folder);

}  // namespace jouletree::store
