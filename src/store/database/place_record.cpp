#include "store/database/place_record.hpp"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "store/database/cells.hpp"
#include "store/run_place.hpp"

namespace jouletree::store {

MachineRecord machine_in_row(const sql::Rows& rows, std::size_t column) {
  MachineRecord machine;
  machine.cpu = text_in(rows.value(column++));
  machine.cpus = whole_in(rows.value(column++));
  machine.machine_cpus = whole_in(rows.value(column++));
  machine.core_cache_bytes = whole_in(rows.value(column++));
  machine.last_cache_bytes = whole_in(rows.value(column++));
  machine.memory_bytes = whole_in(rows.value(column++));
  machine.system = text_in(rows.value(column++));
  machine.kernel = text_in(rows.value(column++));
  machine.governor = text_in(rows.value(column++));
  if (const auto turbo = whole_in(rows.value(column++))) machine.turbo = *turbo != 0;
  machine.hypervisor = text_in(rows.value(column));
  return machine;
}

MeasuredOn measured_on(Database& database, const MeasuredPlace& place) {
  const auto rows = database.connection().query(
      fmt::format("SELECT m.name, e.name, e.version, e.device, e.threads, e.options, {} FROM "
                  "machines AS m, engines AS e WHERE m.id = ? AND e.id = ?",
                  kMachineColumns),
      std::array<sql::Parameter, 2>{place.machine, place.engine});
  if (!rows->next()) return {};
  constexpr std::size_t kFirstOfMachine = 6;
  MachineRecord machine = machine_in_row(*rows, kFirstOfMachine);
  machine.name = text_in(rows->value(0));
  EngineRecord engine;
  engine.name = text_in(rows->value(1));
  engine.version = text_in(rows->value(2));
  engine.device = text_in(rows->value(3));
  engine.threads = whole_in(rows->value(4));
  const auto options = parse_json_if_any<nlohmann::json>(text_in(rows->value(5)));
  if (options.is_object()) {
    for (const auto& [name, value] : options.items())
      if (value.is_string()) engine.options[name] = value.get<std::string>();
  }
  return place_of(machine, engine);
}

}  // namespace jouletree::store
