#pragma once

#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>

#include "measure/metered_machine.hpp"

namespace jouletree::measure {

/// One sampler for many windows that begin and end anywhere in a program, for languages whose users
/// may never ask for a result: a window costs two edges, and results that nobody asks for do not
/// pile up. Safe to call from any thread.
class SharedSession {
 public:
  /// Throws Error(Missing), with all that was tried, if there are no meters.
  explicit SharedSession(const ProbeOptions& options = {}) : machine_(options) {}

  WindowId begin(const std::string& name) { return machine_.session().begin(name); }
  void end(WindowId window);
  /// As Session::result().
  [[nodiscard]] WindowResult result(WindowId window);
  /// Nobody will ask for its result.
  void forget(WindowId window);

 private:
  void take_oldest();

  MeteredMachine machine_;
  std::mutex mutex_;
  std::deque<WindowId> ended_;  ///< Their results were not taken yet.
  std::unordered_map<WindowId, WindowResult> taken_;
  std::set<WindowId> unwanted_;
};

}  // namespace jouletree::measure
