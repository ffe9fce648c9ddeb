#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "store/database/campaign_queue.hpp"

namespace jouletree::campaign {

/// Keeps the lease of an item from its beginning to its end, on a connection of its own.
class Heartbeat {
 public:
  Heartbeat(std::string database, std::string campaign, store::ClaimedItem item,
            std::chrono::seconds lease);
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;
  ~Heartbeat();

  /// Somebody else may measure the item by now. A database that does not answer is no reason to
  /// give up: its lease is asked for again, and finishing it says whether it is still one's own.
  [[nodiscard]] bool lost() const { return lost_; }

 private:
  void run();
  void beat();

  std::string database_;
  std::string campaign_;
  store::ClaimedItem item_;
  std::chrono::seconds lease_;
  std::atomic<bool> lost_ = false;
  bool stopped_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace jouletree::campaign
