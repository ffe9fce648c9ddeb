#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jouletree/profile.hpp"
#include "store/database/database.hpp"

namespace jouletree::store {

/// A worker, so that others can tell whether it still runs: on one machine at once, else by its
/// lease.
struct Worker {
  std::string host;     ///< For people.
  std::string machine;  ///< One start of the system, and one numbering of processes in it.
  std::int64_t pid = 0;
  std::int64_t started = 0;  ///< Of the process, in ticks since the system started.

  /// This process.
  [[nodiscard]] static Worker self();
  [[nodiscard]] std::string text() const;
  [[nodiscard]] static std::optional<Worker> parse(const std::string& text);
  /// That it no longer runs. Of another machine nobody can tell.
  [[nodiscard]] bool is_gone() const;
};

/// An item as it is put into the queue.
struct QueuedItem {
  std::string label;
  std::string spec;
};

/// An item that a worker measures now.
struct ClaimedItem {
  Id id = 0;
  std::int64_t attempt = 0;
  std::int64_t position = 0;
  std::string label;
  std::string spec;
};

/// What is told of an item.
struct ItemStatus {
  enum class State : std::uint8_t { Waiting, Running, Done, Failed };
  Id id = 0;
  std::int64_t position = 0;
  std::string label;
  std::string spec;
  State state = State::Waiting;
  std::string worker{};      ///< For people: "node3, process 4711".
  bool lost = false;         ///< It runs no longer, or its lease has ended.
  std::string claimed_at{};  ///< UTC.
  std::string finished_at{};
  std::int64_t attempts = 0;
  std::string reason{};
  std::optional<double> seconds{};  ///< That it took.
  std::string result{};             ///< JSON that the worker left.
};
[[nodiscard]] std::string_view name_of(ItemStatus::State state);

struct CampaignStatus {
  std::string name;
  std::string created_at;
  std::vector<ItemStatus> items;  ///< In the order of the plan.
};

/// The items of one campaign, claimed by any number of workers on one database. Used by one thread
/// at a time; others open the database again. Throws as sql::Connection does.
class CampaignQueue {
 public:
  /// The database must outlive the object.
  CampaignQueue(Database& database, std::string name, Worker worker, std::chrono::seconds lease);

  struct Changes {
    std::int64_t added = 0;
    std::int64_t dropped = 0;  ///< No longer in the plan, and nobody measured or measures them.
  };
  /// Makes the campaign, or brings its items up to date with the plan. What is done stays.
  Changes prepare(const std::string& plan, std::span<const QueuedItem> items);
  /// Failed items wait again. Returns how many.
  std::int64_t retry_failed();
  /// An item that is done waits again; its profile stays. False where it is no longer as `done`
  /// tells: another worker was faster.
  bool measure_again(const ItemStatus& done);

  /// Takes the next item that waits, or whose worker was lost. Nothing where there is none.
  [[nodiscard]] std::optional<ClaimedItem> claim();
  /// Makes the lease of an item longer. False: it is no longer this worker's.
  [[nodiscard]] bool renew(const ClaimedItem& item);
  /// Puts it back, as if it had never been claimed.
  void release(const ClaimedItem& item);
  void fail(const ClaimedItem& item, const std::string& reason, double seconds);
  /// Calls `keep` and marks the item as done in one transaction. False, and nothing is kept, where
  /// the item is no longer this worker's. `keep` returns the source that it added.
  bool finish(const ClaimedItem& item, double seconds, const std::string& result,
              const std::function<Id()>& keep);

  struct Counts {
    std::int64_t waiting = 0;
    std::int64_t running = 0;
    std::int64_t done = 0;
    std::int64_t failed = 0;
    std::optional<double> mean_seconds{};  ///< Of those that are done.
    [[nodiscard]] std::int64_t all() const { return waiting + running + done + failed; }
  };
  [[nodiscard]] Counts counts();

 private:
  void free_lost();

  Database& database_;
  Id campaign_;
  std::string name_;
  Worker worker_;
  std::string worker_text_;
  std::chrono::milliseconds lease_;
};

[[nodiscard]] Id campaign_id(const std::string& name);
/// Names of all campaigns, newest first.
[[nodiscard]] std::vector<std::string> campaign_names(Database& database);
/// What is done in all campaigns, by workers on these machines: spec, seconds and result, of the
/// newest few hundred.
[[nodiscard]] std::vector<ItemStatus> done_items(Database& database, std::span<const Id> machines);
/// Nothing where there is none of that name.
[[nodiscard]] std::optional<CampaignStatus> campaign_status(Database& database,
                                                            const std::string& name);

}  // namespace jouletree::store
