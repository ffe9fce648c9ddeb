#include "store/database/campaign_queue.hpp"

#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "store/calendar.hpp"
#include "store/database/cells.hpp"

namespace jouletree::store {
namespace {

using sql::Parameter;

/// Milliseconds of the database's own clock: clocks of workers differ.
std::string_view now_ms(sql::Dialect dialect) {
  return dialect == sql::Dialect::Sqlite
             ? "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
             : "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)";
}

/// Rows that others are claiming are passed over; SQLite has one writer at a time anyway.
std::string_view skip_locked(sql::Dialect dialect) {
  return dialect == sql::Dialect::Sqlite ? "" : " FOR UPDATE SKIP LOCKED";
}

Id item_id(Id campaign, const std::string& spec) {
  return content_id({"campaign item", std::to_string(campaign), spec});
}

std::int64_t whole_at(const sql::Rows& rows, std::size_t column) {
  return whole_in(rows.value(column)).value_or(0);
}

}  // namespace

Id campaign_id(const std::string& name) { return content_id({"campaign", name}); }

CampaignQueue::CampaignQueue(Database& database, std::string name, Worker worker,
                             std::chrono::seconds lease)
    : database_(database),
      campaign_(campaign_id(name)),
      name_(std::move(name)),
      worker_(std::move(worker)),
      worker_text_(worker_.text()),
      lease_(lease) {}

CampaignQueue::Changes CampaignQueue::prepare(const std::string& plan,
                                              std::span<const QueuedItem> items) {
  sql::Connection& connection = database_.connection();
  sql::Transaction transaction(connection);
  const std::string now = utc_now();
  connection.execute(
      "INSERT INTO campaigns (id, name, plan, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO "
      "UPDATE SET plan = excluded.plan",
      std::array<Parameter, 4>{campaign_, std::string_view(name_), std::string_view(plan),
                               std::string_view(now)});
  Changes changes;
  std::set<Id> wanted;
  std::int64_t position = 0;
  for (const QueuedItem& item : items) {
    const Id id = item_id(campaign_, item.spec);
    wanted.insert(id);
    changes.added += connection.execute(
        "INSERT INTO campaign_items (id, campaign_id, position, label, spec, state, attempts) "
        "VALUES (?, ?, ?, ?, ?, 'waiting', 0) ON CONFLICT (id) DO NOTHING",
        std::array<Parameter, 5>{id, campaign_, position++, std::string_view(item.label),
                                 std::string_view(item.spec)});
  }
  std::vector<Id> dropped;
  const auto rows = connection.query(
      "SELECT id FROM campaign_items WHERE campaign_id = ? AND state IN ('waiting', 'failed')",
      std::array<Parameter, 1>{campaign_});
  while (rows->next())
    if (const Id id = whole_at(*rows, 0); !wanted.contains(id)) dropped.push_back(id);
  for (const Id id : dropped) {
    changes.dropped += connection.execute(
        "DELETE FROM campaign_items WHERE id = ? AND state IN ('waiting', 'failed')",
        std::array<Parameter, 1>{id});
  }
  transaction.commit();
  return changes;
}

std::int64_t CampaignQueue::retry_failed() {
  return database_.connection().execute(
      "UPDATE campaign_items SET state = 'waiting', reason = NULL, worker = NULL WHERE campaign_id "
      "= ? AND state = 'failed'",
      std::array<Parameter, 1>{campaign_});
}

bool CampaignQueue::measure_again(const ItemStatus& done) {
  return database_.connection().execute(
             "UPDATE campaign_items SET state = 'waiting', worker = NULL WHERE id = ? AND state = "
             "'done' AND attempts = ?",
             std::array<Parameter, 2>{done.id, done.attempts}) == 1;
}

/// Whoever was killed on this machine needs no lease to end.
void CampaignQueue::free_lost() {
  sql::Connection& connection = database_.connection();
  std::vector<std::pair<Id, std::string>> lost;
  const auto rows = connection.query(
      "SELECT id, worker FROM campaign_items WHERE campaign_id = ? AND state = 'claimed'",
      std::array<Parameter, 1>{campaign_});
  while (rows->next()) {
    std::string text = text_in(rows->value(1));
    const auto worker = Worker::parse(text);
    if (worker && worker->is_gone()) lost.emplace_back(whole_at(*rows, 0), std::move(text));
  }
  for (const auto& [id, worker] : lost) {
    connection.execute(
        "UPDATE campaign_items SET state = 'waiting', worker = NULL WHERE id = ? AND worker = ? "
        "AND state = 'claimed'",
        std::array<Parameter, 2>{id, std::string_view(worker)});
  }
}

std::optional<ClaimedItem> CampaignQueue::claim() {
  sql::Connection& connection = database_.connection();
  const std::string_view now = now_ms(connection.dialect());
  const std::string date = utc_now();
  sql::Transaction transaction(connection);
  free_lost();
  const std::string text = fmt::format(
      "UPDATE campaign_items SET state = 'claimed', worker = ?, lease_end_ms = {0} + CAST(? AS "
      "bigint), claimed_at = ?, attempts = attempts + 1, reason = NULL WHERE id = (SELECT id FROM "
      "campaign_items WHERE campaign_id = ? AND (state = 'waiting' OR (state = 'claimed' AND "
      "lease_end_ms < {0})) ORDER BY position, id LIMIT 1{1}) RETURNING id, attempts, position, "
      "label, spec",
      now, skip_locked(connection.dialect()));
  std::optional<ClaimedItem> claimed;
  {
    const auto rows = connection.query(
        text, std::array<Parameter, 4>{std::string_view(worker_text_), std::int64_t{lease_.count()},
                                       std::string_view(date), campaign_});
    if (rows->next()) {
      claimed = ClaimedItem{whole_at(*rows, 0), whole_at(*rows, 1), whole_at(*rows, 2),
                            text_in(rows->value(3)), text_in(rows->value(4))};
    }
  }
  transaction.commit();
  return claimed;
}

bool CampaignQueue::renew(const ClaimedItem& item) {
  sql::Connection& connection = database_.connection();
  const std::string text = fmt::format(
      "UPDATE campaign_items SET lease_end_ms = {} + CAST(? AS bigint) WHERE id = ? AND state = "
      "'claimed' AND worker = ? AND attempts = ?",
      now_ms(connection.dialect()));
  return connection.execute(
             text, std::array<Parameter, 4>{std::int64_t{lease_.count()}, item.id,
                                            std::string_view(worker_text_), item.attempt}) == 1;
}

void CampaignQueue::release(const ClaimedItem& item) {
  database_.connection().execute(
      "UPDATE campaign_items SET state = 'waiting', worker = NULL, attempts = attempts - 1 WHERE "
      "id = ? AND state = 'claimed' AND worker = ? AND attempts = ?",
      std::array<Parameter, 3>{item.id, std::string_view(worker_text_), item.attempt});
}

void CampaignQueue::fail(const ClaimedItem& item, const std::string& reason, double seconds) {
  const std::string now = utc_now();
  database_.connection().execute(
      "UPDATE campaign_items SET state = 'failed', reason = ?, finished_at = ?, seconds = ? WHERE "
      "id = ? AND state = 'claimed' AND worker = ? AND attempts = ?",
      std::array<Parameter, 6>{std::string_view(reason), std::string_view(now), seconds, item.id,
                               std::string_view(worker_text_), item.attempt});
}

bool CampaignQueue::finish(const ClaimedItem& item, double seconds, const std::string& result,
                           const std::function<Id()>& keep) {
  sql::Connection& connection = database_.connection();
  const std::string now = utc_now();
  sql::Transaction transaction(connection);
  // Locks the row, so that nobody claims it before the end of this transaction.
  const std::int64_t own = connection.execute(
      "UPDATE campaign_items SET state = 'done', finished_at = ?, seconds = ?, result = ?, reason "
      "= NULL WHERE id = ? AND state = 'claimed' AND worker = ? AND attempts = ?",
      std::array<Parameter, 6>{std::string_view(now), seconds, std::string_view(result), item.id,
                               std::string_view(worker_text_), item.attempt});
  if (own != 1) {
    // Where the connection broke just behind the commit, it is done already.
    const auto rows = connection.query(
        "SELECT count(*) FROM campaign_items WHERE id = ? AND state = 'done' AND worker = ? AND "
        "attempts = ?",
        std::array<Parameter, 3>{item.id, std::string_view(worker_text_), item.attempt});
    return rows->next() && whole_at(*rows, 0) == 1;
  }
  const Id source = keep();
  connection.execute("UPDATE campaign_items SET source_id = ? WHERE id = ?",
                     std::array<Parameter, 2>{source, item.id});
  transaction.commit();
  return true;
}

CampaignQueue::Counts CampaignQueue::counts() {
  Counts counts;
  const auto rows = database_.connection().query(
      "SELECT state, count(*), avg(seconds) FROM campaign_items WHERE campaign_id = ? GROUP BY "
      "state",
      std::array<Parameter, 1>{campaign_});
  while (rows->next()) {
    const std::string state = text_in(rows->value(0));
    const std::int64_t count = whole_at(*rows, 1);
    if (state == "waiting") counts.waiting = count;
    if (state == "claimed") counts.running = count;
    if (state == "failed") counts.failed = count;
    if (state != "done") continue;
    counts.done = count;
    counts.mean_seconds = number_in(rows->value(2));
  }
  return counts;
}

}  // namespace jouletree::store
