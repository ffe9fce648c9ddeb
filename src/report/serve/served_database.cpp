#include "report/serve/served_database.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "store/database/cells.hpp"
#include "store/database/database.hpp"

namespace jouletree::report {
namespace {

using store::ItemStatus;

constexpr std::string_view kListedModels =
    "SELECT name, max(newest), CAST(sum(n) AS bigint) FROM (SELECT d.name AS name, "
    "max(coalesce(m.measured_at, "
    "s.added_at)) AS newest, count(*) AS n FROM measurements AS m JOIN models AS d ON d.id = "
    "m.model_id JOIN sources AS s ON s.id = m.source_id GROUP BY d.name UNION ALL SELECT d.name, "
    "max(coalesce(r.measured_at, s.added_at)), count(*) FROM runs AS r JOIN models AS d ON d.id = "
    "r.model_id JOIN sources AS s ON s.id = r.source_id WHERE r.measurement_id IS NULL GROUP BY "
    "d.name) AS found GROUP BY name ORDER BY 2 DESC, 1";

std::vector<ListedModel> listed_models(store::Database& database) {
  std::vector<ListedModel> models;
  const auto rows = database.connection().query(kListedModels, {});
  while (rows->next()) {
    models.push_back({store::text_in(rows->value(0)), store::text_in(rows->value(1)),
                      store::whole_in(rows->value(2)).value_or(0)});
  }
  return models;
}

std::uint64_t mark_of(const DatabaseList& list) {
  std::string marks;
  for (const ListedModel& model : list.models)
    marks += fmt::format("{} {} {}\n", model.name, model.newest, model.measurements);
  for (const store::CampaignStatus& campaign : list.campaigns) {
    marks += campaign.name;
    for (const ItemStatus& item : campaign.items) {
      marks += fmt::format("{} {} {} {} {}\n", item.id, name_of(item.state), item.lost,
                           item.attempts, item.finished_at);
    }
  }
  return std::hash<std::string>{}(marks);
}

}  // namespace

bool DatabaseList::is_going_on() const {
  return std::any_of(campaigns.begin(), campaigns.end(), [](const store::CampaignStatus& one) {
    return std::any_of(one.items.begin(), one.items.end(), [](const ItemStatus& item) {
      return item.state == ItemStatus::State::Running && !item.lost;
    });
  });
}

DatabaseList list_database(const std::string& location) {
  return store::glance(store::sql::parse_location(location), [](store::Database& database) {
    DatabaseList list;
    list.place = database.place();
    list.models = listed_models(database);
    for (const std::string& name : store::campaign_names(database)) {
      if (auto status = store::campaign_status(database, name))
        list.campaigns.push_back(std::move(*status));
    }
    list.mark = mark_of(list);
    return list;
  });
}

}  // namespace jouletree::report
