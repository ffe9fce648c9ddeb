#pragma once

#include <httplib.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "report/http/httplib/open_connections.hpp"

namespace jouletree::report {

/// A thread for each connection, so that one that says nothing keeps nobody waiting. A thread that
/// waits costs nothing but its stack. Where there are too many, the connection that has been silent
/// longest makes room.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  explicit ConnectionThreads(OpenConnections& connections);

  void enqueue(std::function<void()> serve_connection) override;
  void shutdown() override;

 private:
  void work();
  bool add_thread();

  OpenConnections& connections_;
  std::size_t most_threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool ended_ = false;
};

}  // namespace jouletree::report
