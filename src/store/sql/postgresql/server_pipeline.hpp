#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "store/sql/connection.hpp"
#include "store/sql/postgresql/server_session.hpp"

namespace jouletree::store::sql {

/// Sends a statement once for each set of parameters and reads what they did later, so that the way
/// to the server and back is not waited for each time. Returns how many rows changed. Needs a
/// transaction around it where all or none shall be stored.
[[nodiscard]] std::int64_t run_pipeline(ServerSession& session, std::string_view sql,
                                        std::span<const std::vector<Parameter>> sets);

}  // namespace jouletree::store::sql
