#pragma once

#include <chrono>
#include <map>
#include <mutex>

namespace jouletree::report {

/// The sockets of a server, so that one that nobody needs can be given up. Thread-safe.
class OpenConnections {
 public:
  void add(int socket);
  void remove(int socket);
  /// It waits for a request from now on, or for the rest of one.
  void waits(int socket);
  /// Its request is being answered.
  void is_answered(int socket);

  /// Ends the one that has waited longest, else the one that has been answered longest: whoever
  /// reads from it finds its end.
  void give_up_one();
  /// Ends all, and those that are added later.
  void give_up_all();

 private:
  using Clock = std::chrono::steady_clock;
  struct State {
    bool waits = true;
    bool is_given_up = false;
    Clock::time_point since = Clock::now();
  };

  std::mutex mutex_;
  std::map<int, State> states_;
  bool ended_ = false;
};

/// A socket among them; closes it at the end.
class OpenConnection {
 public:
  OpenConnection(OpenConnections& all, int socket);
  OpenConnection(const OpenConnection&) = delete;
  OpenConnection& operator=(const OpenConnection&) = delete;
  /// What the other side has sent and nobody has read would otherwise destroy the last answer on
  /// its way: waits a moment for the other side to close.
  ~OpenConnection();

 private:
  OpenConnections& all_;
  int socket_;
};

}  // namespace jouletree::report
