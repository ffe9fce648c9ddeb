#include "campaign/heartbeat.hpp"

#include <csignal>
#include <memory>

#include "jouletree/error.hpp"

namespace jouletree::campaign {

Heartbeat::Heartbeat(std::string database, std::string campaign, store::ClaimedItem item,
                     std::chrono::seconds lease)
    : database_(std::move(database)),
      campaign_(std::move(campaign)),
      item_(std::move(item)),
      lease_(lease) {
  // Signals are for the thread that measures.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Heartbeat::~Heartbeat() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Heartbeat::run() {
  std::unique_lock lock(mutex_);
  while (
      !wake_.wait_for(lock, std::chrono::milliseconds(lease_) / 3, [this] { return stopped_; })) {
    lock.unlock();
    beat();
    lock.lock();
  }
}

void Heartbeat::beat() {
  try {
    store::Database database(store::sql::parse_location(database_), store::sql::Access::Write);
    store::CampaignQueue queue(database, campaign_, store::Worker::self(), lease_);
    if (!queue.renew(item_)) lost_ = true;
  } catch (const Error&) {
    // The next beat asks again.
  }
}

}  // namespace jouletree::campaign
