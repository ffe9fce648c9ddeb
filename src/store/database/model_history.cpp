#include "store/database/model_history.hpp"

#include <array>

#include "store/database/cells.hpp"
#include "store/database/database_entry.hpp"
#include "store/database/model_choice.hpp"

namespace jouletree::store {
namespace {

constexpr std::string_view kPast =
    "SELECT m.measured_at, m.time_s, m.energy_j FROM measurements AS m JOIN models AS d ON d.id = "
    "m.model_id JOIN measurements AS n ON n.id = ? JOIN models AS k ON k.id = n.model_id WHERE "
    "d.name = k.name AND d.mode = k.mode AND d.inputs = k.inputs AND m.machine_id = n.machine_id "
    "AND m.engine_id = n.engine_id AND m.measured_at IS NOT NULL ORDER BY m.measured_at, m.id";

}  // namespace

std::optional<ModelHistory> history_of_entry(const std::string& entry) {
  const auto parsed = parse_entry(entry);
  if (!parsed || parsed->model.empty()) return std::nullopt;
  Database database(sql::parse_location(parsed->database), sql::Access::Read);
  const FoundModel newest = choose_models(database, parsed->model).front().found;
  ModelHistory history{database.place(), {}};
  if (!newest.measurement) return history;
  const auto rows =
      database.connection().query(kPast, std::array<sql::Parameter, 1>{*newest.measurement});
  while (rows->next()) {
    history.measurements.push_back(
        {text_in(rows->value(0)), number_in(rows->value(1)), number_in(rows->value(2))});
  }
  return history;
}

}  // namespace jouletree::store
