#include "report/serve/httplib/connection_threads.hpp"

#include <system_error>

namespace jouletree::report {
namespace {

/// Well below the number of files that a process may open.
constexpr std::size_t kMostConnections = 448;

}  // namespace

void ConnectionThreads::enqueue(std::function<void()> serve_connection) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(serve_connection));
  if (waiting_.size() > idle_ && !add_thread()) connections_.give_up_one();
  changed_.notify_one();
}

bool ConnectionThreads::add_thread() {
  if (threads_.size() == kMostConnections) return false;
  try {
    threads_.emplace_back([this] { work(); });
    return true;
  } catch (const std::system_error&) {
    return false;  // Those that are there do it.
  }
}

void ConnectionThreads::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    changed_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
    --idle_;
    if (waiting_.empty()) return;
    const std::function<void()> serve_connection = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    serve_connection();
    lock.lock();
  }
}

void ConnectionThreads::shutdown() {
  connections_.give_up_all();
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

}  // namespace jouletree::report
