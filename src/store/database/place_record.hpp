#pragma once

#include "jouletree/measured_on.hpp"
#include "store/database/database.hpp"
#include "store/database/measured_place.hpp"

namespace jouletree::store {

/// What a row of a query tells of a machine, as these columns name it: all but meters and graphics
/// cards, which only opening them would tell.
inline constexpr std::string_view kMachineColumns =
    "m.cpu, m.cpus, m.machine_cpus, m.core_cache_bytes, m.last_cache_bytes, m.memory_bytes, "
    "m.system, m.kernel, m.governor, m.turbo, m.hypervisor";
[[nodiscard]] MachineRecord machine_in_row(const sql::Rows& rows, std::size_t first_column);

/// All that a database knows of where a place is.
[[nodiscard]] MeasuredOn measured_on(Database& database, const MeasuredPlace& place);

}  // namespace jouletree::store
