#include "store/database/known_here.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "measure/part_conditions.hpp"
#include "store/database/cells.hpp"
#include "store/database/engine_name.hpp"
#include "store/database/measured_record.hpp"
#include "store/database/place_record.hpp"

namespace jouletree::store {
namespace {

/// Where measurements were made, newest first.
std::string newest_places() {
  return fmt::format(
      "SELECT p.machine_id, p.engine_id, e.name, e.version, e.device, e.threads, e.options, {} "
      "FROM (SELECT machine_id, engine_id, max(measured_at) AS newest FROM measurements WHERE "
      "measured_at IS NOT NULL GROUP BY machine_id, engine_id) AS p JOIN machines AS m ON m.id = "
      "p.machine_id JOIN engines AS e ON e.id = p.engine_id ORDER BY p.newest DESC, p.machine_id, "
      "p.engine_id",
      kMachineColumns);
}

/// An engine without such a setting has none to differ in.
bool has_options(const std::string& options, const AskedEngine& asked) {
  const auto json = parse_json_if_any<nlohmann::json>(options);
  const auto fits = [&](const char* name, const std::string& wanted) {
    return wanted.empty() || !json.is_object() || !json.contains(name) || json[name] == wanted;
  };
  return fits("level", asked.level) && fits("execution", asked.execution);
}

}  // namespace

KnownHere::KnownHere(Database& database, const measure::Environment& here) : database_(database) {
  MachineRecord wanted = machine_record(here);
  wanted.name.clear();
  wanted.gpus.clear();
  wanted.sensors.clear();
  const auto rows = database_.connection().query(newest_places(), {});
  while (rows->next()) {
    constexpr std::size_t kMachineColumn = 7;
    if (machine_in_row(*rows, kMachineColumn).id() != wanted.id()) continue;
    EngineHere& one = engines_.emplace_back();
    one.place.machine = whole_in(rows->value(0)).value_or(0);
    one.place.engine = whole_in(rows->value(1)).value_or(0);
    one.name = text_in(rows->value(2));
    const std::string version = text_in(rows->value(3));
    one.place.engine_name = version.empty() ? one.name : one.name + " " + version;
    one.device = text_in(rows->value(4));
    one.threads = whole_in(rows->value(5));
    one.options = text_in(rows->value(6));
    if (std::find(machines_.begin(), machines_.end(), one.place.machine) == machines_.end())
      machines_.push_back(one.place.machine);
  }
}

const std::optional<KnownHere::Place>& KnownHere::place_of(const AskedEngine& engine) {
  const auto [place, is_new] = places_.try_emplace(engine);
  if (!is_new) return place->second;
  const auto found = std::find_if(engines_.begin(), engines_.end(), [&](const EngineHere& one) {
    return is_of_engine(one.name, engine.name) && one.device == engine.device &&
           one.threads == engine.threads && has_options(one.options, engine);
  });
  if (found != engines_.end()) place->second = found->place;
  return place->second;
}

std::optional<MeasuredPlace> KnownHere::place(const AskedEngine& engine) {
  const auto& found = place_of(engine);
  if (!found) return std::nullopt;
  MeasuredPlace place;
  place.machine = found->machine;
  place.engine = found->engine;
  place.engine_name = found->engine_name;
  return place;
}

std::optional<std::string> KnownHere::engine_name(const AskedEngine& engine) {
  const auto& place = place_of(engine);
  return place ? std::optional(place->engine_name) : std::nullopt;
}

bool KnownHere::has_operator(Id signature, const AskedEngine& engine, const std::string& cache,
                             double precision) {
  const auto& place = place_of(engine);
  if (!place) return false;
  // Files round what they keep of an interval.
  constexpr double kRounding = 1.000001;
  const std::string conditions = fmt::format("cache {}%", cache);
  const std::string hurried = fmt::format("%{}", measure::kHurriedConditions);
  const auto rows = database_.connection().query(
      "SELECT 1 FROM operators AS o JOIN measurements AS m ON m.operator_id = o.id WHERE "
      "o.signature = ? AND m.machine_id = ? AND m.engine_id = ? AND m.conditions LIKE ? AND "
      "m.conditions NOT LIKE ? AND m.time_high_s - m.time_low_s <= ? * m.time_s LIMIT 1",
      std::array<sql::Parameter, 6>{signature, place->machine, place->engine,
                                    std::string_view(conditions), std::string_view(hurried),
                                    2 * precision * kRounding});
  return rows->next();
}

}  // namespace jouletree::store
