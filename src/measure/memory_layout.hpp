#pragma once

#include <cstdint>
#include <map>

namespace jouletree::measure {

/// Where tensors lie in one block of memory. Each new one takes the gap between others that fits
/// best, the first of equally good ones.
class MemoryLayout {
 public:
  struct Place {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };

  [[nodiscard]] Place take(std::int64_t bytes);
  void give_back(const Place& place) { taken_.erase(place.begin); }
  /// The most that was needed so far.
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  std::map<std::int64_t, std::int64_t> taken_;  ///< End by begin.
  std::int64_t bytes_ = 0;
};

/// When the bytes of a block of memory were last used.
class MemoryUse {
 public:
  void touch(const MemoryLayout::Place& place, std::int64_t time);
  /// When most bytes there had been used last; `never` counts for those that were not.
  [[nodiscard]] std::int64_t last_use(const MemoryLayout::Place& place, std::int64_t never) const;

 private:
  struct Used {
    std::int64_t end;
    std::int64_t time;
  };
  void split_at(std::int64_t address);

  std::map<std::int64_t, Used> used_;  ///< By begin; they do not overlap.
};

}  // namespace jouletree::measure
