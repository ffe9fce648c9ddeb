#include "report/http/httplib/connection_threads.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <system_error>

namespace jouletree::report {
namespace {

/// No more than half of the files that this process may open.
std::size_t most_connections() {
  constexpr rlim_t kMost = 448;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return kMost / 2;
  return static_cast<std::size_t>(std::clamp<rlim_t>(files.rlim_cur / 2, 1, kMost));
}

}  // namespace

ConnectionThreads::ConnectionThreads(OpenConnections& connections)
    : connections_(connections), most_threads_(most_connections()) {}

void ConnectionThreads::enqueue(std::function<void()> serve_connection) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(serve_connection));
  if (waiting_.size() > idle_ && !add_thread()) connections_.give_up_one();
  changed_.notify_one();
}

bool ConnectionThreads::add_thread() {
  if (threads_.size() >= most_threads_) return false;
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
