#include <array>

#include <fmt/format.h>

#include "store/database/campaign_queue.hpp"
#include "store/database/cells.hpp"

namespace jouletree::store {
namespace {

ItemStatus::State state_of(const std::string& text) {
  if (text == "claimed") return ItemStatus::State::Running;
  if (text == "done") return ItemStatus::State::Done;
  return text == "failed" ? ItemStatus::State::Failed : ItemStatus::State::Waiting;
}

std::string lease_over(sql::Dialect dialect) {
  return dialect == sql::Dialect::Sqlite
             ? "lease_end_ms < CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
             : "lease_end_ms < CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)";
}

}  // namespace

std::string_view name_of(ItemStatus::State state) {
  switch (state) {
    case ItemStatus::State::Waiting: return "waiting";
    case ItemStatus::State::Running: return "running";
    case ItemStatus::State::Done: return "done";
    case ItemStatus::State::Failed: return "failed";
  }
  return "waiting";
}

std::vector<std::string> campaign_names(Database& database) {
  std::vector<std::string> names;
  const auto rows =
      database.connection().query("SELECT name FROM campaigns ORDER BY created_at DESC, name", {});
  while (rows->next()) names.push_back(text_in(rows->value(0)));
  return names;
}

std::vector<ItemStatus> done_items(Database& database, std::span<const Id> machines) {
  std::vector<ItemStatus> items;
  for (const Id machine : machines) {
    const auto rows = database.connection().query(
        "SELECT spec, seconds, result FROM campaign_items WHERE state = 'done' AND source_id IN "
        "(SELECT source_id FROM runs WHERE machine_id = ?) ORDER BY finished_at DESC LIMIT 200",
        std::array<sql::Parameter, 1>{machine});
    while (rows->next()) {
      ItemStatus& item = items.emplace_back();
      item.spec = text_in(rows->value(0));
      item.state = ItemStatus::State::Done;
      item.seconds = number_in(rows->value(1));
      item.result = text_in(rows->value(2));
    }
  }
  return items;
}

std::optional<CampaignStatus> campaign_status(Database& database, const std::string& name) {
  sql::Connection& connection = database.connection();
  const Id id = campaign_id(name);
  CampaignStatus status;
  {
    const auto rows = connection.query("SELECT name, created_at FROM campaigns WHERE id = ?",
                                       std::array<sql::Parameter, 1>{id});
    if (!rows->next()) return std::nullopt;
    status.name = text_in(rows->value(0));
    status.created_at = text_in(rows->value(1));
  }
  const std::string text = fmt::format(
      "SELECT id, position, label, spec, state, worker, CASE WHEN {} THEN 1 ELSE 0 END, "
      "claimed_at, "
      "finished_at, attempts, reason, seconds, result FROM campaign_items WHERE campaign_id = ? "
      "ORDER BY position, id",
      lease_over(connection.dialect()));
  const auto rows = connection.query(text, std::array<sql::Parameter, 1>{id});
  while (rows->next()) {
    ItemStatus& item = status.items.emplace_back();
    item.id = whole_in(rows->value(0)).value_or(0);
    item.position = whole_in(rows->value(1)).value_or(0);
    item.label = text_in(rows->value(2));
    item.spec = text_in(rows->value(3));
    item.state = state_of(text_in(rows->value(4)));
    const auto worker = Worker::parse(text_in(rows->value(5)));
    if (worker) item.worker = fmt::format("{}, process {}", worker->host, worker->pid);
    item.lost = item.state == ItemStatus::State::Running &&
                (whole_in(rows->value(6)) == 1 || (worker && worker->is_gone()));
    item.claimed_at = text_in(rows->value(7));
    item.finished_at = text_in(rows->value(8));
    item.attempts = whole_in(rows->value(9)).value_or(0);
    item.reason = text_in(rows->value(10));
    item.seconds = number_in(rows->value(11));
    item.result = text_in(rows->value(12));
  }
  return status;
}

}  // namespace jouletree::store
